// Deleting a record to which others refer: RESTRICT, SET NULL and CASCADE, in one commit and in the background.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import {
  listAll,
  type MadeModule,
  makeEntries,
  makeEntry,
  makeTable,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const idOf = async (table: MadeModule, fields: object): Promise<number> =>
  (await makeEntry(server, table.url, fields)).datatable_entry_id

const remove = (table: MadeModule, id: number) => server.call('DELETE', `${table.url}/${id}`)

const valuesOf = async (table: MadeModule, name: string): Promise<readonly unknown[]> =>
  (await listAll(server, table.url)).map((entry: any) => entry[name])

const idsOf = (table: MadeModule) => valuesOf(table, 'datatable_entry_id')

test('RESTRICT refuses to delete a record while others refer to it, and names them', async () => {
  const authors = await makeTable(server, 'name C(80)')
  const books = await makeTable(server, `author I REFERENCES datatable ${authors.id}`)
  const ada = await idOf(authors, { name: 'Ada' })
  const first = await idOf(books, { author: ada })
  const problem = assertProblem(await remove(authors, ada), 'in-use')
  assert.deepEqual(problem.references, [
    { object: 'datatable', module_id: books.id, entry_id: first, column: 'author' },
  ])
  assert.equal(problem.count, 1)
  assert.deepEqual(await idsOf(authors), [ada])
  assert.equal((await remove(books, first)).status, 204)
  assert.equal((await remove(authors, ada)).status, 204)
})

test('SET NULL clears a reference and removes the element from a list', async () => {
  const authors = await makeTable(server, 'name C(80)')
  const books = await makeTable(
    server,
    `author I REFERENCES datatable ${authors.id} ON DELETE SET NULL, all I REFERENCES datatable ${authors.id} MANY ON DELETE SET NULL`,
  )
  const [ada, bob] = [await idOf(authors, {}), await idOf(authors, {})]
  await idOf(books, { author: ada, all: [bob, ada] })
  await idOf(books, { author: bob, all: [ada] })
  assert.equal((await remove(authors, ada)).status, 204)
  assert.deepEqual(await valuesOf(books, 'author'), [null, bob])
  assert.deepEqual(await valuesOf(books, 'all'), [[bob], []])
})

test('CASCADE deletes the referring records, also in cycles; a RESTRICT among them refuses the deletion', async () => {
  const top = await makeTable(server, 'name C(80)')
  const parts = await makeTable(
    server,
    `top I REFERENCES datatable ${top.id} ON DELETE CASCADE, next I REFERENCES SELF ON DELETE CASCADE`,
  )
  const notes = await makeTable(server, `part I REFERENCES datatable ${parts.id}`)
  const [one, other] = [await idOf(top, {}), await idOf(top, {})]
  const a = await idOf(parts, { top: one })
  const b = await idOf(parts, { next: a })
  const c = await idOf(parts, { next: b })
  await server.call('POST', `${parts.url}/${a}`, { json: { next: c } })
  const kept = await idOf(parts, { top: other })
  const note = await idOf(notes, { part: c })

  assertProblem(await remove(top, one), 'in-use')
  assert.deepEqual(await idsOf(parts), [a, b, c, kept])
  assert.equal((await remove(notes, note)).status, 204)
  assert.equal((await remove(top, one)).status, 204)
  assert.deepEqual(await idsOf(parts), [kept])
})

test('references of a record to itself or to records deleted with it do not prevent the deletion', async () => {
  const table = await makeTable(
    server,
    'next I REFERENCES SELF, up I REFERENCES SELF ON DELETE CASCADE',
  )
  const a = await idOf(table, {})
  const b = await idOf(table, { up: a, next: a })
  await server.call('POST', `${table.url}/${b}`, { json: { next: b } })
  await server.call('POST', `${table.url}/${a}`, { json: { next: a } })
  assert.equal((await remove(table, a)).status, 204)
  assert.deepEqual(await idsOf(table), [])
})

test('references to files behave like references to entries', async () => {
  const table = await makeTable(server, 'photo FILE, more FILES ON DELETE SET NULL')
  const [first, second] = [await makeFile(server), await makeFile(server)]
  const id = await idOf(table, { photo: first.asset_file_id, more: [second.asset_file_id] })
  const path = (file: any) => `/api/v2/asset_file/${file.asset_file_id}`
  assertProblem(await server.call('DELETE', path(first)), 'in-use')
  assert.equal((await server.call('DELETE', path(second))).status, 204)
  assert.deepEqual(await valuesOf(table, 'more'), [[]])
  await server.call('POST', `${table.url}/${id}`, { json: { photo: null } })
  assert.equal((await server.call('DELETE', path(first))).status, 204)
})

test('a key that cannot see the referring records learns only that they exist', async () => {
  const [open, hidden] = [await makeFolder(server), await makeFolder(server)]
  const target = await makeTable(server, 'a I', { parent_category_id: open.asset_category_id })
  const secret = await makeTable(server, `b I REFERENCES datatable ${target.id}`, {
    parent_category_id: hidden.asset_category_id,
  })
  const id = await idOf(target, {})
  await idOf(secret, { b: id })
  await idOf(secret, { b: id })
  const key = await server.makeKey({ category: open.asset_category_id })
  const refused = await server.call('DELETE', `${target.url}/${id}`, { key })
  const problem = assertProblem(refused, 'in-use')
  assert.equal(
    problem.detail,
    'Records that the key may not see refer to the record. Nothing was deleted.',
  )
  assert.deepEqual([problem.references, problem.count], [undefined, undefined])
  const table = await server.call('DELETE', target.path, { key })
  assert.match(assertProblem(table, 'in-use').detail, /^Columns refer to datatable/)
})

