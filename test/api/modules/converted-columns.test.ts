// Columns whose type changes, or whose size shrinks, while entries have values. A lossless change is applied
// at once. Any other change reports the number of losses and requires ?confirm=drop. Entries are never
// rewritten.

import assert from 'node:assert/strict'
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

const valuesOf = async (table: MadeModule, query: object = {}) =>
  (await listAll(server, table.url, { ...query })).map((entry) => entry.a)
const numbersOf = async (table: MadeModule, query: object) =>
  (await listAll(server, table.url, { ...query })).map((entry) => entry.datatable_entry_id)

async function makeFilled(type: string, values: readonly unknown[]): Promise<MadeModule> {
  const table = await makeTable(server, `a ${type}, b C(5)`)
  await makeEntries(server, table.url, [{ b: 'none' }, ...values.map((a) => ({ a }))])
  return table
}

const change = (table: MadeModule, type: string, query = '') =>
  changeSchema(server, table.path, { table_schema: `a ${type}, b C(5)` }, query)

/** From, to, values before, values after. The test also searches for all values. */
const KEPT: readonly (readonly [string, string, readonly unknown[], readonly unknown[]])[] = [
  ['C(5)', 'C(9)', ['abcde'], ['abcde']],
  ['C(9)', 'C(5)', ['abcde'], ['abcde']],
  ['I', 'N(12.2)', [5, -7], ['5', '-7']],
  ['I', 'N(4.2)', [5, 99], ['5', '99']],
  ['I', 'C(4)', [5, -123], ['5', '-123']],
  ['I', 'F', [5], [5]],
  ['I8', 'C(20)', ['9223372036854775807', 1], ['9223372036854775807', '1']],
  ['I8', 'F', [5], [5]],
  ['I8', 'I1', [127], [127]],
  ['F', 'N(9.3)', [1.5, 1e3], ['1.5', '1000']],
  ['F', 'I', [3], [3]],
  ['N(9.2)', 'F', ['1.50', '2'], [1.5, 2]],
  ['N(9.2)', 'C(9)', ['1.50'], ['1.50']],
  ['N(9.2)', 'I', ['7.00'], [7]],
  ['N(9.2)', 'N(9.1)', ['1.50'], ['1.50']],
  ['L', 'C(5)', [true, false], ['true', 'false']],
  ['L', 'I1', [true, false], [1, 0]],
  ['I', 'L', [1, 0], [true, false]],
  ['C(5)', 'L', ['1', 'FALSE', 'true'], [true, false, true]],
  ['C(9)', 'I', ['5', '-17'], [5, -17]],
  ['C(9)', 'N(5.2)', ['1.50'], ['1.50']],
  ['C(10)', 'D', ['2024-02-29'], ['2024-02-29']],
  [
    'C(20)',
    'T',
    ['2024-02-29', '2024-02-29T12:00:00Z'],
    ['2024-02-29T00:00:00.000Z', '2024-02-29T12:00:00.000Z'],
  ],
  ['D', 'T', ['2024-02-29'], ['2024-02-29T00:00:00.000Z']],
  ['T', 'D', ['2024-02-29T00:00:00.000Z'], ['2024-02-29']],
  ['D', 'C(10)', ['2024-02-29'], ['2024-02-29']],
  ['D', 'X', ['2024-02-29'], ['2024-02-29']],
  ['X', 'I', ['12'], [12]],
  ['I', "ENUM('1','2')", [1, 2], ['1', '2']],
  ["ENUM('a','b, c')", "SET('a','b, c')", ['a', 'b, c'], [['a'], ['b, c']]],
  ['C(20)', "SET('a','b')", ['a,b', 'b'], [['a', 'b'], ['b']]],
  ["SET('a','b, c')", 'C(20)', [['a'], ['b, c', 'a'], []], ['a', '["b, c","a"]', '']],
  ["SET('a','b')", "ENUM('a','b')", [['b']], ['b']],
  ["SET('a','b')", 'JSON', [['b', 'a']], [['b', 'a']]],
  ['X', 'JSON', ['{"a": [1, "x y"]}', '5'], [{ a: [1, 'x y'] }, 5]],
  ['JSON', 'X', [{ a: [1, 'x'] }, 'text', 5], ['{"a":[1,"x"]}', '"text"', '5']],
  ['N(9.2)', 'JSON', ['1.50'], ['1.50']],
  ['JSON', 'I', [5, '6'], [5, 6]],
  [
    'C(20)',
    'POINT',
    ['13.4,52.5', '-1.5, 2'],
    [
      [13.4, 52.5],
      [-1.5, 2],
    ],
  ],
  ['POINT', 'C(20)', [[13.4, -52.5]], ['13.4,-52.5']],
  ['POINT', 'JSON', [[13.4, -52.5]], [[13.4, -52.5]]],
  ['C(20)', 'EMAIL', ['ada@example.com'], ['ada@example.com']],
  ['X', 'URL', ['https://a.example/'], ['https://a.example/']],
  ['URL', 'X', ['https://a.example/'], ['https://a.example/']],
  ['C(9)', 'MD', ['# A'], ['# A']],
  [
    'C(36)',
    'UUID',
    ['0198C1A2-7b3c-7def-8123-456789abcdef'],
    ['0198c1a2-7b3c-7def-8123-456789abcdef'],
  ],
  [
    'UUID',
    'C(36)',
    ['0198c1a2-7b3c-7def-8123-456789abcdef'],
    ['0198c1a2-7b3c-7def-8123-456789abcdef'],
  ],
]

