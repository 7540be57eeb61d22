// Requests without a key: to what is public, to what is hidden beside it, and to the routes that
// need a key.

import { OBJECTS } from '../../../lib/schema/catalog.ts'
import { type OpenParts, SITE } from './public-world.ts'
import type { Play } from './reads.ts'
import { readOpenLinks } from './reference-reads.ts'
import { addressOf, prefix, type Answer, type Tools, valueFor } from './tools.ts'

export const PUBLIC_READS: Readonly<Record<string, Play>> = {
  list,
  'list in an order': list,
  'list a range in an order': listRange,
  walk,
  'walk by number': walkByNumber,
  entry,
  'search through references': readOpenLinks,
  feed,
  file,
  'file again': file,
  document,
  page,
  'page again': page,
  'with a key elsewhere': elsewhere,
}

const SHOWN = {
  table: [
    ['title', 'string'],
    ['price', 'decimal'],
    ['datatable_entry_id', 'integer'],
    ['date_added', 'date-time'],
    ['date_modified', 'date-time'],
  ],
  calendar: [
    ['event_title', 'string'],
    ['start_time', 'date-time'],
    ['end_time', 'date-time'],
    ['rrule', 'string'],
    ['all_day', 'boolean'],
    ['room', 'string'],
    ['calendar_entry_id', 'integer'],
    ['calendar_id', 'integer'],
  ],
} as const
const HIDDEN = ['approved', 'inner', 'outer', 'notes', 'owner', 'location', 'description', 'kind']

type Kind = keyof typeof SHOWN

function openOf({ pair }: Tools): OpenParts {
  if (pair.open === undefined) throw new Error('There are no public parts.')
  return pair.open
}

/** Asks again with the ETag of the answer, or without a body. */
async function askTwice(tools: Tools, path: string): Promise<Answer> {
  const { random, chance } = tools
  const headers = random.pick<Record<string, string>>([
    {},
    {},
    { origin: 'https://elsewhere.example' },
    { 'accept-encoding': 'gzip' },
    { accept: 'text/html' },
  ])
  const answer = await tools.ask({ method: chance(8) ? 'HEAD' : 'GET', path, headers })
  const { etag } = answer.headers
  if (etag !== undefined && chance(2))
    await tools.ask({ method: 'GET', path, headers: { 'if-none-match': etag } })
  return answer
}

/** Sometimes the address has a former name, a wrong name or the number of a private module. */
function addressIn(tools: Tools, kind: Kind): string {
  const { chance, random } = tools
  const address = openOf(tools)[kind]
  if (!chance(8)) return address
  return random.pick([
    tools.module(),
    address.replace(
      /[^/]+$/,
      tools
        .secret()
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
    ),
    address.replace(/\d+/, String(1 + random.below(40))),
    address.replace(/(datatable|calendar)\/\d+/, `datatable/${1 + random.below(40)}`),
  ])
}

function kindOf({ chance }: Tools): Kind {
  return chance(3) ? 'calendar' : 'table'
}

function fieldIn({ random, chance }: Tools, kind: Kind): readonly [string, string] {
  return chance(6)
    ? [random.pick(HIDDEN), 'string']
    : random.pick<readonly [string, string]>(SHOWN[kind])
}

