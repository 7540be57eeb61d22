// The elements of lists (SET, MANY) that one commit writes or removes: each has a row in an index.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_LIST_ELEMENTS, MAX_REFERENCES } from '../../../lib/shared/limits.ts'
import { assertProblem } from '../../helpers/content.ts'
import {
  listAll,
  type MadeModule,
  makeEntries,
  makeEntry,
  makeTable,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let tags: MadeModule
before(async () => {
  server = await startTestServer()
  tags = await makeTable(server, 'name C(9)')
  await makeEntries(
    server,
    tags.url,
    all.map(() => ({ name: 'tag' })),
  )
})
after(() => server.close())

const all = Array.from({ length: MAX_REFERENCES }, (_, at) => at + 1)
const LISTS = MAX_LIST_ELEMENTS / MAX_REFERENCES

async function withLists(columns = ''): Promise<MadeModule> {
  const schema = `tags I REFERENCES datatable ${tags.id} MANY ON DELETE SET NULL, n I${columns}`
  const table = await makeTable(server, schema)
  for (let n = 0; n <= LISTS; n += 1) await makeEntry(server, table.url, { tags: all, n })
  return table
}

const post = (url: string, json: unknown): Promise<Answer> => server.call('POST', url, { json })

test('an update of many entries removes a bounded number of elements', async () => {
  const { url } = await withLists()
  const everything = { qry: { n: { $gte: 0 } } }
  const cleared = await post(`${url}/bulk_update`, { ...everything, values: { tags: [] } })
  assert.match(assertProblem(cleared, 'too-large').detail, /at most 6,000 elements/)
  const changed = await post(`${url}/bulk_update`, {
    ...everything,
    values: { tags: all.slice(1) },
  })
  assert.equal(changed.status, 200, changed.text)
  const part = await post(`${url}/bulk_update`, { qry: { n: { $gt: 0 } }, values: { tags: [] } })
  assert.deepEqual(part.body, { matched: LISTS, changed: LISTS, dry_run: false })
})

test('a deletion of many entries removes a bounded number of elements', async () => {
  const { url } = await withLists()
  const refused = await post(`${url}/bulk_delete`, { qry: { n: { $gte: 0 } } })
  assert.match(assertProblem(refused, 'too-large').detail, /at most 6,000 elements/)
  const part = await post(`${url}/bulk_delete`, { qry: { n: { $gt: 0 } } })
  assert.equal(part.status, 200, part.text)
  const [left] = await listAll(server, url)
  assert.equal((await server.call('DELETE', `${url}/${left.datatable_entry_id}`)).status, 204)
})

test('dependents with many elements are deleted in the background', async () => {
  const owners = await makeTable(server, 'name C(9)')
  const { datatable_entry_id: owner } = await makeEntry(server, owners.url, {})
  const { url } = await withLists(`, holder I REFERENCES datatable ${owners.id} ON DELETE CASCADE`)
  for (const { datatable_entry_id: id } of await listAll(server, url))
    assert.equal((await post(`${url}/${id}`, { holder: owner })).status, 200)
  for (let n = 0; n < LISTS; n += 1) await makeEntry(server, url, { tags: all, holder: owner })
  const address = `${owners.url}/${owner}`
  assert.equal((await server.call('DELETE', address)).status, 202)
  while ((await server.call('GET', address)).status !== 404)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(await listAll(server, url), [])
})

test('the lists of an entry have a bounded number of elements', async () => {
  const values = Array.from({ length: 1_700 }, (_, at) => `v${at}`)
  const list = values.map((value) => `'${value}'`).join(', ')
  const names = ['a', 'b', 'c', 'd']
  const { url } = await makeTable(server, names.map((name) => `${name} SET(${list})`).join(', '))
  const [, ...most] = names
  const entry = Object.fromEntries(most.map((name) => [name, values]))
  const { datatable_entry_id: id } = await makeEntry(server, url, entry)
  const { detail } = assertProblem(await post(`${url}/${id}`, { a: values }), 'too-large')
  assert.match(detail, /lists of an entry may have at most 6,000 elements/)
  assert.match(assertProblem(await post(url, [entry, entry]), 'too-large').detail, /One request/)
  const wrong = assertProblem(await post(url, { a: ['nope'] }), 'invalid-content')
  assert.match(wrong.detail, /must be a list of "v0", "v1", .* or 1\d+ other values/)
  assert.ok(wrong.detail.length < 3_000)
})