/** The values that a search can compare: those of a list, and only null for columns that are searched in another way. */
function soughtIn(type: string, values: readonly unknown[]): ReadonlySet<unknown> {
  const isComparable = type !== 'POINT' && type !== 'JSON'
  return new Set(values.flat().filter((value) => isComparable || value === null))
}

for (const [from, to, values, expected] of KEPT) {
  test(`from ${from} to ${to} no value is lost, so no confirmation is needed`, async () => {
    const table = await makeFilled(from, values)
    const { etag } = await read(server, `${table.url}/2`)
    const { plan } = (await change(table, to, '?dry_run=true')).body
    const changes = [...plan.narrowed, ...plan.retyped]
    assert.ok(changes.every((item: any) => item.entries === 0 && item.nulls === 0))
    assert.deepEqual(await valuesOf(table), [null, ...values])

    const answer = await change(table, to)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await valuesOf(table), [null, ...expected])
    assert.equal((await read(server, `${table.url}/2`)).etag, etag)
    for (const a of soughtIn(to, expected))
      assert.deepEqual(
        await numbersOf(table, { qry: { a } }),
        expected.flatMap((value, at) => ([value].flat().includes(a) ? [at + 2] : [])),
      )
    if (!/^(?:X|MD|SET.*|JSON|POINT)$/.test(to))
      assert.equal((await numbersOf(table, { orderStr: 'a' })).length, values.length + 1)
    const again = await server.call('POST', `${table.url}/2`, { json: { a: expected[0], b: 'x' } })
    assert.deepEqual([again.status, again.body.a], [200, expected[0]])
  })
}