function conditionIn(tools: Tools, kind: Kind): object {
  const { random, chance } = tools
  const [name, type] = fieldIn(tools, kind)
  if (type === 'string') {
    const text = chance(2) ? prefix(tools) : random.pick(['A', 'B1', 'Event 1', 'Room 1', 'C'])
    const ways = [{ $startsWith: text }, { $contains: text }, { $gte: text }, { $lt: text }]
    return { [name]: random.pick<unknown>([...ways, { $regex: `^${text}` }, text, `/${text}/i`]) }
  }
  const value = valueFor(tools, { kind: type as 'integer' })
  const operator = random.pick(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$exists'])
  return { [name]: { [operator]: operator === '$exists' ? chance(2) : value } }
}

function queryIn(tools: Tools, kind: Kind): Record<string, string> {
  const { random, chance } = tools
  const query: Record<string, string> = {}
  const one = (): object => conditionIn(tools, kind)
  const qry = random.pick([one, one, () => ({ $or: [one(), one()] }), () => ({ $not: one() })])
  if (chance(2)) query['qry'] = JSON.stringify(qry())
  if (chance(5)) query['table_filter'] = prefix(tools)
  if (chance(2)) query['length'] = String(1 + random.below(14))
  if (chance(5)) query['start'] = String(1 + random.below(4))
  if (chance(3)) query['count'] = 'exact'
  if (chance(4)) query['fields'] = random.pick(['*', 'title,price', ...HIDDEN])
  if (chance(2)) Object.assign(query, orderIn(tools, kind))
  if (kind === 'calendar' && chance(2)) {
    const expand = chance(2) ? { expand: 'true' } : {}
    Object.assign(query, { from: '2026-03-01', to: '2026-03-20', ...expand })
  }
  return query
}

function orderIn(tools: Tools, kind: Kind): Record<string, string> {
  const count = tools.chance(3) ? 2 : 1
  const names = new Set(Array.from({ length: count }, () => fieldIn(tools, kind)[0]))
  const ways = [...names].map(() => (tools.chance(2) ? 'ASC' : 'DESC'))
  return { orderStr: [...names].join(','), orderDir: ways.join(',') }
}

async function list(tools: Tools): Promise<void> {
  const kind = kindOf(tools)
  await askTwice(tools, addressOf(addressIn(tools, kind), queryIn(tools, kind)))
}

/** The number of hidden rows in a range must choose neither the order nor whether there is a total. */
async function listRange(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const name = random.pick(['title', 'price', 'date_added'])
  const bounds: Readonly<Record<string, readonly string[]>> = {
    title: ['A', 'B', 'L', 'Z'],
    price: ['1.00', '2.00', '11.00'],
    date_added: ['2026-01-01'],
  }
  const bound = random.pick(bounds[name] ?? [])
  const qry = { [name]: { [random.pick(['$gte', '$gt', '$lt'])]: bound } }
  const query: Record<string, string> = {
    qry: JSON.stringify(qry),
    length: String(1 + random.below(6)),
    ...(chance(2) && { orderStr: random.pick(['title', 'price', 'title,price']) }),
    ...(chance(4) && { orderDir: 'DESC' }),
  }
  const path = openOf(tools).table
  const { body } = await askTwice(tools, addressOf(path, query))
  const cursor = body?.page?.next
  if (typeof cursor === 'string') await askTwice(tools, addressOf(path, { ...query, cursor }))
}

const MAX_PAGES = 8

async function walk(tools: Tools): Promise<void> {
  const kind = kindOf(tools)
  const query = { ...queryIn(tools, kind), length: String(1 + tools.random.below(4)) }
  const { start: _, ...rest } = query as Record<string, string>
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const at = typeof cursor === 'string' ? { cursor } : {}
    const { body } = await askTwice(tools, addressOf(openOf(tools)[kind], { ...rest, ...at }))
    cursor = body?.page?.next ?? null
  }
}

async function walkByNumber(tools: Tools): Promise<void> {
  const kind = kindOf(tools)
  const query = { ...orderIn(tools, kind), length: '4' }
  for (let start = 1; start <= 5; start += 1)
    await askTwice(tools, addressOf(openOf(tools)[kind], { ...query, start: String(start) }))
}

async function entry(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const kind = kindOf(tools)
  const fields = random.pick(['*', 'title', 'room', ...HIDDEN])
  const path = `${addressIn(tools, kind)}/${1 + random.below(18)}`
  await askTwice(tools, addressOf(path, chance(2) ? { fields } : {}))
  if (chance(8)) await askTwice(tools, `${path}/history`)
}

async function feed(tools: Tools): Promise<void> {
  await askTwice(tools, `${addressIn(tools, 'calendar')}.ics`)
}

const NAMES = ['page.html', 'staged.html', 'old.html', 'new.html', 'long.html', 'came.html']

/** The number may be that of a file or a folder, public or not. */
async function file(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const { folders, fileIds } = openOf(tools)
  const numbers = [...fileIds, ...Object.values(folders), tools.number(), 1]
  const others = ['left.html', 'blocked.html', 'private-1.html', 'draft-0.html']
  const name = random.pick([
    ...NAMES,
    ...NAMES,
    ...others,
    `${random.pick(tools.pair.guesses)}.html`,
  ])
  const query = random.pick<Record<string, string>>([
    ...[{}, {}, {}, {}, { v: '2' }],
    ...[{ state: 'stage' }, { version: String(random.below(4)) }, { state: 'live' }],
    ...[{ width: '320' }, { width: '5' }, { preset: 'none' }],
  ])
  const headers = random.pick<Record<string, string>>([
    ...[{}, {}, {}, { range: 'bytes=0-2' }, { range: 'bytes=99999-' }],
    ...[{ 'if-none-match': '*' }, { 'if-match': '"x"' }, { 'accept-encoding': 'gzip' }],
    { 'if-modified-since': 'Sun, 01 Mar 2026 09:30:00 GMT' },
  ])
  const path = addressOf(`/file/${random.pick(numbers)}/${encodeURIComponent(name)}`, query)
  await tools.ask({ method: chance(5) ? 'HEAD' : 'GET', path, headers })
}

