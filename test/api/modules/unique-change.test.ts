// A column of a table with entries becomes unique, or is no longer unique.

import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { assertProblem, read } from '../../helpers/content.ts'
import {
  changeSchema,
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

const post = (url: string, json: unknown) => server.call('POST', url, { json })
const change = ({ path }: MadeModule, table_schema: string, more: object = {}, query = '') =>
  changeSchema(server, path, { table_schema, ...more }, query)

async function makeFilled(schema: string, entries: readonly object[]): Promise<MadeModule> {
  const table = await makeTable(server, schema)
  await makeEntries(server, table.url, entries)
  return table
}

test('a column without duplicates becomes unique and then refuses duplicates', async () => {
  const table = await makeFilled('a C(20), b I', [{ a: 'x' }, { a: 'y' }, {}, {}])
  const before = await read(server, `${table.url}/1`)
  const { status, body } = await change(table, 'a C(20) UNIQUE, b I')
  assert.deepEqual([status, body.columns[0].isUnique], [200, true])
  assert.deepEqual(await read(server, `${table.url}/1`), before)
  assertProblem(await post(table.url, { a: 'x' }), 'not-unique')
  assertProblem(await post(`${table.url}/2`, { a: 'x' }), 'not-unique')
  assert.equal((await post(table.url, { a: 'z' })).status, 201)
})

test('entries that share a value prevent the change and are counted and named', async () => {
  const rows = ['x', 'y', 'x', null, 'x', 'y', null, 'X'].map((a) => ({ a, b: 1 }))
  const table = await makeFilled('a C(20), b I', rows)
  const unique = [{ name: 'a', entries: 3, examples: [3, 5, 6] }]
  const planned = await change(table, 'a C(20) UNIQUE, b I', {}, '?dry_run=true')
  assert.deepEqual([planned.status, planned.body.plan.unique], [200, unique])

  const refused = assertProblem(await change(table, 'a C(20) UNIQUE, b I'), 'schema-conflict')
  assert.deepEqual(refused.plan.unique, unique)
  assert.match(
    refused.detail,
    /^3 entries in column a would not be unique.*orderStr.*a: 3, 5, 6\.$/,
  )
  assert.equal((await post(table.url, { a: 'x' })).status, 201)

  const key = assertProblem(await change(table, 'a C(20), b I KEY'), 'schema-conflict')
  assert.deepEqual(key.plan.unique, [{ name: 'b', entries: 7, examples: [2, 3, 4, 5, 6, 7, 8] }])
  assert.deepEqual(key.plan.required, [{ name: 'b', entries: 1 }])
})

test('nulls prevent KEY but not UNIQUE', async () => {
  const table = await makeFilled('a C(20), b I', [{ a: 'x' }, {}, {}])
  const refused = assertProblem(await change(table, 'a C(20) KEY, b I'), 'schema-conflict')
  assert.deepEqual(refused.plan.required, [{ name: 'a', entries: 2 }])
  assert.equal((await change(table, 'a C(20) UNIQUE, b I')).status, 200)
})

test('values are compared exactly: long texts with a common prefix, and decimals that an index rounds', async () => {
  const long = 'ä'.repeat(500)
  const rows = [
    { a: `${long}1`, n: '12345678901234567890.1' },
    { a: `${long}2`, n: '12345678901234567890.2' },
    { a: long, n: '12345678901234567890.3' },
  ]
  const table = await makeFilled('a C(900), n N(30.2)', rows)
  assert.equal((await change(table, 'a C(900) UNIQUE, n N(30.2) UNIQUE')).status, 200)
  assert.equal((await change(table, 'a C(900), n N(30.2)')).status, 200)
  await makeEntries(server, table.url, [rows[1] ?? {}, { n: '12345678901234567890.10' }])
  const refused = assertProblem(
    await change(table, 'a C(900) UNIQUE, n N(30.2) UNIQUE'),
    'schema-conflict',
  )
  assert.deepEqual(
    refused.plan.unique.map(({ name, entries }: any) => [name, entries]),
    [
      ['a', 1],
      ['n', 2],
    ],
  )
})

test('a column can be renamed, widened and made unique in one step', async () => {
  const table = await makeFilled('a I, b I', [{ a: 1 }, { a: 2 }, { a: 2 }])
  const columns = [{ name: 'c', renamed_from: 'a' }]
  const refused = await change(table, 'c N(12.2) UNIQUE, b I', { columns })
  assert.deepEqual(assertProblem(refused, 'schema-conflict').plan.unique[0], {
    name: 'c',
    entries: 1,
    examples: [3],
  })
  await server.call('DELETE', `${table.url}/3`)
  assert.equal((await change(table, 'c N(12.2) UNIQUE, b I', { columns })).status, 200)
  assertProblem(await post(table.url, { c: '2.0' }), 'not-unique')
})

test('a column accepts duplicates as soon as UNIQUE is removed', async () => {
  const table = await makeFilled('a C(20) UNIQUE', [{ a: 'x' }])
  assert.equal((await change(table, 'a C(20)')).status, 200)
  assert.equal((await post(table.url, { a: 'x' })).status, 201)
  assertProblem(await change(table, 'a C(20) UNIQUE'), 'schema-conflict')
})

test('a new UNIQUE column on existing entries is unique at once', async () => {
  const table = await makeFilled('a I', [{ a: 1 }, { a: 2 }])
  assert.equal((await change(table, 'a I, b C(20) UNIQUE')).status, 200)
  await makeEntry(server, table.url, { b: 'x' })
  assertProblem(await post(`${table.url}/1`, { b: 'x' }), 'not-unique')
  assert.equal((await post(`${table.url}/1`, { b: 'y' })).status, 200)
  const refused = await change(table, 'a I, b C(20) UNIQUE, c I UNIQUE DEFAULT 5')
  assert.match(assertProblem(refused, 'invalid-content').detail, /3 entries.*DEFAULT/)
})

test('a long text becomes unique in two steps: first a short text, then UNIQUE', async () => {
  const table = await makeFilled('a X', [{ a: 'x' }, { a: 'y' }, {}])
  const refused = await change(table, 'a C(20) UNIQUE')
  assert.match(
    assertProblem(refused, 'invalid-content').detail,
    /2 entries.*not indexed yet.* C without UNIQUE first/,
  )
  const planned = await change(table, 'a C(20) UNIQUE', {}, '?dry_run=true')
  assert.deepEqual(planned.body.plan.refused.length, 1)
  assert.equal((await change(table, 'a C(20)')).status, 200)
  assert.equal((await change(table, 'a C(20) UNIQUE')).status, 200)
  assertProblem(await post(table.url, { a: 'x' }), 'not-unique')
})

test('an empty table accepts any change at once', async () => {
  const table = await makeTable(server, 'a X')
  assert.equal((await change(table, 'a C(20) UNIQUE, b R AUTO, c I UNIQUE DEFAULT 5')).status, 200)
  assert.equal((await makeEntry(server, table.url, { a: 'x' })).b, 1)
  assertProblem(await post(table.url, { a: 'x', c: 1 }), 'not-unique')
})

test('values of a new column are unique while its index is being built', async () => {
  const table = await makeFilled(
    'a I',
    Array.from({ length: 6_000 }, () => ({ a: 1 })),
  )
  assert.equal((await change(table, 'a I, b C(20) UNIQUE')).status, 200)
  const columns = [{ name: 'c', renamed_from: 'b' }]
  const renamed = await change(table, 'a I, c C(20) UNIQUE', { columns })
  const name = renamed.status === 200 ? 'c' : 'b'
  if (renamed.status !== 200) {
    assertProblem(renamed, 'unavailable')
    assert.equal(renamed.headers['retry-after'], '1')
  }
  assert.equal((await post(`${table.url}/5999`, { [name]: 'x' })).status, 200)
  for (const id of [1, 3_000, 6_000])
    assertProblem(await post(`${table.url}/${id}`, { [name]: 'x' }), 'not-unique')
})

test('no duplicate is stored while the entries are compared, by one write or by several', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => ({ a: `v${at}`, b: at }))
  const table = await makeFilled('a C(20), b I', rows)
  const writes: readonly (() => Promise<{ readonly status: number }>)[] = [
    () => post(table.url, { a: 'v2999' }),
    () => post(`${table.url}/2998`, { a: 'v1' }),
    () => post(table.url, [{ a: 'twin' }, { a: 'twin' }]),
    () => post(`${table.url}/1`, { a: 'v7' }),
  ]
  for (let round = 0; round < 8; round += 1) {
    const changing = change(table, 'a C(20) UNIQUE, b I')
    for (let turns = 0; turns < round * 3; turns += 1) await turn()
    const written = await writes[round % writes.length]?.()
    const changed = await changing
    const values = (await listAll(server, table.url, { fields: 'a' })).map((entry) => entry.a)
    const shared = values.length - new Set(values).size
    assert.ok([200, 201, 409].includes(written?.status ?? 0))
    assert.equal(changed.status, shared === 0 ? 200 : 409, changed.text)
    assert.equal(written?.status === 409, shared === 0)

    assert.equal((await change(table, 'a C(20), b I')).status, 200)
    for (const [at, { datatable_entry_id: id }] of (await listAll(server, table.url)).entries())
      if (id <= 3_000 && at < 3_000 && values[at] !== `v${id - 1}`)
        await post(`${table.url}/${id}`, { a: `v${id - 1}` })
      else if (id > 3_000) await server.call('DELETE', `${table.url}/${id}`)
  }
})

test('writes of distinct values do not delay the change', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => ({ a: `v${at}` }))
  const table = await makeFilled('a C(20)', rows)
  let isOver = false
  async function write(): Promise<void> {
    for (let at = 0; !isOver; at += 1) {
      const { status } = await post(table.url, { a: `new ${at}` })
      assert.equal(status, 201)
    }
  }
  const writing = write()
  const changed = await change(table, 'a C(20) UNIQUE')
  isOver = true
  await writing
  assert.equal(changed.status, 200, changed.text)
})
