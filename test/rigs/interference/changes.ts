// Requests that change something or are refused. They use identifiers and names of hidden records,
// post records back with a guessed member, and target hidden records and folders.

import { OBJECTS } from '../../../lib/schema/catalog.ts'
import { calendarFile, vevent } from '../../calendar/files.ts'
import { buildForm } from '../../helpers/server.ts'
import { ownId, type Play } from './reads.ts'
import { addressOf, prefix, type Tools } from './tools.ts'

const ROLES = ['viewer', 'editor', 'admin', null] as const
const GRANTS = [null, [], ['view'], ['view', 'modify'], ['admin']] as const

export const CHANGES: Readonly<Record<string, Play>> = {
  create,
  'create under an Idempotency-Key': createOnce,
  'create a key': createKey,
  'create files': createFiles,
  update,
  'post back with a guess': postBack,
  'tip the scales': tipScales,
  'rename the scope': renameScope,
  'move a folder': moveFolder,
  'change a group': changeGroup,
  'act on a file': actOnFile,
  'restore a version': restore,
  'write an entry': writeEntry,
  'import events': importEvents,
  upload,
  retry,
  rotate,
  remove,
  'remove a folder': removeFolder,
}

const WRITABLE = OBJECTS.filter(({ name }) => name !== 'audit' && name !== 'trash')

/** Returns a body that creates a record, with hidden names and places. */
function bodyFor(tools: Tools, object: string): object {
  const { random, chance, name, folder } = tools
  const place = { parent_category_id: folder() }
  const words = { name: name(), ...(chance(3) && { title: tools.secret() }) }
  switch (object) {
    case 'asset_file':
      return { ...words, ...place, type: 'html', ...(chance(3) && { fileState: 'publish' }) }
    case 'file_group':
      return { ...words, ...place, asset_file_ids: fileIds(tools) }
    case 'datatable':
      return { ...words, ...place, table_schema: 'title C(40)' }
    case 'user': {
      const roles = [{ asset_category_id: folder(), role: random.pick(ROLES) }]
      return { name: name(), role: random.pick(ROLES), ...(chance(2) && { category_roles: roles }) }
    }
    case 'api_key':
      return keyBody(tools)
    case 'role':
      return { name: name(), grants: random.pick(GRANTS) }
    case 'comment':
      return commentBody(tools)
    case 'webhook':
      return { name: name(), url: 'https://a.invalid', asset_category_id: folder() }
    default:
      return { ...words, ...place }
  }
}

function fileIds({ random, id }: Tools): readonly number[] {
  return [...new Set(Array.from({ length: random.below(4) }, () => id('asset_file')))]
}

/** The text may mention a hidden user. */
function commentBody({ chance, target, secret, id, pair, random }: Tools): object {
  const { seen } = pair.options.world.remarks
  return {
    target: target(),
    text: `@${secret()} @Ghost ${secret()}`,
    ...(chance(2) && { reply_to: random.pick([...seen, id('comment')]) }),
    ...(chance(4) && { resolved: chance(2) }),
  }
}

function keyBody({ random, chance, folder, name, id }: Tools): object {
  return {
    name: name(),
    ...(chance(2) && { asset_category_id: folder() }),
    ...(chance(2) && { grants: random.pick(GRANTS) }),
    ...(chance(3) && { user_id: id('user') }),
    ...(chance(4) && { date_expires: random.pick(['2027-01-01', '2028-01-01']) }),
  }
}

async function create(tools: Tools): Promise<void> {
  const { name } = tools.random.pick(WRITABLE)
  await tools.ask({ method: 'POST', path: `/api/v2/${name}`, json: bodyFor(tools, name) })
}

/** Sends the request twice under an Idempotency-Key that another key may have used. */
async function createOnce(tools: Tools): Promise<void> {
  const { name } = tools.random.pick(WRITABLE)
  const headers = { 'idempotency-key': `shared-${1 + tools.random.below(3)}` }
  const sent = { method: 'POST', path: `/api/v2/${name}`, headers, json: bodyFor(tools, name) }
  await tools.ask(sent)
  await tools.ask(sent)
}

async function createKey(tools: Tools): Promise<void> {
  await tools.ask({ method: 'POST', path: '/api/v2/api_key', json: keyBody(tools) })
}

async function createFiles(tools: Tools): Promise<void> {
  const json = [bodyFor(tools, 'asset_file'), bodyFor(tools, 'asset_file')]
  await tools.ask({ method: 'POST', path: '/api/v2/asset_file', json })
}