/** From, to, values before, number of values with losses, number that become null, values after. */
type Lost = readonly [string, string, readonly unknown[], number, number, readonly unknown[]]
const LOST: readonly Lost[] = [
  ['C(9)', 'C(3)', ['abc', 'abcd'], 1, 1, ['abc', null]],
  ['I', 'I1', [127, 128], 1, 1, [127, null]],
  ['I', 'I UNSIGNED', [1, -1], 1, 1, [1, null]],
  ['N(9.2)', 'N(9.1)', ['1.25', '1.5'], 1, 1, [null, '1.5']],
  ['N(9.2)', 'I', ['1.25', '2'], 1, 1, [null, 2]],
  ['N(30.20)', 'F', ['0.12345678901234567891', '1.5'], 1, 0, [0.12345678901234568, 1.5]],
  ['F', 'I', [1.5, 2], 1, 1, [null, 2]],
  ["ENUM('a','b')", "ENUM('a')", ['a', 'b'], 1, 1, ['a', null]],
  ["SET('a','b')", "SET('a')", [['a'], ['a', 'b']], 1, 1, [['a'], null]],
  ["SET('a','b')", "ENUM('a','b')", [['a'], ['a', 'b']], 1, 1, ['a', null]],
  ['C(20)', "SET('a','b')", ['a', 'a , b', 'a;b'], 1, 1, [['a'], ['a', 'b'], null]],
  ['X', 'JSON', ['{"a":1,"a":2}', '{a:1}', '[1.0]'], 3, 2, [null, null, [1]]],
  ['X', 'JSON', ['12345678901234567890', '['.repeat(9_000)], 2, 2, [null, null]],
  ['X', 'JSON', ['{"__proto__":{"a":1}}', '{"a":"\\u00e9"}'], 2, 1, [null, { a: 'é' }]],
  ['JSON', 'I', [{ a: 1 }, [1], 1], 2, 2, [null, null, 1]],
  ['C(20)', 'POINT', ['52.5', '0,91', '+1,2'], 3, 2, [null, null, [1, 2]]],
  ['C(20)', 'EMAIL', ['ada@example.com', 'ada'], 1, 1, ['ada@example.com', null]],
  ['C(20)', 'COLOR', ['#fff', 'red', ''], 2, 2, ['#fff', null, null]],
  ['C(40)', 'UUID', ['x'], 1, 1, [null]],
  ['C(9)', 'I', ['007', '8', 'nine'], 2, 1, [7, 8, null]],
  ['C(9)', 'N(9.2)', ['1.50', '+2', 'x'], 2, 1, ['1.50', '2', null]],
  [
    'C(40)',
    'D',
    ['2024-02-29', '20240229', '2024-02-30', 'x'],
    3,
    2,
    ['2024-02-29', '2024-02-29', null, null],
  ],
  ['T', 'D', ['2024-02-29T12:00:00Z', '2024-03-01'], 1, 0, ['2024-02-29', '2024-03-01']],
  ['I', 'D', [20240229, 5], 2, 1, ['2024-02-29', null]],
  ['I', 'L', [1, 2], 1, 1, [true, null]],
  ['I', 'C(1)', [1, 22], 1, 1, ['1', null]],
  ['X', 'C(3)', ['abc', 'abcd'], 1, 1, ['abc', null]],
  ['L', 'D', [true], 1, 1, [null]],
]

function entriesText(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}

for (const [from, to, values, entries, nulls, expected] of LOST) {
  test(`from ${from} to ${to} ${entries} entries lose values, so ?confirm=drop is needed`, async () => {
    const table = await makeFilled(from, values)
    const refused = await change(table, to)
    const { plan, detail } = assertProblem(refused, 'schema-conflict')
    const [{ examples, ...counts }] = [...plan.narrowed, ...plan.retyped]
    assert.deepEqual(counts, { name: 'a', entries, nulls })
    assert.equal(examples.length, entries)
    assert.ok(
      detail.includes(`${entriesText(entries)} in column a (${nulls} of them would be null)`),
    )
    assert.match(detail, /confirm=drop/)
    assert.equal((await valuesOf(table)).includes(null), true)

    const dry = await change(table, to, '?dry_run=true&confirm=drop')
    assert.deepEqual(dry.body.plan, plan)
    const answer = await change(table, to, '?confirm=drop')
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await valuesOf(table), [null, ...expected])
    for (const a of soughtIn(to, expected))
      assert.deepEqual(
        await numbersOf(table, { qry: { a } }),
        [null, ...expected].flatMap((value, at) => ([value].flat().includes(a) ? [at + 1] : [])),
      )
  })
}

test('lost values do not return with the earlier type', async () => {
  const table = await makeFilled('C(9)', ['abc', '007'])
  await change(table, 'I', '?confirm=drop')
  await makeEntry(server, table.url, { a: 12345 })
  await change(table, 'I1', '?confirm=drop')
  assert.equal((await change(table, 'C(9)')).status, 200)
  assert.deepEqual(await valuesOf(table), [null, null, '7', null])
  assert.deepEqual(await numbersOf(table, { qry: { a: '007' } }), [])
  assert.deepEqual(await numbersOf(table, { qry: { a: '7' } }), [3])
})

