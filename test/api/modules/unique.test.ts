// Columns whose values are unique in their table: UNIQUE and KEY.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, read } from '../../helpers/content.ts'
import {
  entriesOf,
  listAll,
  listEntries,
  type MadeModule,
  makeCalendar,
  makeEntry,
  makeTable,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let table: MadeModule
before(async () => {
  server = await startTestServer()
  table = await makeTable(
    server,
    'code C(2000) UNIQUE, price N(30.4) UNIQUE, serial I8 UNIQUE, a I',
  )
})
after(() => server.close())

const post = (url: string, json: unknown) => server.call('POST', url, { json })

/** Returns the pointers and details of values that are not unique. */
function sharedOf(answer: Answer): readonly unknown[] {
  return assertProblem(answer, 'not-unique').errors.map((fault: any) => [
    fault.pointer,
    fault.detail,
  ])
}

const heldBy = (id: number) => `must be unique, and datatable_entry_id ${id} has the same value`

test('the columns of a datatable show which are unique, and table_schema is unchanged', async () => {
  const schema = 'a C(9) KEY, b I UNIQUE, c I'
  const { record } = await makeTable(server, schema)
  assert.equal(record.table_schema, schema)
  const flags = record.columns.map(({ name, isUnique, isRequired }: any) => [
    name,
    isUnique,
    isRequired,
  ])
  assert.deepEqual(flags, [
    ['a', true, true],
    ['b', true, false],
    ['c', false, false],
  ])
})

test('a create with the value of another entry is refused, and the error names that entry', async () => {
  const first = await makeEntry(server, table.url, { code: 'one', a: 1 })
  const refused = await post(table.url, { code: 'one', a: 1 })
  const detail = heldBy(first.datatable_entry_id)
  assert.deepEqual(sharedOf(refused), [['/code', detail]])
  assert.equal(refused.body.detail, `/code ${detail}.`)
  assert.deepEqual(entriesOf(await listEntries(server, table.url, { qry: { code: 'one' } })), [
    first,
  ])
})

test('an update to the value of another entry is refused, and to its own value accepted', async () => {
  const left = await makeEntry(server, table.url, { code: 'left', serial: 1 })
  const right = await makeEntry(server, table.url, { code: 'right', serial: 2 })
  const url = `${table.url}/${right.datatable_entry_id}`
  const before = await read(server, `${url}?fields=*`)
  const holder = heldBy(left.datatable_entry_id)
  assert.deepEqual(sharedOf(await post(url, { serial: 1, code: 'left', a: 5 })), [
    ['/code', holder],
    ['/serial', holder],
  ])
  assert.deepEqual(await read(server, `${url}?fields=*`), before)
  assert.equal((await post(url, { ...right, a: 6 })).status, 200)
  assert.equal((await post(url, { code: 'right' })).status, 200)

  // Another entry can take a value that was released.
  assert.equal((await post(`${table.url}/${left.datatable_entry_id}`, { code: null })).status, 200)
  assert.equal((await post(url, { code: 'left' })).status, 200)
})

test('the value of a deleted entry is free again', async () => {
  const first = await makeEntry(server, table.url, { code: 'gone' })
  assert.equal((await post(table.url, { code: 'gone' })).status, 409)
  await server.call('DELETE', `${table.url}/${first.datatable_entry_id}`)
  assert.equal((await post(table.url, { code: 'gone' })).status, 201)
})

test('any number of entries may have null', async () => {
  assert.equal((await post(table.url, [{ a: 1 }, { code: null, a: 2 }, {}])).status, 201)
  assert.equal((await post(table.url, { price: null })).status, 201)
})

test('an entry can get its own value in another form', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { price: '77.50' })
  const changed = await post(`${table.url}/${id}`, { price: '77.5' })
  assert.deepEqual([changed.status, changed.body.price], [200, '77.5'])
})

test('a list is refused as a whole, with each value that exists already or is repeated', async () => {
  const { datatable_entry_id: id } = await makeEntry(server, table.url, { code: 'x', serial: 70 })
  const count = async () => (await listAll(server, table.url)).length
  const before = await count()
  const rows = [
    { code: 'y' },
    { code: 'x', serial: 70 },
    { code: 'y' },
    { code: 'z' },
    { code: 'y' },
  ]
  assert.deepEqual(sharedOf(await post(table.url, rows)), [
    ['/1/code', heldBy(id)],
    ['/1/serial', heldBy(id)],
    ['/2/code', 'must be unique, and /0 of this list has the same value'],
    ['/4/code', 'must be unique, and /0 of this list has the same value'],
  ])
  assert.equal(await count(), before)
  assert.equal((await post(table.url, [{ code: 'y' }, { code: 'z' }])).status, 201)
})

test('texts are compared as they are stored: case, spaces and Unicode forms are significant', async () => {
  const texts = ['Case', 'case', 'case ', 'é', 'e\u0301', '']
  for (const code of texts) assert.equal((await post(table.url, { code })).status, 201, code)
  for (const code of texts) {
    assert.equal((await post(table.url, { code })).status, 409, code)
    // A search normalizes its text to NFC and finds both forms.
    const found = entriesOf(await listEntries(server, table.url, { qry: { code } }))
    assert.equal(found.length, code.normalize('NFC') === 'é' ? 2 : 1)
  }
})