async function update(tools: Tools): Promise<void> {
  const { name } = tools.random.pick(WRITABLE)
  const id = name === 'api_key' || name === 'user' ? tools.id(name) : ownId(tools, name)
  // The observer's own key stays unchanged, because the rig sends its requests with it.
  if (name === 'api_key' && id === tools.pair.keyId) return
  const all = Object.entries(bodyFor(tools, name))
  const json = Object.fromEntries(all.filter(() => tools.chance(2)))
  const headers = tools.chance(4) ? { 'if-match': `"r${1 + tools.random.below(5)}"` } : undefined
  const sent = {
    path: `/api/v2/${name}/${id}`,
    json,
    ...(headers && { headers }),
  }
  for (const method of ['POST', 'PATCH']) await tools.ask({ method, ...sent })
}

/**
 * A read-only member with the stored value is accepted, so the answer tells whether a guess is
 * right.
 */
async function postBack(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const { name, fields } = random.pick(WRITABLE)
  const id = ownId(tools, name)
  if (name === 'api_key' && id === tools.pair.keyId) return
  const path = `/api/v2/${name}/${id}`
  const { status, body, headers } = await tools.ask({ method: 'GET', path })
  // Each site has its own hint of a rotated secret.
  const { hint: _, ...record } = status === 200 && typeof body === 'object' ? body : {}
  const assigned = Object.entries(fields).filter(([, field]) => field.access === 'assigned')
  const [member] = random.pick(assigned)
  const guess =
    member === 'path' ? guessPath(tools) : random.pick([tools.secret(), random.below(9), null])
  const json = chance(3) ? record : { ...(chance(2) ? record : {}), [member]: guess }
  const etag = headers['etag']
  const conditions = etag !== undefined && chance(2) ? { headers: { 'if-match': etag } } : {}
  await tools.ask({ method: 'POST', path, json, ...conditions })
}

/**
 * A search with two conditions walks the index with fewer rows. A key can add records until both
 * are nearly equal, so that an additional hidden record would change the choice.
 */
async function tipScales(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const { scope } = tools.pair.options.world.folders
  const start = prefix(tools).slice(0, 2)
  const name = `scale-${random.below(1_000_000)}-`
  const titled = 1 + random.below(3)
  for (let at = 0; at <= titled; at += 1) {
    const json = {
      name: `${name}${at}`,
      parent_category_id: scope,
      ...(at > 0 && { title: start }),
    }
    await tools.ask({ method: 'POST', path: '/api/v2/asset_category', json })
  }
  const qry = { name: { $startsWith: name }, title: { $startsWith: start } }
  const query = { qry: JSON.stringify(qry), orderStr: chance(2) ? 'name' : 'title', length: '1' }
  await tools.ask({ method: 'GET', path: addressOf('/api/v2/asset_category', query) })
}

function guessPath({ random, secret }: Tools): string {
  return random.pick([
    `/Main/${secret()}/scope`,
    `/Main/${secret()}`,
    '/Main/upper/scope',
    '/scope',
  ])
}

async function renameScope(tools: Tools): Promise<void> {
  const { folders } = tools.pair.options.world
  const path = `/api/v2/asset_category/${tools.chance(3) ? folders.inner : folders.scope}`
  await tools.ask({ method: 'POST', path, json: { name: tools.secret() } })
}

async function moveFolder(tools: Tools): Promise<void> {
  const { folders } = tools.pair.options.world
  const id = tools.random.pick([folders.scope, folders.inner, tools.id('asset_category')])
  const json = {
    parent_category_id: tools.folder(),
    ...(tools.chance(3) && { name: tools.name() }),
  }
  await tools.ask({ method: 'POST', path: `/api/v2/asset_category/${id}`, json })
}

/** Saves a group with the members as they were read, or with others; hidden members stay. */
async function changeGroup(tools: Tools): Promise<void> {
  const { groupId, fileIds: seen } = tools.pair.options.world
  const path = `/api/v2/file_group/${groupId}`
  const { body } = await tools.ask({ method: 'GET', path })
  const shown: number[] = Array.isArray(body?.asset_file_ids) ? body.asset_file_ids : []
  const asset_file_ids = tools.random.pick([
    shown,
    shown.toReversed(),
    shown.slice(1),
    [...new Set([...shown, ...seen])],
    [...new Set([...shown, tools.id('asset_file')])],
    [],
  ])
  await tools.ask({ method: 'POST', path, json: { asset_file_ids } })
  await tools.ask({ method: 'GET', path })
}

async function actOnFile(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const action = random.pick(['publish', 'stage', 'unpublish', 'unstage'])
  const { movedId } = tools.pair.options.world
  const id = chance(2) ? movedId : tools.id('asset_file')
  const isNumbered = action === 'publish' || action === 'stage'
  const query = isNumbered && chance(2) ? { version: String(1 + random.below(6)) } : {}
  const method = !isNumbered || chance(2) ? 'POST' : 'GET'
  await tools.ask({ method, path: addressOf(`/api/v2/asset_file/${id}/${action}`, query) })
}