test('many dependents are deleted after the response, and no new record can refer to them', async () => {
  const top = await makeTable(server, 'name C(80)')
  const parts = await makeTable(
    server,
    `top I REFERENCES datatable ${top.id} ON DELETE CASCADE, name C(9)`,
  )
  const leaves = await makeTable(
    server,
    `part I REFERENCES datatable ${parts.id} ON DELETE SET NULL`,
  )
  const [one, other] = [await idOf(top, {}), await idOf(top, {})]
  const kept = await idOf(parts, { top: other })
  await makeEntries(
    server,
    parts.url,
    Array.from({ length: 2_000 }, () => ({ top: one })),
  )
  const all = (await idsOf(parts)) as readonly number[]
  await makeEntries(
    server,
    leaves.url,
    all.slice(0, 500).map((part) => ({ part })),
  )

  const answer = await remove(top, one)
  assert.deepEqual([answer.status, answer.body], [202, { deletion: 'pending' }])
  const late = await server.call('POST', parts.url, { json: { top: one } })
  if (late.status === 409) assertProblem(late, 'in-use')
  else assertProblem(late, 'invalid-content')
  while ((await server.call('GET', `${top.url}/${one}`)).status === 200);
  assert.deepEqual(await idsOf(parts), [kept])
  assert.deepEqual(await valuesOf(leaves, 'part'), [
    kept,
    ...Array.from({ length: 499 }, () => null),
  ])
  assert.deepEqual(await idsOf(top), [other])
})

test('a folder is not deleted while RESTRICT references from outside exist; other references are cleared', async () => {
  const folder = await makeFolder(server)
  const inside = { parent_category_id: folder.asset_category_id }
  const below = await makeFolder(server, inside)
  const file = (await makeFile(server, { parent_category_id: below.asset_category_id }))
    .asset_file_id
  const table = await makeTable(server, 'name C(9), own FILE', inside)
  await idOf(table, { own: file })
  const path = `/api/v2/asset_category/${folder.asset_category_id}?recursive=true`

  const outside = await makeTable(
    server,
    `photo FILE, more FILES ON DELETE SET NULL, part FILE ON DELETE CASCADE, table I REFERENCES datatable ${table.id}`,
  )
  const refused = assertProblem(await server.call('DELETE', path), 'in-use')
  assert.match(refused.detail, /table of datatable \d+ refer to datatable/)
  await server.call('POST', outside.path, {
    json: {
      table_schema: 'photo FILE, more FILES ON DELETE SET NULL, part FILE ON DELETE CASCADE',
    },
  })
  const first = await idOf(outside, { photo: file })
  await idOf(outside, { more: [file] })
  await idOf(outside, { part: file })
  const blocked = assertProblem(await server.call('DELETE', path), 'in-use')
  assert.deepEqual(
    blocked.references.map((item: any) => [item.entry_id, item.column]),
    [[first, 'photo']],
  )
  // The refusal leaves no mark behind.
  const late = (await makeFile(server, inside)).asset_file_id
  await server.call('POST', `${outside.url}/${first}`, { json: { photo: late } })
  await server.call('POST', `${outside.url}/${first}`, { json: { photo: null } })
  assert.equal((await server.call('DELETE', path)).status, 204)
  assert.deepEqual(await valuesOf(outside, 'more'), [[], []])
  assert.equal((await server.call('GET', table.path)).status, 404)
})

test('one of a concurrent deletion and a new reference is refused', async () => {
  const authors = await makeTable(server, 'name C(80)')
  const books = await makeTable(server, `author I REFERENCES datatable ${authors.id}`)
  const outcomes = new Set<string>()
  for (let count = 0; count < 20; count += 1) {
    const author = await idOf(authors, {})
    const refer = () => server.call('POST', books.url, { json: { author } })
    const removal = () => remove(authors, author)
    const order = count % 2 === 0 ? [removal(), refer()] : [refer(), removal()]
    const statuses = (await Promise.all(order)).map(({ status }) => status)
    outcomes.add(statuses.toSorted((left, right) => left - right).join(' '))
  }
  // Either the entry is created and the deletion is refused, or the other way round.
  for (const outcome of outcomes) assert.ok(['201 409', '204 422'].includes(outcome), outcome)
  const left = new Set(await idsOf(authors))
  for (const author of await valuesOf(books, 'author')) assert.ok(left.has(author))
})

test('the change feed lists the effects of a deletion on other entries before the deletion', async () => {
  const top = await makeTable(server, 'name C(80)')
  const parts = await makeTable(
    server,
    `top I REFERENCES datatable ${top.id} ON DELETE CASCADE, all I REFERENCES datatable ${top.id} MANY ON DELETE SET NULL`,
  )
  const id = await idOf(top, {})
  const bound = await idOf(parts, { top: id })
  const listing = await idOf(parts, { all: [id] })
  assert.equal((await remove(top, id)).status, 204)
  const { body } = await server.call(
    'GET',
    '/api/v2/audit?orderStr=audit_id&orderDir=desc&length=1',
  )
  const [{ audit_id: last }] = body.audit
  const feed = await server.call('GET', `/api/v2/change?since=${last - 3}`)
  assert.deepEqual(
    feed.body.change.map((change: any) => [change.module_id, change.object_id, change.action]),
    [
      [parts.id, listing, 'update'],
      [parts.id, bound, 'delete'],
      [top.id, id, 'delete'],
    ],
  )
})
