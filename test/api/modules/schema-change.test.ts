// Columns that are added, renamed, widened, narrowed and dropped while entries exist. Entries are never
// rewritten, so their ETags stay the same.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, pointersOf, read } from '../../helpers/content.ts'
import {
  changeSchema,
  entriesOf,
  listAll,
  listEntries,
  type MadeModule,
  makeEntries,
  makeEntry,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Makes a table with entries. `a` and `b` have a value in two of three entries. */
async function makeFilled(schema = 'a C(20), b I'): Promise<MadeModule> {
  const table = await makeTable(server, schema)
  await makeEntries(server, table.url, [{ a: 'one', b: 1 }, { a: 'two' }, { b: 3 }])
  return table
}

async function change(table: MadeModule, table_schema: string, more: object = {}, query = '') {
  const answer = await changeSchema(server, table.path, { table_schema, ...more }, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const renamed = (name: string, renamed_from: string) => ({ columns: [{ name, renamed_from }] })
const valuesOf = async (table: MadeModule, name: string, query: object = {}) =>
  (await listAll(server, table.url, { ...query })).map((entry) => entry[name])
const numbersOf = (table: MadeModule, query: object) => valuesOf(table, 'datatable_entry_id', query)

test('a new column is available at once, is null in existing entries, and can be searched and sorted', async () => {
  const table = await makeFilled()
  const before = await read(server, `${table.url}/1`)
  const body = await change(table, 'a C(20), b I, c C(9)')
  assert.deepEqual(
    body.columns.map((column: any) => column.name),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(await valuesOf(table, 'c'), [null, null, null])
  assert.deepEqual(await read(server, `${table.url}/1`), before)
  await makeEntry(server, table.url, { c: 'new' })
  assert.deepEqual(await numbersOf(table, { qry: { c: 'new' } }), [4])
  assert.deepEqual(await numbersOf(table, { qry: { c: null } }), [1, 2, 3])
  assert.deepEqual(await numbersOf(table, { orderStr: 'c', orderDir: 'DESC' }), [4, 3, 2, 1])
})

test('existing entries have the default of a new column', async () => {
  const table = await makeFilled()
  await change(table, 'a C(20), b I, c I NOTNULL DEFAULT 5, day D DEFDATE, at T DEFTIMESTAMP')
  const [entry] = await listAll(server, table.url)
  const { date_added } = entry
  assert.deepEqual([entry.c, entry.day, entry.at], [5, date_added.slice(0, 10), date_added])
  assert.deepEqual(await numbersOf(table, { qry: { c: 5 } }), [1, 2, 3])
  assert.deepEqual(
    await numbersOf(table, { qry: { at: date_added } }),
    await numbersOf(table, { qry: { date_added } }),
  )
})

test('a changed default applies to new entries; existing entries keep theirs and are found by it', async () => {
  const table = await makeFilled()
  await change(table, 'a C(20), b I, c I NOTNULL DEFAULT 5')
  await change(table, 'a C(20), b I, c I NOTNULL DEFAULT 9')
  await makeEntry(server, table.url, {})
  assert.deepEqual(await valuesOf(table, 'c'), [5, 5, 5, 9])
  assert.deepEqual(await numbersOf(table, { qry: { c: 5 } }), [1, 2, 3])
  assert.deepEqual(await numbersOf(table, { qry: { c: 9 } }), [4])
  await change(table, 'a C(20), b I, c I')
  assert.deepEqual(await valuesOf(table, 'c'), [5, 5, 5, 9])
})

test('a renamed column keeps its values, and its searches and entries do not change', async () => {
  const table = await makeFilled()
  const before = await read(server, `${table.url}/1`)
  await change(table, 'title C(20), b I', renamed('title', 'a'))
  assert.deepEqual(await read(server, `${table.url}/1`), before)
  assert.deepEqual(await valuesOf(table, 'title'), ['one', 'two', null])
  assert.deepEqual(await numbersOf(table, { qry: { title: 'two' } }), [2])
  assert.deepEqual(await numbersOf(table, { orderStr: 'title' }), [3, 1, 2])
  const gone = await server.call('GET', `${table.url}?${queryOf({ qry: { a: 'one' } })}`)
  assertProblem(gone, 'bad-qry')
  assert.deepEqual(pointersOf(await server.call('POST', table.url, { json: { a: 'x' } })), ['/a'])
})

test('columns can be renamed twice, renamed back, and swapped', async () => {
  const table = await makeFilled()
  await change(table, 'x C(20), b I', renamed('x', 'a'))
  await makeEntry(server, table.url, { x: 'four', b: 4 })
  await change(table, 'a C(20), b I', renamed('a', 'x'))
  assert.deepEqual(await valuesOf(table, 'a'), ['one', 'two', null, 'four'])
  const columns = [
    { name: 'a', renamed_from: 'b' },
    { name: 'b', renamed_from: 'a' },
  ]
  await change(table, 'b C(20), a I', { columns })
  assert.deepEqual(await valuesOf(table, 'b'), ['one', 'two', null, 'four'])
  assert.deepEqual(await valuesOf(table, 'a'), [1, null, 3, 4])
  assert.deepEqual(await numbersOf(table, { qry: { a: 3 } }), [3])
  assert.deepEqual(await numbersOf(table, { qry: { b: 'four' } }), [4])
})

test('dropping a column with values needs confirmation, and the error counts the values', async () => {
  const table = await makeFilled()
  const refused = await changeSchema(server, table.path, { table_schema: 'b I' })
  const problem = assertProblem(refused, 'schema-conflict')
  assert.deepEqual(problem.plan.dropped, [{ name: 'a', entries: 2 }])
  assert.match(problem.detail, /2 entries.*a.*confirm=drop/)
  assert.deepEqual(await valuesOf(table, 'a'), ['one', 'two', null])
  assertProblem(
    await changeSchema(server, table.path, { table_schema: 'b I' }, '?confirm=yes'),
    'bad-request',
  )

  await change(table, 'b I', {}, '?confirm=drop')
  assert.deepEqual(Object.keys((await listAll(server, table.url))[0]).includes('a'), false)
  await change(table, 'b I, c I')
  await change(table, 'b I')
})

test('a column whose entries all have its default is dropped without confirmation', async () => {
  const { path, url } = await makeTable(server, 'a I')
  await makeEntry(server, url, { a: 1 })
  const lists = `s SET('x','y') DEFAULT 'x', j JSON DEFAULT '{"q":1}', p POINT DEFAULT '[1,2]'`
  for (const table_schema of [`a I, ${lists}`, 'a I']) {
    const answer = await changeSchema(server, path, { table_schema })
    assert.equal(answer.status, 200, answer.text)
  }
})

test('a column that is added again after a drop is empty', async () => {
  const table = await makeFilled()
  await change(table, 'b I', {}, '?confirm=drop')
  await makeEntry(server, table.url, { b: 4 })
  await change(table, 'a C(20), b I')
  assert.deepEqual(await valuesOf(table, 'a'), [null, null, null, null])
  assert.deepEqual(await numbersOf(table, { qry: { a: 'one' } }), [])
  await server.call('POST', `${table.url}/1`, { json: { a: 'again' } })
  assert.deepEqual(await valuesOf(table, 'a'), ['again', null, null, null])
})

test('a name in another case is a new column unless it is a rename', async () => {
  const table = await makeFilled()
  const refused = await changeSchema(server, table.path, { table_schema: 'A C(20), b I' })
  assert.deepEqual(assertProblem(refused, 'schema-conflict').plan.dropped, [
    { name: 'a', entries: 2 },
  ])
  await change(table, 'A C(20), b I', renamed('A', 'a'))
  assert.deepEqual(await valuesOf(table, 'A'), ['one', 'two', null])
  await change(table, 'a C(20), b I', {}, '?confirm=drop')
  assert.deepEqual(await valuesOf(table, 'a'), [null, null, null])
  assert.deepEqual(await numbersOf(table, { qry: { a: null } }), [1, 2, 3])
})

test('a widened column accepts larger values, and old values are still found', async () => {
  const table = await makeFilled('a C(3), b I1')
  assert.equal((await server.call('POST', table.url, { json: { a: 'four' } })).status, 422)
  await change(table, 'a C(300), b N(12.2)')
  await makeEntry(server, table.url, { a: 'four', b: '1000.50' })
  assert.deepEqual(await numbersOf(table, { qry: { b: { $lte: 1 } } }), [1])
  assert.deepEqual(await numbersOf(table, { orderStr: 'b' }), [2, 1, 3, 4])
  assert.deepEqual(await numbersOf(table, { qry: { a: 'one' } }), [1])
})

test('a column becomes long text and short again, and its index is complete', async () => {
  const table = await makeFilled()
  await change(table, 'a X, b I')
  const sorted = await server.call('GET', `${table.url}?orderStr=a`)
  assertProblem(sorted, 'bad-qry')
  await server.call('POST', `${table.url}/1`, { json: { a: 'changed' } })
  await makeEntry(server, table.url, { a: 'later' })
  await server.call('DELETE', `${table.url}/2`)
  await change(table, 'a C(20), b I')
  assert.deepEqual(await numbersOf(table, { qry: { a: 'changed' } }), [1])
  assert.deepEqual(await numbersOf(table, { qry: { a: 'one' } }), [])
  assert.deepEqual(await numbersOf(table, { qry: { a: 'later' } }), [4])
  assert.deepEqual(await numbersOf(table, { orderStr: 'a' }), [3, 1, 4])
})

test('a column is narrowed if every value fits; otherwise the error counts the other values', async () => {
  const table = await makeFilled()
  await makeEntry(server, table.url, { a: 'too long for this', b: 300 })
  const json = { table_schema: 'a C(3), b I1' }
  const { plan } = assertProblem(await changeSchema(server, table.path, json), 'schema-conflict')
  assert.deepEqual(plan.narrowed, [
    { name: 'a', entries: 1, nulls: 1, examples: [4] },
    { name: 'b', entries: 1, nulls: 1, examples: [4] },
  ])
  await server.call('POST', `${table.url}/4`, { json: { a: 'ok', b: 3 } })
  await change(table, json.table_schema)
  assert.deepEqual(await valuesOf(table, 'a'), ['one', 'two', null, 'ok'])
})

test('a column becomes NOTNULL if every entry has a value; otherwise the error counts the nulls', async () => {
  const table = await makeFilled()
  const json = { table_schema: 'a C(20) NOTNULL, b I' }
  const refused = await changeSchema(server, table.path, json)
  const { plan, detail } = assertProblem(refused, 'schema-conflict')
  assert.deepEqual(plan.required, [{ name: 'a', entries: 1 }])
  assert.match(detail, /1 entry.*a/)
  await server.call('POST', `${table.url}/3`, { json: { a: 'three' } })
  await change(table, json.table_schema)
  assert.deepEqual(pointersOf(await server.call('POST', table.url, { json: {} })), ['/a'])
  const nulled = await server.call('POST', `${table.url}/1`, { json: { a: null } })
  assert.deepEqual(pointersOf(nulled), ['/a'])
})

test('a new NOTNULL column needs a default if the table has entries', async () => {
  const table = await makeFilled()
  const json = { table_schema: 'a C(20), b I, c I NOTNULL' }
  const { plan, detail } = assertProblem(
    await changeSchema(server, table.path, json),
    'schema-conflict',
  )
  assert.deepEqual(plan.required, [{ name: 'c', entries: 3 }])
  assert.match(detail, /DEFAULT/)
  const empty = await makeTable(server, 'a C(20), b I')
  await change(empty, json.table_schema)
  assert.deepEqual(pointersOf(await server.call('POST', empty.url, { json: {} })), ['/c'])
})

const REFUSED: readonly (readonly [string, object, readonly string[]])[] = [
  ['an invalid table_schema', { table_schema: 'a C(20), b I NOT NULL' }, ['/table_schema']],
  ['no columns', { table_schema: '' }, ['/table_schema']],
  ['null', { table_schema: null }, ['/table_schema']],
  ['a rename to a missing column', renamed('x', 'a'), ['/columns']],
  [
    'a rename from a missing column',
    { table_schema: 'a C(20), b I, x I', ...renamed('x', 'y') },
    ['/columns'],
  ],
  ['a rename that is not an object', { columns: ['a'] }, ['/columns']],
  [
    'a title_field of another name',
    { table_schema: 'x C(20), b I', title_field: 'y', ...renamed('x', 'a') },
    ['/title_field'],
  ],
  ['a title_field that is dropped', { table_schema: 'b I' }, ['/title_field']],
  ['a title_field of calendars', { title_field: 'event_title' }, ['/title_field']],
  ['other columns', { columns: [{ name: 'a', type: 'I' }] }, ['/columns']],
  ['no columns of its own', { columns: [] }, ['/columns']],
  [
    'a rename with another type',
    {
      table_schema: 'x C(20), b I',
      columns: [{ name: 'x', renamed_from: 'a', type: 'I' }, { name: 'b' }],
    },
    ['/columns'],
  ],
]

for (const [what, json, pointers] of REFUSED) {
  test(`a change to ${what} is refused at ${pointers.join(' ')}, and changes nothing`, async () => {
    const table = await makeFilled()
    await server.call('POST', table.path, { json: { title_field: 'a' } })
    const before = await stateOf(table)
    const answer = await changeSchema(server, table.path, json, '?confirm=drop')
    assert.deepEqual(pointersOf(answer), pointers)
    assert.deepEqual(await stateOf(table), before)
  })
}

/** Returns everything that a client can see of a module. */
async function stateOf(table: MadeModule): Promise<unknown> {
  return {
    record: await read(server, table.path),
    entries: await listEntries(server, table.url),
    single: await read(server, `${table.url}/1?fields=*`),
    sorted: entriesOf(await listEntries(server, table.url, { orderStr: 'b', qry: { b: 1 } })),
  }
}

test('a dry run returns the plan, even a refused one, and changes nothing', async () => {
  const table = await makeFilled()
  const before = await stateOf(table)
  const plan = async (json: object) => {
    const answer = await changeSchema(server, table.path, json, '?dry_run=true')
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await stateOf(table), before)
    return answer.body.plan
  }
  const nothing = {
    added: [],
    renamed: [],
    widened: [],
    dropped: [],
    narrowed: [],
    required: [],
    retyped: [],
    unique: [],
    references: [],
    checks: [],
    refused: [],
  }
  assert.deepEqual(await plan({}), nothing)
  assert.deepEqual(await plan({ name: 'other' }), nothing)
  assert.deepEqual(await plan({ table_schema: 'a C(2) NOTNULL, c I, d I NOTNULL' }), {
    ...nothing,
    added: ['c', 'd'],
    dropped: [{ name: 'b', entries: 2 }],
    narrowed: [{ name: 'a', entries: 2, nulls: 2, examples: [1, 2] }],
    required: [
      { name: 'd', entries: 3 },
      { name: 'a', entries: 3 },
    ],
  })
  const other = await plan({ table_schema: 'x C(30), b D', ...renamed('x', 'a') })
  assert.deepEqual(other.renamed, [{ from: 'a', to: 'x' }])
  assert.deepEqual(other.widened, ['x'])
  assert.deepEqual(other.retyped, [{ name: 'b', entries: 2, nulls: 2, examples: [1, 3] }])
})

test('a change of columns honors If-Match, and a stale one changes nothing', async () => {
  const table = await makeFilled()
  const { etag } = await read(server, table.path)
  await server.call('POST', table.path, { json: { title: 'changed' } })
  const json = { table_schema: 'b I' }
  const stale = { json, headers: { 'if-match': etag } }
  assertProblem(
    await server.call('POST', `${table.path}?confirm=drop`, stale),
    'precondition-failed',
  )
  assert.deepEqual(await valuesOf(table, 'a'), ['one', 'two', null])
})

test('an update of an entry after a change of columns stores a complete entry', async () => {
  const table = await makeFilled()
  await change(table, 'title C(20), c I DEFAULT 7', renamed('title', 'a'), '?confirm=drop')
  const answer = await server.call('POST', `${table.url}/1`, { json: { title: 'new' } })
  const { title, c, b } = answer.body
  assert.deepEqual([title, c, b], ['new', 7, undefined])
  const back = await read(server, `${table.url}/2?fields=*`)
  const same = await server.call('POST', `${table.url}/2`, { json: back.body })
  assert.deepEqual([same.status, same.body], [200, back.body])
})