async function restore(tools: Tools): Promise<void> {
  const { movedId } = tools.pair.options.world
  const id = tools.chance(3) ? tools.id('asset_file') : movedId
  const path = `/api/v2/asset_file/${id}/versions/${1 + tools.random.below(6)}/restore`
  await tools.ask({ method: 'POST', path })
}

async function writeEntry(tools: Tools): Promise<void> {
  const address = tools.module()
  const event = { event_title: tools.secret(), start_time: '2026-03-05' }
  const json = address.includes('/calendar/') ? event : { title: tools.secret() }
  const entry = `${address}/${1 + tools.random.below(4)}`
  const sent = tools.random.pick([
    { method: 'POST', path: address, json },
    {
      method: 'POST',
      path: address,
      json: [json, json],
      headers: { prefer: 'return=representation' },
    },
    { method: 'POST', path: entry, json },
    { method: 'DELETE', path: entry },
  ])
  await tools.ask(sent)
}

/** A UID may be the UID of an event in a hidden calendar, and a RECURRENCE-ID may name such an event. */
async function importEvents(tools: Tools): Promise<void> {
  const { random, chance } = tools
  const address = tools.module().replace('datatable', 'calendar')
  const uid = chance(4) ? 'own@site' : tools.secret()
  const place = chance(3) ? ['RECURRENCE-ID:20260303T100000Z'] : []
  const one = vevent(`UID:${uid}`, 'DTSTART:20260303T110000Z', `SUMMARY:${tools.name()}`, ...place)
  const other = vevent(`UID:${tools.secret()}`, 'DTSTART:tomorrow')
  const body = calendarFile(...random.pick([[one], [one, other], [one, one]]))
  const path = addressOf(`${address}.ics`, chance(2) ? { dry_run: 'true' } : {})
  const headers = { 'content-type': 'text/calendar' }
  await tools.ask({ method: 'POST', path, body, headers })
}

async function upload(tools: Tools): Promise<void> {
  const { chance } = tools
  const target = chance(2)
    ? { name: 'asset_category_id', value: String(tools.folder()) }
    : { name: 'asset_file_id', value: String(tools.id('asset_file')) }
  const parts = chance(3) ? [{ name: 'name', value: tools.name() }] : []
  const { contentType, body } = buildForm([
    target,
    ...parts,
    { name: 'Filedata', fileName: tools.fileName(), bytes: Buffer.from(tools.secret()) },
  ])
  await tools.ask({
    method: 'POST',
    path: '/upload',
    headers: { 'content-type': contentType },
    body,
  })
}

async function retry(tools: Tools): Promise<void> {
  const { retries } = tools.pair
  for (let count = 0; count < 4 && retries.length > 0; count += 1)
    await tools.ask(tools.random.pick(retries))
}

async function rotate(tools: Tools): Promise<void> {
  const id = tools.id('api_key')
  if (id === tools.pair.keyId) return
  await tools.ask({ method: 'POST', path: `/api/v2/api_key/${id}/rotate`, json: {} })
}

async function remove(tools: Tools): Promise<void> {
  for (const { name } of WRITABLE) if (tools.chance(2)) await removeOne(tools, name)
}

async function removeOne(tools: Tools, name: string): Promise<void> {
  const id = tools.id(name)
  const isNeeded = name === 'api_key' && id === tools.pair.keyId
  if (isNeeded || (name === 'user' && id === tools.pair.userId) || isOfWorld(tools, name, id))
    return
  await tools.ask({ method: 'DELETE', path: `/api/v2/${name}/${id}` })
}

/** Whether the record is one that all other requests need. */
function isOfWorld({ pair }: Tools, object: string, id: number): boolean {
  const { folders, fileIds, movedId, groupId, tableId, calendarId } = pair.options.world
  const needed: Record<string, readonly number[]> = {
    asset_category: [folders.scope],
    asset_file: [...fileIds, movedId],
    file_group: [groupId],
    datatable: [tableId],
    calendar: [calendarId],
  }
  return needed[object]?.includes(id) === true
}

/**
 * Removes a folder that is not empty because of visible or hidden content. With `recursive`, only
 * folders where the removal is refused.
 */
async function removeFolder(tools: Tools): Promise<void> {
  const { folders } = tools.pair.options.world
  const id = tools.random.pick([folders.scope, folders.inner, folders.upper, folders.withheld])
  const isHolding = id === folders.scope || id === folders.inner
  const query = !isHolding && tools.chance(2) ? { recursive: 'true' } : {}
  await tools.ask({ method: 'DELETE', path: addressOf(`/api/v2/asset_category/${id}`, query) })
}
