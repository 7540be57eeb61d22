// Every POST route with an Idempotency-Key. Repeating the request changes nothing and returns the same
// answer, even if the server ended before the answer was stored.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { keepsAnswer } from '../../../lib/api/request/route.ts'
import { allRoutes } from '../../../lib/api/routes.ts'
import { idempotencyRow } from '../../../lib/schema/server-records.ts'
import { ROWS, type Row } from '../../auth/route-table.ts'
import { assertRanOnce } from '../../helpers/audit.ts'
import { assertProblem, fileOf, make, makeFile, newName, partsOf } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { ROUTE_OPTIONS } from '../../helpers/route-options.ts'
import {
  type Answer,
  buildForm,
  type Call,
  startTestServer,
  type TestServer,
} from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { trashItem } from '../../helpers/trash.ts'

const KEPT = allRoutes(ROUTE_OPTIONS).filter(
  (route) => route.method === 'POST' && keepsAnswer(route),
)
const KEPT_PATHS = new Set(KEPT.map(({ path }) => `POST ${path}`))
const POSTS = ROWS.filter(({ route }) => KEPT_PATHS.has(route))
const USER_LINK = 'POST /api/v2/user/:id/link'
const LINK = 'POST /api/v2/asset_file/:id/link'
/** Routes whose answers contain a secret. */
const SECRET = new Set([
  USER_LINK,
  'POST /api/v2/api_key',
  'POST /api/v2/api_key/:id/rotate',
  LINK,
  'POST /api/v2/webhook',
  'POST /api/v2/webhook/:id/rotate',
])
const ENTRIES = 'POST /api/v2/module/:type/:module_id/:module_name'

interface Variant extends Row {
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

const VARIANTS: readonly Variant[] = [
  ...POSTS.map((row) => ({
    ...row,
    // The file is not live.
    ...(row.route === LINK && { json: () => ({ version: 1 }) }),
    name: nameOf(row),
  })),
  ...POSTS.filter(({ route }) => route === ENTRIES).flatMap((row): Variant[] => [
    { ...row, name: `${row.route} of a list`, json: () => [{ title: 'a' }, { title: 'b' }] },
    {
      ...row,
      name: `${row.route} with its representation`,
      headers: { prefer: 'return=representation' },
    },
    {
      ...row,
      name: `${row.route} of an upsert`,
      query: '?on_conflict=code',
      json: () => [{ code: 'first', title: 'b' }, { code: 'second' }, { code: 'third' }],
      ok: 200,
    },
  ]),
  {
    route: 'POST /api/v2/datatable',
    name: 'POST /api/v2/datatable with a warning',
    json: ({ name }) => ({ name, table_schema: 'title C(255), body X INDEX' }),
    needs: [],
    ok: 201,
  },
]

let server: TestServer
let secret = ''
let folderId = 0
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  secret = server.key
  folderId = (await make(server, 'asset_category', { name: 'all' })).asset_category_id
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

test('every POST route is tested', () => {
  const tried = new Set(VARIANTS.map(({ route }) => route))
  assert.deepEqual(
    [...KEPT_PATHS].filter((route) => !tried.has(route)),
    [],
  )
  assert.ok(KEPT.every(({ recall }) => recall !== undefined))
})

/** The request and its answer, for a repetition after a restart. */
interface Sent {
  readonly variant: Variant
  readonly path: string
  readonly call: Call
  readonly first: Answer
}
const sent: Sent[] = []

describe('H4: a retry with the same Idempotency-Key changes nothing and gets the same response:', () => {
  for (const [index, variant] of VARIANTS.entries()) {
    test(variant.name, async () => {
      const { path, call } = await requestFor(variant, `every-${index}`)
      const first = await server.call('POST', path, call)
      assert.equal(first.status, variant.ok, first.text)
      assert.equal(first.headers['idempotency-replayed'], undefined)

      const state = await readState()
      assertSame(await server.call('POST', path, call), first)
      assert.deepEqual(await readState(), state)
      sent.push({ variant, path, call, first })
    })
  }
})

describe('S1: a retry after a crash before the response was stored changes nothing:', () => {
  let state: readonly string[]
  before(async () => {
    await server.stop()
    await forgetAnswers(server.dataDir)
    server = await startTestServer({ dataDir: server.dataDir })
    state = await readState()
  })

  for (const [index, { name, route }] of VARIANTS.entries()) {
    test(name, async () => {
      const { path, call, first } = sent[index] ?? assert.fail('it was not sent')
      const again = await server.call('POST', path, { ...call, key: secret })
      if (SECRET.has(route)) {
        const { made } = assertProblem(again, 'answer-lost')
        const [, , , asked = ''] = route.split('/')
        const object = route === LINK ? 'asset_file_link' : asked
        // A link has the number of its user.
        if (route === USER_LINK) assert.deepEqual(made.user_link, [Number(path.split('/')[4])])
        else assert.deepEqual(made[object], [first.body[`${object}_id`]])
      } else assertSame(again, first)
      assert.deepEqual(await readState(), state)
    })
  }
})

function nameOf({ route, json, form }: Row): string {
  const place = { folderId: 1, targetId: 1, name: 'x' }
  const fields = Object.keys(json?.(place) ?? form?.(place) ?? {})
  return fields.length === 0 ? route : `${route} with ${fields.join(', ')}`
}

/** Masks the position of a webhook, which advances on its own. */
function settled(text: string): string {
  return text.replace(/"position":\d+/, '"position":0')
}

function assertSame(again: Answer, first: Answer): void {
  assert.equal(again.headers['idempotency-replayed'], 'true', again.text)
  assert.deepEqual([again.status, settled(again.text)], [first.status, settled(first.text)])
  const moves = first.text.startsWith('{"webhook_id"') ? ['etag', 'content-length'] : []
  const own = ['date', 'x-request-id', 'idempotency-replayed', ...moves]
  const shared = (answer: Answer) =>
    Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !own.includes(name)))
  assert.deepEqual(shared(again), shared(first))
}