test('long texts are compared in full and not by their prefix in the index', async () => {
  const long = 'é'.repeat(400)
  for (const code of [`${long}1`, `${long}2`, long, `${long}1 `])
    assert.equal((await post(table.url, { code })).status, 201)
  for (const code of [`${long}1`, `${long}2`, long])
    assert.equal((await post(table.url, { code })).status, 409)
})

test('numbers are compared by their exact value, even if the index rounds them', async () => {
  const prices = ['12345678901234567890.0001', '12345678901234567890.0002', '1.50', 0.1]
  for (const price of prices) assert.equal((await post(table.url, { price })).status, 201)
  for (const price of [...prices, 1.5, '1.5', '0.1000'])
    assert.equal((await post(table.url, { price })).status, 409, String(price))

  for (const serial of ['9007199254740993', '9007199254740992', '9007199254740994'])
    assert.equal((await post(table.url, { serial })).status, 201)
  assert.equal((await post(table.url, { serial: '9007199254740993' })).status, 409)
})

test('every type except long text can be unique', async () => {
  const values = {
    c: 'a',
    i: 5,
    f: -0.5,
    n: '1.10',
    l: false,
    d: '2026-01-31',
    t: '2026-01-31T12:00:00Z',
    e: 'y',
  }
  const types = ['c C(9)', 'i I', 'f F', 'n N(9.2)', 'l L', 'd D', 't T', "e ENUM('x','y')"]
  const { url } = await makeTable(server, types.map((type) => `${type} UNIQUE`).join(', '))
  assert.equal((await post(url, values)).status, 201)
  const same = {
    ...values,
    n: 1.1,
    l: 0,
    d: '2026-01-31T00:00:00Z',
    t: '2026-01-31T13:00:00+01:00',
  }
  const pointers = sharedOf(await post(url, same)).map((fault: any) => fault[0])
  assert.deepEqual(
    pointers,
    Object.keys(values).map((name) => `/${name}`),
  )
})

test('a default is unique too, so only one entry can have it', async () => {
  const { url } = await makeTable(server, 'a I UNIQUE DEFAULT 7, b T UNIQUE DEFTIMESTAMP')
  assert.equal((await post(url, {})).status, 201)
  assert.deepEqual(sharedOf(await post(url, { b: '2026-01-01' })), [['/a', heldBy(1)]])
  const twice = sharedOf(await post(url, [{ a: 1 }, { a: 2 }])).map((fault: any) => fault[0])
  assert.deepEqual(twice, ['/1/b'])
})

test('exactly one of concurrent creates with the same value succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      post(table.url, at % 2 === 0 ? { code: 'race' } : [{ code: 'race' }, { code: `own ${at}` }]),
    ),
  )
  const statuses = answers.map((answer) => answer.status)
  assert.equal(statuses.filter((status) => status === 201).length, 1)
  assert.equal(statuses.filter((status) => status === 409).length, 11)
  assert.equal(entriesOf(await listEntries(server, table.url, { qry: { code: 'race' } })).length, 1)
})

test('exactly one of concurrent updates to the same value succeeds', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => makeEntry(server, table.url, {})))
  const answers = await Promise.all(
    made.map((entry) => post(`${table.url}/${entry.datatable_entry_id}`, { code: 'one of us' })),
  )
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409, 409, 409])
})

test('faults of a body are reported before duplicates, and a KEY column needs a value', async () => {
  const own = await makeTable(server, 'a C(9) KEY, b I')
  assert.equal((await post(own.url, { a: 'x' })).status, 201)
  assertProblem(await post(own.url, { a: 'x', b: 'y' }), 'invalid-content')
  assertProblem(await post(own.url, { b: 1 }), 'invalid-content')
  assertProblem(await post(`${own.url}/1`, { a: null }), 'invalid-content')
  assertProblem(await post(own.url, { a: 'x' }), 'not-unique')
})

test('entries of a calendar can be unique too', async () => {
  const { url } = await makeCalendar(server, { table_schema: 'room C(9) UNIQUE' })
  const event = { event_title: 'a', start_time: '2026-01-02', room: 'r1' }
  assert.equal((await post(url, event)).status, 201)
  assert.deepEqual(sharedOf(await post(url, event)), [
    ['/room', 'must be unique, and calendar_entry_id 1 has the same value'],
  ])
})

test('names may begin with a digit or _ and work like others', async () => {
  const own = await makeTable(server, '_a C(20) UNIQUE, 1a I')
  await makeEntry(server, own.url, { _a: 'x', '1a': 5 })
  await makeEntry(server, own.url, { _a: 'y', '1a': 4 })
  const [found] = await listAll(server, own.url, { qry: { '1a': { $gte: 5 }, _a: 'x' } })
  assert.deepEqual([found._a, found['1a']], ['x', 5])
  const sorted = await listAll(server, own.url, { orderStr: '1a', fields: '1a,_a' })
  assert.deepEqual(sorted, [
    { '1a': 4, _a: 'y' },
    { '1a': 5, _a: 'x' },
  ])
  const qualified = await listAll(server, own.url, { qry: { 'datatable_entry._a': 'y' } })
  assert.equal(qualified.length, 1)
})
