// Requests that read: all kinds of searches that could reveal a hidden record, single records by
// identifier, downloads, versions, modules, and objects outside folders.

import { OBJECTS } from '../../../lib/schema/catalog.ts'
import type { ObjectType } from '../../../lib/schema/object.ts'
import { RANDOM_TEXT } from './compare.ts'
import { readLinks } from './reference-reads.ts'
import { addressOf, conditionOn, prefix, type Tools } from './tools.ts'

/** A request, or several requests that belong together. */
export type Play = (tools: Tools) => Promise<void>

const MAX_PAGES = 12

export const READS: Readonly<Record<string, Play>> = {
  search: (tools) => search(tools, tools.random.pick(OBJECTS)),
  /** These objects have most of the records. */
  'search files': (tools) => search(tools, named('asset_file')),
  'search folders': (tools) => search(tools, named('asset_category')),
  'search in an order': searchInOrder,
  'search a range': searchRange,
  'search by what is not stored': searchDerived,
  'walk by cursor': walk,
  'walk by number': walkByNumber,
  record,
  download,
  'download by ticket': downloadByTicket,
  'hear a stream': hearStream,
  'sign in': signIn,
  'download by folder': downloadByFolder,
  versions,
  'module list': moduleList,
  'module entry': moduleEntry,
  'search through references': readLinks,
  feed,
  service,
  frame,
}

