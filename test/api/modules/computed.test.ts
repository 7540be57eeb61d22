// COMPUTED columns: values that the server computes with every write, and for entries that exist when the column is added.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
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

const ORDER =
  "price N(8.2), amount I DEFAULT 1, total N(12.2) COMPUTED 'price * amount', label C(40) COMPUTED 'upper(kind) || '': '' || total', kind C(9)"

const totals = async (table: MadeModule, query: object = {}) =>
  (await listAll(server, table.url, { ...query })).map(({ total }) => total)

describe('a COMPUTED column', () => {
  test('is recomputed with every write, also from other computed columns', async () => {
    const { url, record } = await makeTable(server, ORDER)
    assert.equal(record.columns[2].computed, 'price * amount')
    assert.equal(record.columns[0].computed, null)
    await makeEntry(server, url, { price: '12.50', kind: 'tea' })
    const [entry] = await listAll(server, url, {})
    assert.deepEqual([entry?.total, entry?.label], ['12.50', 'TEA: 12.50'])
    const changed = await server.call('PATCH', `${url}/1`, { json: { amount: 3 } })
    assert.equal(changed.status, 200, changed.text)
    const [after] = await listAll(server, url, {})
    assert.deepEqual([after?.total, after?.label], ['37.50', 'TEA: 37.50'])
    await server.call('PATCH', `${url}/1`, { json: { price: null } })
    assert.deepEqual(await totals({ url } as MadeModule), [null])
  })

  test('is searched and sorted by its index', async () => {
    const table = await makeTable(server, ORDER)
    await makeEntries(server, table.url, [{ price: 3 }, { price: 1 }, { price: 2 }])
    assert.deepEqual(await totals(table, { orderStr: 'total' }), ['1', '2', '3'])
    assert.deepEqual(await totals(table, { qry: { total: { $gte: 2 } }, orderStr: 'total' }), [
      '2',
      '3',
    ])
  })

  test('is read-only; the present value is accepted in an update', async () => {
    const { url } = await makeTable(server, ORDER)
    const fault = [{ pointer: '/total', detail: 'is read-only' }]
    const created = await server.call('POST', url, { json: { price: 1, total: 1 } })
    assert.deepEqual(assertProblem(created, 'invalid-content').errors, fault)
    await makeEntry(server, url, { price: 1 })
    const changed = await server.call('PATCH', `${url}/1`, { json: { total: 2 } })
    assert.deepEqual(assertProblem(changed, 'invalid-content').errors, fault)
    const same = await server.call('PATCH', `${url}/1`, { json: { total: '1', price: 2 } })
    assert.equal(same.status, 200, same.text)
    assert.deepEqual(await totals({ url } as MadeModule), ['2'])
  })

  test('refuses an entry with a value outside its type, or with null under NOTNULL', async () => {
    const { url } = await makeTable(
      server,
      "a I, b I1 COMPUTED 'a * 2', c I NOTNULL COMPUTED 'a / 2', CHECK(c < 50)",
    )
    const errorsOf = async (json: object) =>
      assertProblem(await server.call('POST', url, { json }), 'invalid-content').errors
    assert.deepEqual(await errorsOf({ a: 64 }), [
      {
        pointer: '/b',
        detail: 'cannot hold the computed value: it must be a whole number from -128 to 127',
      },
    ])
    assert.deepEqual(await errorsOf({}), [
      { pointer: '/c', detail: 'has no computed value, which NOTNULL needs' },
    ])
    await makeEntry(server, url, { a: 63 })
    const [entry] = await listAll(server, url, {})
    assert.deepEqual([entry?.b, entry?.c], [126, 32])
  })

  test('sees automatic numbers, and an upsert and a list compute it', async () => {
    const { url } = await makeTable(
      server,
      "n I AUTO, code C(9) UNIQUE, total C(20) COMPUTED 'concat(code, ''-'', n)'",
    )
    await makeEntries(server, url, [{ code: 'a' }, { code: 'b' }])
    await server.call('POST', `${url}?on_conflict=code`, { json: { code: 'b', n: 9 } })
    assert.deepEqual(await totals({ url } as MadeModule), ['a-1', 'b-9'])
  })

  test('is read-only in the documents and absent from their request bodies', async () => {
    const { id } = await makeTable(server, ORDER)
    const { body } = await server.call('GET', '/public/api/module/swagger.json')
    const { total } = body.components.schemas[`datatable_${id}_entry`].properties
    assert.equal(total.readOnly, true)
    assert.match(total.description, /Computed: price \* amount/)
  })
})