/** On the host of the site, files are found by their paths. */
async function page(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const guess = (): string => random.pick(tools.pair.guesses)
  const folder = random.pick(['', '', 'part/', 'between/', 'between/again/', `${guess()}/`])
  const others = [
    '',
    'page',
    'links',
    'links.stml',
    'composed',
    'laid-out',
    'alone',
    'index.html',
    'new',
    'PAGE.html',
    'part',
    'between',
    '404.html',
  ]
  const name = random.pick([...NAMES, ...others, 'left.html', guess(), `${guess()}.html`])
  const path = random.pick([
    ...Array.from({ length: 8 }, () => `/${folder}${name}`),
    ...['/robots.txt', '/sitemap.xml', '/sitemap-1.xml'],
    ...['/api/v2/me', '/api/v2/me/views', '/api/v2/me/mentions', '/api/v2/me/people'],
  ])
  const headers = random.pick<Record<string, string>>([
    ...[{}, {}, {}, { range: 'bytes=0-2' }, { 'accept-encoding': 'gzip' }],
    ...[{ 'if-none-match': '*' }, { authorization: 'Bearer x' }],
  ])
  const host = new URL(SITE.origin).host
  const sent = { path: encodeURI(path), headers: { host, ...headers } }
  await tools.ask({ method: chance(6) ? 'HEAD' : 'GET', ...sent })
}

async function document(tools: Tools): Promise<void> {
  const { random } = tools
  const address = addressIn(tools, kindOf(tools))
  const [, module = ''] = /module\/(\w+\/\d+)/.exec(address) ?? []
  const path = random.pick([
    '/public/api/module/swagger.json',
    '/public/api/module/modules.json',
    '/public/api/module/types.ts',
    `/public/api/module/swagger.json?module=${module}`,
    `/public/api/module/swagger.json?module=datatable/${1 + random.below(40)}`,
    '/public/api/system/swagger.json',
  ])
  await askTwice(tools, path)
}

/** Everything else needs a key, whether something is there or not. */
async function elsewhere(tools: Tools): Promise<void> {
  const { random } = tools
  const { folders, fileIds, table, calendar } = openOf(tools)
  const { name } = random.pick(OBJECTS)
  const id = random.pick([...fileIds, ...Object.values(folders), tools.id(name)])
  const json = { title: tools.secret() }
  await tools.ask(
    random.pick([
      { method: 'GET', path: `/api/v2/${name}` },
      { method: 'GET', path: `/api/v2/${name}/${id}` },
      { method: 'POST', path: `/api/v2/${name}/${id}`, json },
      { method: 'POST', path: `/api/v2/${name}/search`, json: {} },
      { method: 'GET', path: `/api/v2/asset_file/${id}/versions/1/content` },
      { method: 'POST', path: table, json },
      { method: 'POST', path: `${table}/1`, json },
      { method: 'DELETE', path: `${table}/1` },
      { method: 'POST', path: `${table}/search`, json: {} },
      { method: 'POST', path: `${calendar}/bulk`, json: [json] },
      { method: 'POST', path: `/api/v2/asset_file/${id}/copy`, json: {} },
      { method: 'POST', path: `/api/v2/asset_category/${id}/copy`, json: {} },
      { method: 'POST', path: `/api/v2/asset_category/${id}/publish?dry_run=true` },
      { method: 'POST', path: `/api/v2/asset_category/${id}/stage` },
      { method: 'POST', path: `/api/v2/asset_category/${id}/unpublish` },
      {
        method: 'POST',
        path: '/api/v2/batch',
        json: { mode: 'each', operations: [{ op: 'publish', asset_file_id: id }] },
      },
      { method: 'POST', path: `${table}/bulk_update`, json: { qry: json, values: json } },
      { method: 'POST', path: `${table}/bulk_delete`, json: { qry: json } },
      { method: 'POST', path: `${table}?on_conflict=title`, json },
      { method: 'OPTIONS', path: table, headers: { origin: 'https://elsewhere.example' } },
      { method: 'PUT', path: table },
      { method: 'GET', path: '/api/v2/me' },
      { method: 'GET', path: '/api/v2/uploads/0123456789abcdef0123456789abcdef' },
      { method: 'GET', path: '/api/v2/change?since=0' },
      { method: 'GET', path: `/api/v2/asset_file/${id}/link` },
      { method: 'GET', path: `/api/v2/asset_category/${id}/former_name` },
      { method: 'GET', path: `/api/v2/asset_category/counts?ids=${id}` },
      { method: 'GET', path: `/api/v2/comment/counts?targets=asset_file/${id}` },
      { method: 'POST', path: `/api/v2/asset_file/${id}/link`, json: {} },
      { method: 'GET', path: `/link/${encodeURIComponent(tools.secret())}/a` },
      { method: 'GET', path: `/file/${id}` },
      { method: 'GET', path: `/file/${id}/${encodeURIComponent(tools.secret())}.html?ticket=x` },
    ]),
  )
}
