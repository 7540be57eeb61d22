// CHECK rules: what they accept, how a refusal names the rule, and what happens to entries that exist when a rule is added.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, read } from '../../helpers/content.ts'
import {
  changeSchema,
  makeEntries,
  makeEntry,
  makeTable,
  type MadeModule,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const COLUMNS = 'price N(8.2), since D, until D, kind C(9), CHECK(price > 0 AND until >= since)'

describe('a CHECK rule', () => {
  test('refuses a create and an update that make it false, and names the rule', async () => {
    const { url } = await makeTable(server, COLUMNS)
    const entry = await makeEntry(server, url, {
      price: '0.01',
      since: '2026-01-02',
      until: '2026-01-02',
    })
    const detail = 'must satisfy CHECK(price > 0 AND until >= since)'
    const { etag } = await read(server, `${url}/${entry.datatable_entry_id}`)
    for (const [json, name] of [
      [{ price: '0' }, 'price'],
      [{ until: '2026-01-01', kind: 'x' }, 'until'],
      [{ since: '2026-01-03', until: '2026-01-02' }, 'since'],
    ] as const) {
      const answer = await server.call('PATCH', `${url}/1`, { json })
      const { errors } = assertProblem(answer, 'invalid-content')
      assert.deepEqual(errors, [{ pointer: `/${name}`, detail }])
    }
    assert.equal((await read(server, `${url}/1`)).etag, etag)
    const list = [{ price: 1 }, { price: -1 }, { price: -2 }]
    const { errors } = assertProblem(
      await server.call('POST', url, { json: list }),
      'invalid-content',
    )
    assert.deepEqual(errors, [
      { pointer: '/1/price', detail },
      { pointer: '/2/price', detail },
    ])
  })

  test('is satisfied by null, which is unknown', async () => {
    const { url } = await makeTable(server, COLUMNS)
    await makeEntry(server, url, { price: 1, since: '2026-01-02' })
    await makeEntry(server, url, {})
  })

  test('sees defaults and automatic numbers', async () => {
    const { url } = await makeTable(
      server,
      'a I AUTO, b I DEFAULT 5, c C(5), CHECK(a < 3), CHECK(b <> 5 OR c IS NOT NULL)',
    )
    assertProblem(await server.call('POST', url, { json: {} }), 'invalid-content')
    await makeEntry(server, url, { c: 'x' })
    await makeEntry(server, url, { c: 'x' })
    const answer = await server.call('POST', url, { json: { c: 'x' } })
    assert.equal(assertProblem(answer, 'invalid-content').errors[0].pointer, '/a')
  })

  test('is shown in the documents, and the texts of the schema are returned as sent', async () => {
    const { id, record } = await makeTable(server, COLUMNS)
    assert.equal(record.table_schema, COLUMNS)
    assert.deepEqual(
      record.columns.map(({ name }: { name: string }) => name),
      ['price', 'since', 'until', 'kind'],
    )
    const { body } = await server.call('GET', '/public/api/module/swagger.json')
    assert.match(
      body.components.schemas[`datatable_${id}_entry`].description,
      /keeps CHECK\(price > 0 AND until >= since\)/,
    )
  })

  test('of a calendar also reads the fields of an event', async () => {
    const table_schema =
      'seats I, CHECK(end_time > start_time AND (NOT all_day OR location IS NOT NULL))'
    const calendar = { name: 'Checked', parent_category_id: 1, table_schema }
    const { module_url: url } = await make(server, 'calendar', calendar)
    const event = { event_title: 'x', start_time: '2026-01-01T10:00:00Z' }
    await makeEntry(server, url, { ...event, end_time: '2026-01-01T11:00:00Z' })
    const json = { ...event, end_time: event.start_time }
    assertProblem(await server.call('POST', url, { json }), 'invalid-content')
  })

  test('is tested by an upsert', async () => {
    const { url } = await makeTable(server, 'code C(5) UNIQUE, a I, b I, CHECK(a < b)')
    await makeEntry(server, url, { code: 'x', a: 1, b: 2 })
    const answer = await server.call('POST', `${url}?on_conflict=code`, {
      json: { code: 'x', a: 2 },
    })
    assert.equal(assertProblem(answer, 'invalid-content').errors[0].pointer, '/a')
  })
})

const planOf = async (table: MadeModule, table_schema: string, body: object = {}) =>
  (await changeSchema(server, table.path, { table_schema, ...body }, '?dry_run=true')).body.plan

test('a rule that existing entries break is refused with their number and the first of them', async () => {
  const table = await makeTable(server, 'a I, b I')
  await makeEntries(server, table.url, [{ a: 1, b: 2 }, { a: 2, b: 2 }, { a: 3 }, { a: 4, b: 1 }])
  const schema = 'a I, b I, CHECK(a < b)'
  const wanted = [{ name: 'a < b', entries: 2, examples: [2, 4] }]
  assert.deepEqual((await planOf(table, schema)).checks, wanted)
  const answer = await changeSchema(server, table.path, { table_schema: schema }, '?confirm=drop')
  const { plan, detail } = assertProblem(answer, 'schema-conflict')
  assert.deepEqual(plan.checks, wanted)
  assert.match(detail, /2 entries would break CHECK\(a < b\), first 2, 4/)

  const json = [{ a: 0 }, { b: 9 }]
  await server.call('PATCH', `${table.url}/2`, { json: json[0] })
  await server.call('PATCH', `${table.url}/4`, { json: json[1] })
  assert.equal((await changeSchema(server, table.path, { table_schema: schema })).status, 200)
  assertProblem(await server.call('PATCH', `${table.url}/1`, { json: { a: 2 } }), 'invalid-content')
})

test('a rule is tested with the values after the change: renamed, converted, filled', async () => {
  const table = await makeTable(server, 'a C(5)')
  await makeEntries(server, table.url, [{ a: '7' }, { a: 'x' }])
  const columns = [{ name: 'n', renamed_from: 'a' }]
  const plan = await planOf(table, 'n I, m I DEFAULT 7, CHECK(n < m)', { columns })
  assert.deepEqual(plan.checks, [{ name: 'n < m', entries: 1, examples: [1] }])
  const kept = await planOf(table, 'n I, m I DEFAULT 8, CHECK(n < m)', { columns })
  assert.equal(kept.checks[0].entries, 0)
})

test('all faults of a body are reported at once, whatever rule they break', async () => {
  const { url, id } = await makeTable(
    server,
    "a I, b I, c I, no I AUTO, at D DEFDATE, sum I COMPUTED 'a + b', code C(9) UNIQUE, next I REFERENCES SELF, CHECK(a < b), CHECK(sum < 9), CHECK(c > a), CHECK(no IS NOT NULL AND at IS NOT NULL)",
  )
  const faults = async (json: unknown, address = url): Promise<unknown> => {
    const { errors } = assertProblem(
      await server.call('POST', address, { json }),
      'invalid-content',
    )
    return errors.map(({ pointer, detail }: any) => `${pointer} ${detail}`)
  }
  const [broken, sum] = ['must satisfy CHECK(a < b)', 'must satisfy CHECK(sum < 9)']
  const whole = 'must be a whole number from -2147483648 to 2147483647'
  const wrong = { a: 9, b: 5, c: 'x', nope: 1 }
  const expected = [
    `/c ${whole}`,
    '/nope is not a field of datatable_entry; known fields: a, b, c, no, at, code, next',
    `/a ${broken}`,
    `/sum ${sum}`,
  ]
  assert.deepEqual(await faults(wrong), expected)
  await makeEntry(server, url, { a: 1, b: 2, c: 3, code: 'x' })
  assert.deepEqual(await faults(wrong, `${url}/1`), expected)
  const list = [
    { a: 'x', b: 1 },
    { a: 3, b: 3 },
    { a: 1, b: 9 },
  ]
  assert.deepEqual(await faults(list), [`/0/a ${whole}`, `/1/a ${broken}`, `/2/sum ${sum}`])
  assert.deepEqual(await faults(list.slice(1)), [`/0/a ${broken}`, `/1/sum ${sum}`])
  assert.deepEqual(await faults({ a: 3, b: 3, code: 'x', next: 99 }), [
    `/a ${broken}`,
    `/next refers to entry 99 of datatable ${id}, which does not exist, or which the key may not see`,
    '/code must be unique, and datatable_entry_id 1 has the same value',
  ])
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['CHECK(a >)', /column 2 "CHECK": at character 4: a value is missing at the end/],
  ['CHECK(a > 1', /the parenthesis of CHECK is never closed/],
  ['CHECK(a > 1) NOTNULL', /"NOTNULL" cannot follow CHECK/],
  ['CHECK(a)', /CHECK needs a condition, not a number/],
  ['CHECK(aa > 1)', /there is no column "aa"/],
  ["CHECK(a > 'x')", /at character 5: a number and a text cannot be compared/],
  ['CHECK(a = NULL)', /write IS NULL/],
  ['CHECK(a > 1; a < 2)', /";" is not allowed here/],
  ["CHECK(b = 'x)", /at character 5: "'" is never closed/],
  ['CHECK(lenght(b) > 1)', /there is no function "lenght"; did you mean length\?/],
  ["CHECK(c = 'x')", /the text "c" has no limit, so only IS NULL and length\(\) can read it/],
  ["CHECK(d > '2026-13-01')", /"2026-13-01" is not a date/],
  [`CHECK(${'('.repeat(40)}a${')'.repeat(40)} > 1)`, /nested at most 32 deep/],
  [
    `CHECK(${Array.from({ length: 101 }, () => 'a > 1').join(' OR ')})`,
    /at most 200 values and operators/,
  ],
  [`CHECK(a > ${'1'.repeat(2_000)})`, /at most 2000 characters/],
  [`CHECK(a > ${'1'.repeat(401)})`, /too many digits/],
  [Array.from({ length: 33 }, () => 'CHECK(a > 1)').join(', '), /at most 32 CHECK rules/],
  [
    Array.from(
      { length: 3 },
      () => `CHECK(${Array.from({ length: 49 }, () => 'a > 1').join(' OR ')})`,
    ).join(', '),
    /may have 200 values and operators together, not 585/,
  ],
  [`CHECK(upper(e) = upper(e) AND lower(e) = upper(e))`, /may read 12000 characters together/],
  [
    'f FILE ON DELETE SET NULL, CHECK(f IS NOT NULL)',
    /CHECK cannot read "f", because ON DELETE SET NULL clears a column/,
  ],
  [
    "f FILE ON DELETE SET NULL, g I COMPUTED 'f', h I COMPUTED 'g', CHECK(coalesce(h, 0) > 0)",
    /CHECK cannot read "h", because ON DELETE SET NULL clears a column/,
  ],
  ['CHECK(eval(1))', /there is no function "eval"/],
  ['CHECK(constructor(1))', /there is no function "constructor"/],
  ['CHECK(__proto__ > 1)', /there is no column "__proto__"/],
]

for (const [text, message] of REFUSED) {
  test(`${text.slice(0, 60)} is refused at its definition`, async () => {
    const table_schema = `a I, ${text}, b C(9), c X, d D, e C(9000)`
    const json = { name: 'refused', parent_category_id: 1, table_schema }
    const answer = await server.call('POST', '/api/v2/datatable', { json })
    assert.match(assertProblem(answer, 'invalid-content').detail, message)
  })
}