function named(name: string): ObjectType {
  const found = OBJECTS.find((object) => object.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

async function search(tools: Tools, object: ObjectType): Promise<void> {
  const query = queryOf(tools, object)
  const path = addressOf(`/api/v2/${object.name}`, query)
  if (tools.chance(4)) return searchInBody(tools, object, query)
  const { headers } = await tools.ask({ method: tools.chance(8) ? 'HEAD' : 'GET', path })
  const etag = headers['etag']
  if (etag !== undefined && !RANDOM_TEXT.test(path))
    await tools.ask({ method: 'GET', path, headers: { 'if-none-match': etag } })
}

/** Sends the same search in a body as in an address. */
async function searchInBody(
  tools: Tools,
  { name }: ObjectType,
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const members = Object.entries(query).map(([member, value]) => [
    member,
    member === 'length' || member === 'start' ? Number(value) : value,
  ])
  const json = Object.fromEntries(members)
  await tools.ask({ method: 'POST', path: `/api/v2/${name}/search`, json })
}

function queryOf(tools: Tools, object: ObjectType): Record<string, string> {
  const { random, chance } = tools
  const query: Record<string, string> = {}
  if (!chance(5)) query['qry'] = JSON.stringify(qryOf(tools, object))
  if (chance(5)) query['table_filter'] = `${prefix(tools)}___`.slice(0, 3)
  if (chance(2)) query['length'] = String(1 + random.below(4))
  if (chance(4)) query['start'] = String(1 + random.below(4))
  if (chance(3)) query['count'] = 'exact'
  if (chance(3)) Object.assign(query, orderOf(tools, object))
  if (chance(5)) query['fields'] = random.pick(['*', ...Object.keys(object.fields)])
  return query
}

function qryOf(tools: Tools, object: ObjectType): object {
  const one = (): object => conditionOn(tools, object)
  const forms = [one, one, one, () => ({ $or: [one(), one()] }), () => ({ $and: [one(), one()] })]
  return tools.random.pick([...forms, () => ({ $not: one() }), () => ({ ...one(), ...one() })])()
}

function orderOf({ random, chance }: Tools, object: ObjectType): Record<string, string> {
  const fields = [...object.searchable].filter(
    ([, field]) => field.isId === true || (field.isIndexed && field.kind !== 'integers'),
  )
  // Mostly a single field; with several fields, each has its own direction.
  const names = Array.from({ length: chance(3) ? 3 : 1 }, () => random.pick(fields)[0])
  const ways = [...new Set(names)].map(() => (chance(2) ? 'ASC' : 'DESC'))
  return { orderStr: [...new Set(names)].join(','), orderDir: ways.join(',') }
}

/**
 * A search with two ranges and an order: the choice of the walked range depends on the number of
 * rows in each.
 */
async function searchInOrder(tools: Tools): Promise<void> {
  const object = tools.random.pick(OBJECTS)
  const texts = [...object.searchable].filter(
    ([, field]) => field.kind === 'string' && field.isIndexed,
  )
  if (texts.length === 0) return
  const range = (): object => {
    const [name] = tools.random.pick(texts)
    const text = prefix(tools).slice(0, 1)
    return tools.chance(2) ? { [name]: { $gte: text } } : { [name]: { $startsWith: text } }
  }
  const query = {
    qry: JSON.stringify({ ...range(), ...range() }),
    length: '1',
    ...orderOf(tools, object),
  }
  await tools.ask({ method: 'GET', path: addressOf(`/api/v2/${object.name}`, query) })
}

/**
 * A search over many records without an order: the order of the results must not depend on the
 * number of hidden records.
 */
async function searchRange(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const letter = (): string => prefix(tools).slice(0, 1)
  const range = random.pick([
    { $gte: letter() },
    { $lt: letter() },
    { $exists: true },
    { $startsWith: 'A' },
  ])
  const field = random.pick(['title', 'title', 'name', 'owner', 'sha256'])
  const order = random.pick(['name', 'title', 'date_added', 'title,name', 'owner,title,name'])
  const query = {
    qry: JSON.stringify({ [field]: range }),
    length: String(1 + random.below(6)),
    fields: 'name,title',
    ...(chance(3) && { orderStr: order }),
    ...(chance(4) && { orderDir: 'DESC' }),
  }
  const path = '/api/v2/asset_file'
  const { body } = await tools.ask({ method: 'GET', path: addressOf(path, query) })
  const cursor = body?.page?.next
  if (typeof cursor !== 'string') return
  await tools.ask({ method: 'GET', path: addressOf(path, { ...query, cursor }) })
}

/** A derived value must not be found by its stored form. */
async function searchDerived(tools: Tools): Promise<void> {
  const { random, pair } = tools
  const { world } = pair.options
  const [object, qry] = random.pick<readonly [string, object]>([
    ['asset_category', { parent_category_id: tools.folder() }],
    ['asset_category', { asset_category_id: tools.folder() }],
    ['file_group', { asset_file_ids: tools.id('asset_file') }],
    ['file_group', { asset_file_ids: { $gte: 1 + random.below(40) } }],
    [
      'file_group',
      { file_group_id: world.groupId, asset_file_ids: { $nin: [tools.id('asset_file')] } },
    ],
    ['api_key', { asset_category_id: tools.folder() }],
    ['user', { name: { $startsWith: prefix(tools) } }],
    ['audit', { object_id: random.below(30) }],
  ])
  const query = {
    qry: JSON.stringify(qry),
    ...(tools.chance(2) && { count: 'exact' }),
    ...(tools.chance(2) && orderOf(tools, named(object))),
    length: String(1 + random.below(5)),
  }
  await tools.ask({ method: 'GET', path: addressOf(`/api/v2/${object}`, query) })
}

async function walk(tools: Tools): Promise<void> {
  const object = tools.random.pick(OBJECTS)
  const query = { ...queryOf(tools, object), ...orderOf(tools, object) }
  delete query['start']
  if (tools.chance(2)) delete query['qry']
  query['length'] = String(1 + tools.random.below(3))
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const at = typeof cursor === 'string' ? { cursor } : {}
    const { body } = await tools.ask({
      method: 'GET',
      path: addressOf(`/api/v2/${object.name}`, { ...query, ...at }),
    })
    cursor = body?.page?.next ?? null
  }
}

async function walkByNumber(tools: Tools): Promise<void> {
  const object = tools.random.pick(OBJECTS)
  const query = { ...orderOf(tools, object), length: '2' }
  for (let start = 1; start <= 4; start += 1) {
    const path = addressOf(`/api/v2/${object.name}`, { ...query, start: String(start) })
    await tools.ask({ method: 'GET', path })
  }
}

async function record(tools: Tools): Promise<void> {
  const { name, fields } = tools.random.pick(OBJECTS)
  const query = tools.chance(3) ? { fields: tools.random.pick(Object.keys(fields)) } : {}
  const id = ownId(tools, name)
  const path = addressOf(`/api/v2/${name}/${id}`, query)
  const { headers } = await tools.ask({ method: tools.chance(6) ? 'HEAD' : 'GET', path })
  // The ETag of a random text is valid on only one of the sites.
  const known = RANDOM_TEXT.test(path) ? '"r1"' : (headers['etag'] ?? '"r1"')
  if (tools.chance(3)) await tools.ask({ method: 'GET', path, headers: { 'if-none-match': known } })
}

/** The identifier is sometimes that of the own user or the own key. */
export function ownId({ pair, chance, id }: Tools, object: string): number {
  if (object === 'user' && chance(2)) return pair.userId
  if (object === 'api_key' && chance(2)) return pair.keyId
  const { groupId, tableId, calendarId } = pair.options.world
  const own: Record<string, number> = {
    file_group: groupId,
    datatable: tableId,
    calendar: calendarId,
  }
  return chance(2) ? (own[object] ?? id(object)) : id(object)
}

async function download(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const { fileIds, movedId } = tools.pair.options.world
  const known = chance(2) ? random.pick([...fileIds, movedId]) : tools.number()
  const query: Record<string, string> = {}
  if (chance(4)) query['state'] = 'stage'
  else if (chance(3)) query['version'] = String(1 + random.below(6))
  if (chance(6)) query['width'] = random.pick(['320', '5', 'x'])
  const headers = random.pick<Record<string, string>>([
    {},
    {},
    { range: 'bytes=0-2' },
    { 'if-none-match': '*' },
    { 'if-match': '"x"' },
    { 'if-modified-since': 'Sun, 01 Mar 2026 09:00:00 GMT' },
  ])
  const path = addressOf(`/file/${known}/${encodeURIComponent(tools.fileName())}`, query)
  await tools.ask({ method: chance(5) ? 'HEAD' : 'GET', path, headers })
}

/** A ticket must not open more than the key sees. */
async function downloadByTicket(tools: Tools): Promise<void> {
  const { random, chance, pair } = tools
  const { fileIds, movedId } = pair.options.world
  const known = chance(2) ? random.pick([...fileIds, movedId]) : tools.number()
  const query = chance(2) ? { version: String(1 + random.below(6)) } : {}
  const paths = [
    addressOf(`/file/${known}/${encodeURIComponent(tools.fileName())}`, query),
    `${tools.module().replace('datatable', 'calendar')}.ics`,
    `/api/v2/asset_file/${known}/versions/${1 + random.below(6)}/content`,
  ]
  await tools.ask({ method: 'GET', path: random.pick(paths), byTicket: true })
}

/** While the stream is open, a hidden folder is changed first and a visible folder second. */
async function hearStream(tools: Tools): Promise<void> {
  const { random, pair } = tools
  const { world, observer } = pair.options
  const seen = { id: world.folders[observer.scope ?? 'scope'], title: `Seen ${random.next()}` }
  const instead = world.folders.withheldLow
  // If the folder is not visible, the stream would never report its change.
  const { status } = await tools.ask({ method: 'GET', path: `/api/v2/asset_category/${seen.id}` })
  if (status !== 200) return
  const hidden = { id: world.folders.withheld, title: `Hidden ${random.next()}` }
  const ways: readonly Record<string, string>[] = [
    {},
    { since: '0' },
    { object: 'asset_category,asset_file' },
    { asset_category_id: String(random.pick([seen.id, hidden.id, 99_999])) },
  ]
  const path = addressOf('/api/v2/change/stream', random.pick(ways))
  await tools.ask({ method: 'GET', path, hears: { hidden, seen, instead } })
}

/** The names include those of hidden people. */
async function signIn(tools: Tools): Promise<void> {
  const json = { name: tools.secret(), password: 'what nobody has chosen' }
  await tools.ask({ method: 'POST', path: '/api/v2/session', json })
  await tools.ask({ method: 'GET', path: '/api/v2/session' })
}

/** The number may belong to a hidden file or to a visible folder. */
async function downloadByFolder(tools: Tools): Promise<void> {
  const { folders } = tools.pair.options.world
  const number = tools.random.pick(Object.values(folders))
  const path = `/file/${number}/${encodeURIComponent(tools.fileName())}`
  await tools.ask({ method: 'GET', path })
  await tools.ask({ method: 'GET', path: `/link/${encodeURIComponent(tools.secret())}/a` })
}

async function versions(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const { movedId } = tools.pair.options.world
  const file = `/api/v2/asset_file/${chance(2) ? movedId : tools.id('asset_file')}`
  const number = (): number => 1 + random.below(6)
  const ways: readonly (() => string)[] = [
    () => addressOf(`${file}/versions`, chance(2) ? { length: String(1 + random.below(3)) } : {}),
    () => addressOf(`${file}/versions`, { cursor: String(number()), length: '2' }),
    () => `${file}/versions/${number()}`,
    () => addressOf(`${file}/versions/${number()}`, { fields: 'name,title,sha256' }),
    () => `${file}/versions/${number()}/content`,
    () => `${file}/versions/${number()}/diff/${number()}`,
    () => `${file}/${random.pick(['link', 'used_on', 'used_on?shown=true'])}`,
    () => `/api/v2/file_group/${tools.id('file_group')}/used_on${random.pick(['', '?shown=true'])}`,
    () => `/api/v2/asset_category/${tools.id('asset_category')}/former_name`,
    () => `/api/v2/asset_category/counts?ids=1,${tools.id('asset_category')}`,
    () => `/api/v2/comment/counts?targets=${tools.target()},${tools.target()}`,
  ]
  const { body } = await tools.ask({ method: 'GET', path: random.pick(ways)() })
  const next = body?.page?.next
  if (typeof next === 'string')
    await tools.ask({ method: 'GET', path: addressOf(`${file}/versions`, { cursor: next }) })
}

async function moduleList(tools: Tools): Promise<void> {
  const address = tools.module()
  const { random, chance } = tools
  const query: Record<string, string> = chance(2) ? { count: 'exact' } : {}
  if (chance(3)) query['qry'] = JSON.stringify({ title: { $startsWith: prefix(tools) } })
  if (chance(3)) query['fields'] = random.pick(['*', 'title', 'event_title'])
  if (chance(3)) query['length'] = '1'
  if (address.includes('/calendar/') && chance(2)) {
    const window = { from: '2026-03-01', to: '2026-04-01', ...(chance(2) && { expand: 'true' }) }
    Object.assign(query, window)
  }
  const { body } = await tools.ask({ method: 'GET', path: addressOf(address, query) })
  const cursor = body?.page?.next
  if (typeof cursor !== 'string') return
  await tools.ask({ method: 'GET', path: addressOf(address, { ...query, cursor }) })
}

async function moduleEntry(tools: Tools): Promise<void> {
  const query = tools.chance(2) ? { fields: '*' } : {}
  const entry = `${tools.module()}/${1 + tools.random.below(4)}`
  const path = tools.chance(3) ? `${entry}/history` : addressOf(entry, query)
  await tools.ask({ method: 'GET', path })
}

async function feed(tools: Tools): Promise<void> {
  const address = tools.module().replace('datatable', 'calendar')
  await tools.ask({ method: 'GET', path: `${address}.ics` })
}

async function service(tools: Tools): Promise<void> {
  const paths = [
    '/health',
    '/ready',
    '/metrics',
    '/problems/not-found',
    '/problems',
    ...['/', '/docs', '/public', '/public/api'],
    ...['/api/v2/me', '/api/v2/me/views', '/api/v2/me/mentions', '/api/v2/me/people'],
    '/public/api/system',
    '/public/api/module',
    '/public/api/system/swagger.json',
    '/public/api/module/swagger.json',
    '/public/api/module/swagger.json?module=datatable/2',
    '/public/api/module/modules.json',
    '/public/api/module/types.ts',
    '/public/api/assets/1/swagger-ui.css',
    '/api/v2/backup',
    '/api/v2/uploads/0123456789abcdef0123456789abcdef',
    '/api/v2/change?since=0&length=1000',
    '/api/v2/change?since=0&object=asset_file,file_group&action=delete,update',
    `/api/v2/change?since=0&asset_category_id=${tools.id('asset_category')}`,
    '/api/v2/audit',
    `/api/v2/audit/${tools.id('audit')}`,
  ]
  for (const path of paths) if (tools.chance(2)) await tools.ask({ method: 'GET', path })
}

/** Requests without a route, and all kinds of malformed requests. */
async function frame(tools: Tools): Promise<void> {
  const { random } = tools
  const { name } = random.pick(OBJECTS)
  const path = `/api/v2/${name}/${ownId(tools, name)}`
  const sent = random.pick([
    { method: 'OPTIONS', path },
    { method: 'PUT', path },
    { method: 'PATCH', path, body: '{}' },
    { method: 'POST', path, body: '{"name"', headers: { 'content-type': 'application/json' } },
    { method: 'POST', path, body: 'x', headers: { 'content-type': 'text/plain' } },
    { method: 'POST', path, json: [] },
    { method: 'GET', path: `${path}?nothing=1` },
    { method: 'GET', path, headers: { accept: 'text/html' } },
    { method: 'GET', path: addressOf(`/api/v2/${name}`, { qry: '{"x":' }) },
    { method: 'GET', path: addressOf(`/api/v2/${name}`, { qry: '{"nothing":1}' }) },
    { method: 'GET', path: addressOf(`/api/v2/${name}`, { orderStr: 'nothing' }) },
    { method: 'GET', path: addressOf(`/api/v2/${name}`, { cursor: 'AAAA' }) },
    { method: 'GET', path: `/api/v2/${name}/x` },
    { method: 'GET', path: '/nothing' },
  ])
  await tools.ask(sent)
}