test('a column that is added, changed or renamed is computed for existing entries', async () => {
  const table = await makeTable(server, 'price N(8.2), amount I')
  await makeEntries(server, table.url, [
    { price: '2.50', amount: 2 },
    { price: '1', amount: 3 },
    { amount: 1 },
  ])
  const changed = async (table_schema: string, more: object = {}) => {
    const answer = await changeSchema(server, table.path, { table_schema, ...more })
    assert.equal(answer.status, 200, answer.text)
  }
  await changed("price N(8.2), amount I, total N(9.2) COMPUTED 'price * amount'")
  assert.deepEqual(await totals(table), ['5.00', '3', null])
  assert.deepEqual(await totals(table, { qry: { total: 5 } }), ['5.00'])
  await changed("price N(8.2), amount I, total N(9.2) COMPUTED 'price + amount'")
  assert.deepEqual(await totals(table, { orderStr: 'total' }), [null, '4', '4.50'])
  await changed("cost N(8.2), amount I, total N(9.2) COMPUTED 'cost - amount'", {
    columns: [{ name: 'cost', renamed_from: 'price' }],
  })
  assert.deepEqual(await totals(table, { qry: { total: { $gt: -2.5 } } }), ['0.50', '-2'])
  await changed("cost F, amount I, total N(9.2) COMPUTED 'cost - amount'")
  assert.deepEqual(await totals(table, { orderStr: 'total' }), [null, '-2', '0.5'])

  const full = await changeSchema(server, table.path, {
    table_schema: "cost F, amount I, total N(9.2) NOTNULL COMPUTED 'cost - amount'",
  })
  const { plan } = assertProblem(full, 'schema-conflict')
  assert.deepEqual(plan.checks, [
    { name: 'total COMPUTED cost - amount', entries: 1, examples: [3] },
  ])
  const plain = await changeSchema(server, table.path, {
    table_schema: 'cost F, amount I, total N',
  })
  const lost = assertProblem(plain, 'schema-conflict').plan
  assert.deepEqual([lost.dropped, lost.added], [[{ name: 'total', entries: 2 }], ['total']])
})

test('many columns that are computed from each other are defined and changed at once', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `c${at}`)
  const schema = (first: string) =>
    [
      'a I',
      `c0 I8 COMPUTED '${first}'`,
      ...names.slice(1).map((name, at) => `${name} I8 COMPUTED 'c${at} - c${Math.max(at - 1, 0)}'`),
    ].join(', ')
  const table = await makeTable(server, schema('a'))
  await makeEntry(server, table.url, { a: 1 })
  const answer = await changeSchema(server, table.path, { table_schema: schema('a + 1') })
  assert.equal(answer.status, 200, answer.text)
  const [entry] = await listAll(server, table.url, {})
  assert.equal(entry?.c0, 2)
})

test('computed values count as values of a list', async () => {
  const computed = Array.from({ length: 99 }, (_, at) => `c${at} I COMPUTED 'a'`)
  const { url } = await makeTable(server, ['a I', ...computed].join(', '))
  const rows = (length: number) => Array.from({ length }, () => ({ a: 1 }))
  const answer = await server.call('POST', url, { json: rows(31) })
  assert.match(assertProblem(answer, 'invalid-content').detail, /must have 1 to 30 entries/)
  await makeEntries(server, url, rows(30))
  const more = await makeEntry(server, url, { a: 1 })
  assert.equal(more.c98, 1)
  const values = { qry: { a: 1 }, values: { a: 2 } }
  assertProblem(await server.call('POST', `${url}/bulk_update`, { json: values }), 'too-large')
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["b I COMPUTED 'b + 1'", /COMPUTED columns read each other in a circle/],
  ["b I COMPUTED 'c', c I COMPUTED 'b'", /COMPUTED columns read each other in a circle/],
  ["b I COMPUTED 'a ||'", /column 2 "b": at character 5: a value is missing at the end/],
  ["b I COMPUTED 'a > 1'", /COMPUTED gives true or false, which I cannot hold/],
  [
    "f FILE ON DELETE SET NULL, b I COMPUTED 'f', c I NOTNULL COMPUTED 'b + 1'",
    /COMPUTED with NOTNULL cannot read "b"/,
  ],
  ['b I COMPUTED a', /must be in quotes; write COMPUTED 'price \* amount'/],
  ["b I COMPUTED 'a' DEFAULT 1", /COMPUTED and DEFAULT cannot be combined/],
  ["b I COMPUTED 'a' AUTO", /COMPUTED and AUTO cannot be combined/],
  ["b I COMPUTED 'a' UNIQUE", /COMPUTED and UNIQUE cannot be combined/],
  ["b JSON COMPUTED 'a'", /COMPUTED gives a number, which JSON cannot hold/],
  ["b I COMPUTED 'a', UNIQUE(a, b)", /"b" is COMPUTED; write the columns that it is computed from/],
]

for (const [text, message] of REFUSED) {
  test(`${text} is refused at its definition`, async () => {
    const json = { name: 'refused', parent_category_id: 1, table_schema: `a I, ${text}` }
    const answer = await server.call('POST', '/api/v2/datatable', { json })
    assert.match(assertProblem(answer, 'invalid-content').detail, message)
  })
}