test('in a NOTNULL column no value may become null, even with confirmation; the error counts such values', async () => {
  const { path, url } = await makeTable(server, 'a C(9) NOTNULL')
  await makeEntries(server, url, [{ a: 'abc' }, { a: 'abcdef' }, { a: '12' }])
  for (const [type, entries] of [
    ['C(3) NOTNULL', 1],
    ['I NOTNULL', 2],
    ['I NOTNULL DEFAULT 5', 2],
  ] as const) {
    for (const query of ['', '?confirm=drop']) {
      const refused = await changeSchema(server, path, { table_schema: `a ${type}` }, query)
      const { plan, detail } = assertProblem(refused, 'schema-conflict')
      assert.deepEqual(plan.required, [{ name: 'a', entries }])
      assert.match(detail, new RegExp(`${entriesText(entries)} in column a would have no value`))
    }
  }
  const free = await changeSchema(server, path, { table_schema: 'a C(3)' }, '?confirm=drop')
  assert.equal(free.status, 200, free.text)
})

test('the default for entries from before the column is converted with the column', async () => {
  const { path, url } = await makeTable(server, 'b C(5)')
  await makeEntry(server, url, { b: 'x' })
  await changeSchema(server, path, { table_schema: 'b C(5), a I DEFAULT 5, d D DEFDATE' })
  const next = { table_schema: 'b C(5), a C(5), d T' }
  assert.equal((await changeSchema(server, path, next)).status, 200)
  const [entry] = await listAll(server, url)
  const day = entry.date_added.slice(0, 10)
  assert.deepEqual([entry.a, entry.d], ['5', `${day}T00:00:00.000Z`])
  // The default of old entries is still no stored value, so the drop needs no confirmation.
  assert.equal((await changeSchema(server, path, { table_schema: 'b C(5)' })).status, 200)
})

test('a column can be converted and renamed in one change and is found by its new name', async () => {
  const { path, url } = await makeTable(server, 'a C(9)')
  await makeEntries(server, url, [{ a: '1' }, { a: '22' }])
  const json = { table_schema: 'n I', columns: [{ name: 'n', renamed_from: 'a' }] }
  const answer = await changeSchema(server, path, json)
  assert.equal(answer.status, 200, answer.text)
  const found = await listAll(server, url, { qry: { n: { $gt: 5 } } })
  assert.deepEqual(
    found.map((entry) => entry.n),
    [22],
  )
})

test('a UNIQUE column keeps its index if possible and is otherwise converted in two steps', async () => {
  const { path, url } = await makeTable(server, 'a I UNIQUE')
  await makeEntries(server, url, [{ a: 1 }, { a: 300 }])
  const send = (table_schema: string, query = '') =>
    changeSchema(server, path, { table_schema }, query)
  assert.equal((await send('a N(5.2) UNIQUE')).status, 200)
  const shared = await server.call('POST', url, { json: { a: '1.00' } })
  assertProblem(shared, 'not-unique')
  for (const query of ['', '?confirm=drop']) {
    const refused = await send('a I1 UNIQUE', query)
    assert.match(
      assertProblem(refused, 'invalid-content').detail,
      /1 entry .* make the column I1 without UNIQUE first/,
    )
  }
  const other = await send('a C(9) UNIQUE')
  assert.match(
    assertProblem(other, 'invalid-content').detail,
    /2 entries .* make the column C without UNIQUE first/,
  )
  assert.equal((await send('a C(9)')).status, 200)
  assert.equal((await send('a C(9) UNIQUE')).status, 200)
  assertProblem(await server.call('POST', url, { json: { a: '300' } }), 'not-unique')
})

test('a cursor from before a conversion continues or is refused', async () => {
  for (const [from, to, values] of [
    ['C(9)', 'I', ['1', '2', '3', '4']],
    ['I', 'C(9)', [1, 2, 3, 4]],
    ['I', 'N(5.2)', [1, 2, 3, 4]],
    ['N(5.2)', 'I', ['1', '2', '3', '4']],
    ['D', 'T', ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']],
    ['T', 'L', ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']],
  ] as const) {
    const table = await makeFilled(from, values)
    const page = async (cursor?: string) =>
      server.call('GET', `${table.url}?orderStr=a&length=2${cursor ? `&cursor=${cursor}` : ''}`)
    const { next } = (await page()).body.page
    assert.equal((await change(table, to, '?confirm=drop')).status, 200)
    const answer = await page(next)
    assert.ok([200, 400].includes(answer.status), `${from} ${to} ${answer.text}`)
  }
})