async function requestFor(
  { route, target, json, form, headers, query = '' }: Variant,
  key: string,
): Promise<{ readonly path: string; readonly call: Call }> {
  const name = newName()
  const targetId = target === undefined ? 0 : ((await MAKE[target]?.(name)) ?? 0)
  const values: Readonly<Record<string, string>> = {
    id: String(targetId),
    version: '1',
    type: 'datatable',
    module_id: String(targetId),
    module_name: name.replace('.', '-'),
    entry_id: '1',
    change: '1',
  }
  const address = route.slice(5).replaceAll(/:(\w+)/g, (_, part: string) => values[part] ?? '')
  const path = address + query
  const place = { folderId, targetId, name }
  const all = { 'idempotency-key': key, ...headers }
  if (form === undefined)
    return { path, call: { headers: all, ...(json && { json: json(place) }) } }
  const { body, contentType } = buildForm([...partsOf(form(place)), fileOf('x', `${name}.html`)])
  return { path, call: { body, headers: { ...all, 'content-type': contentType } } }
}

const MAKE: Readonly<Record<string, (name: string) => Promise<number>>> = {
  folder: async (name) => (await make(server, 'asset_category', { name })).asset_category_id,
  group: async (name) => (await make(server, 'file_group', { name })).file_group_id,
  calendar: async (name) => (await make(server, 'calendar', { name })).calendar_id,
  user: async (name) => (await make(server, 'user', { name })).user_id,
  key: async (name) => (await make(server, 'api_key', { name })).api_key_id,
  async trash(name) {
    const { file_group_id: id } = await make(server, 'file_group', { name })
    await server.call('DELETE', `/api/v2/file_group/${id}`)
    return (await trashItem(server, 'file_group', id)).trash_id
  },
  role: async (name) => (await make(server, 'role', { name, grants: [] })).role_id,
  // The filter never matches, because deliveries would change the record.
  webhook: async (name) => {
    const never = { objects: ['user'], actions: ['restore'] }
    const hook = { name, url: 'https://a.invalid', ...never }
    return (await make(server, 'webhook', hook)).webhook_id
  },
  comment: async (name) => {
    const { asset_file_id: id } = await makeFile(server, { name, parent_category_id: folderId })
    return (await make(server, 'comment', { target: `asset_file/${id}`, text: 'a' })).comment_id
  },
  file: async (name) =>
    (await makeFile(server, { name, parent_category_id: folderId })).asset_file_id,
  async datatable(name) {
    const fields = { name, table_schema: 'title C(255), code C(9) UNIQUE' }
    const { datatable_id: id, module_url: url } = await make(server, 'datatable', fields)
    await server.call('POST', url, { json: { title: 'first', code: 'first' } })
    return id
  },
}

const OBJECTS = ['asset_category', 'asset_file', 'file_group', 'datatable', 'calendar', 'user']
/** Without the last use, which is not a change of the key. */
const KEYS = 'api_key?fields=api_key_id,name,status,hint,date_modified'

/** Returns all records of the site and the entries of its tables. */
async function readState(): Promise<readonly string[]> {
  const list = async (path: string): Promise<string> => {
    const answer = await server.call('GET', path, { key: secret })
    assert.equal(answer.status, 200, answer.text)
    return answer.text
  }
  const lists = [...OBJECTS.map((object) => `${object}?length=1000`), `${KEYS}&length=1000`]
  const records = await Promise.all(lists.map((path) => list(`/api/v2/${path}`)))
  const { datatable } = JSON.parse(records[3] ?? '')
  const entries = await Promise.all(datatable.map((table: any) => list(table.module_url)))
  return [...records, ...entries]
}

/** Simulates a crash between the commit of a change and the commit of its answer. */
async function forgetAnswers(dataDir: string): Promise<void> {
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const rows = unit.list(idempotencyRow, [])
      assert.ok(rows.length > 0)
      for (const ids of rows) {
        const stored = unit.get(idempotencyRow, ...ids) ?? assert.fail()
        const row = { ...stored.value, answer: null }
        unit.put(idempotencyRow, ids, row)
      }
    }),
  )
}

test('a change refused for lack of room for its key does not affect other requests in its commit, which are applied once', async (t) => {
  const own = await startTestServer({ limits: { maxIdempotencyRows: 1 } })
  t.after(() => own.close())
  const create = (key?: string) =>
    own.call('POST', '/api/v2/asset_category', {
      json: { name: newName() },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
  assert.equal((await create('first')).status, 201)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => create(at % 4 === 1 ? `key-${at}` : undefined)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, at) => (at % 4 === 1 ? 429 : 201)),
  )
  await assertRanOnce(own, 30)
})
