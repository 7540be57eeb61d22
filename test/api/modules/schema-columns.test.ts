// Changes of columns that depend on the existing state: types of columns without values, defaults, titles,
// and `columns` in a body.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, newName, pointersOf, read } from '../../helpers/content.ts'
import {
  changeSchema,
  entriesOf,
  listEntries,
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

test('a column without values can be changed to any type, and its index is complete', async () => {
  const { path, url } = await makeTable(server, 'a I DEFAULT 5, b C(5), c X')
  const empty = await changeSchema(server, path, { table_schema: 'a C(5), b D, c I' })
  assert.equal(empty.status, 200, empty.text)
  await makeEntries(server, url, [
    { a: 'x', c: 2 },
    { a: 'y', c: 1 },
  ])
  assert.deepEqual(entriesOf(await listEntries(server, url, { qry: { a: 'y' } })).length, 1)
  const sorted = entriesOf(await listEntries(server, url, { orderStr: 'c' }))
  assert.deepEqual(
    sorted.map((entry) => entry.c),
    [1, 2],
  )

  const unused = await changeSchema(server, path, { table_schema: 'a C(5), b L, c I' })
  assert.equal(unused.status, 200, unused.text)
  await makeEntry(server, url, { b: true })
  assert.deepEqual(entriesOf(await listEntries(server, url, { qry: { b: null } })).length, 2)
})

test('dropping a column with only default values needs no confirmation', async () => {
  const { path, url } = await makeTable(server, 'a C(5)')
  await makeEntries(server, url, [{ a: 'x' }, { a: 'y' }])
  const schema = 'a C(5), n I NOTNULL DEFAULT 5, day D DEFDATE'
  await changeSchema(server, path, { table_schema: schema })
  assert.equal((await changeSchema(server, path, { table_schema: 'a C(5)' })).status, 200)

  await changeSchema(server, path, { table_schema: schema })
  await server.call('POST', `${url}/1`, { json: { n: 6 } })
  const refused = await changeSchema(server, path, { table_schema: 'a C(5)' })
  assert.deepEqual(assertProblem(refused, 'schema-conflict').plan.dropped, [
    { name: 'n', entries: 1 },
    { name: 'day', entries: 0 },
  ])
})

test('null is stored in a nullable column, whatever its default', async () => {
  const { url } = await makeTable(
    server,
    'n I DEFAULT 5, m I NOTNULL DEFAULT 6, day D DEFDATE, at T NOTNULL DEFTIMESTAMP',
  )
  const entry = await makeEntry(server, url, { n: null, m: null, day: null, at: null })
  assert.deepEqual([entry.n, entry.m, entry.day], [null, 6, null])
  assert.equal(entry.at, entry.date_added)
  const given = await makeEntry(server, url, {})
  assert.deepEqual([given.n, given.m], [5, 6])
  assert.equal(given.day, given.date_added.slice(0, 10))
  const cleared = await server.call('POST', `${url}/2`, { json: { n: null, day: null } })
  assert.deepEqual([cleared.body.n, cleared.body.day], [null, null])
})

test('title_field follows a renamed column', async () => {
  const { path } = await makeTable(server, 'a C(5), b C(5)', { title_field: 'a' })
  const rename = { table_schema: 'x C(5), b C(5)', columns: [{ name: 'x', renamed_from: 'a' }] }
  const carried = await changeSchema(server, path, rename)
  assert.equal(carried.status, 200, carried.text)
  assert.equal(carried.body.title_field, 'x')
  const swap = {
    table_schema: 'b C(5), x C(5)',
    columns: [
      { name: 'b', renamed_from: 'x' },
      { name: 'x', renamed_from: 'b' },
    ],
  }
  assert.equal((await changeSchema(server, path, swap)).body.title_field, 'b')
  const named = { table_schema: 'b C(5), y C(5)', columns: [{ name: 'y', renamed_from: 'x' }] }
  const other = await changeSchema(server, path, { ...named, title_field: 'y' })
  assert.equal(other.body.title_field, 'y')
})

test('event_title is a valid title of a calendar, but not of a datatable without such a column', async () => {
  const json = { name: newName('t'), table_schema: 'a C(5)', title_field: 'event_title' }
  const refused = await server.call('POST', '/api/v2/datatable', { json })
  assert.deepEqual(pointersOf(refused), ['/title_field'])
  const calendar = await make(server, 'calendar', {
    name: newName('c'),
    title_field: 'event_title',
  })
  assert.equal(calendar.title_field, 'event_title')
})

test('columns in a body must agree with table_schema', async () => {
  const { record, path } = await makeTable(server, 'a C(5) NOTNULL, b N(5.2)')
  const again = await server.call('POST', path, { json: (await read(server, path)).body })
  assert.equal(again.status, 200, again.text)
  const { columns } = record
  const create = (json: object) =>
    server.call('POST', '/api/v2/datatable', { json: { name: newName('t'), ...json } })
  const same = await create({ table_schema: 'a C(5) NOTNULL, b N(5.2)', columns })
  assert.equal(same.status, 201, same.text)
  for (const json of [
    { table_schema: 'a C(6)', columns },
    { table_schema: 'a C(6)', columns: [] },
    { table_schema: 'a C(6)', columns: [{ name: 'a', renamed_from: 'b' }] },
  ])
    assert.deepEqual(pointersOf(await create(json)), ['/columns'])
  const change = { table_schema: 'a C(6) NOTNULL, b N(5.2)', columns }
  assert.equal((await changeSchema(server, path, change)).status, 200)
})

test('a decimal default keeps its digits', async () => {
  const { record, url } = await makeTable(server, "a C(5), p N(5.2) DEFAULT '123.40'")
  assert.equal(record.columns[1].default, '123.40')
  assert.equal((await makeEntry(server, url, {})).p, '123.40')
})

test('a module with the maximum number of columns can be sent back as it was read, with all columns renamed', async () => {
  const names = Array.from({ length: 256 }, (_, at) => `column_${at}`)
  const { path } = await makeTable(server, names.map((name) => `${name} N(9.2)`).join(', '))
  const before = await read(server, path)
  const answer = await server.call('POST', path, { json: before.body })
  assert.deepEqual([answer.status, answer.body], [200, before.body])

  const table_schema = names.map((name) => `new_${name} N(9.2)`).join(', ')
  const columns = before.body.columns.map((column: any) => ({
    ...column,
    name: `new_${column.name}`,
    renamed_from: column.name,
  }))
  const renamed = await changeSchema(server, path, { table_schema, columns })
  assert.equal(renamed.status, 200, renamed.text)
  assert.equal(renamed.body.columns[255].name, 'new_column_255')
})

test('a table_schema has at most 65,536 characters', async () => {
  const send = (length: number) => {
    const json = { name: newName('table'), table_schema: 'a C(5)'.padEnd(length) }
    return server.call('POST', '/api/v2/datatable', { json })
  }
  assert.equal((await send(65_536)).status, 201)
  assert.deepEqual(pointersOf(await send(65_537)), ['/table_schema'])
})
