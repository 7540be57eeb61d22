// MIN, MAX, LENGTH and MATCH: what an entry may hold, how a refusal names each fault, and what happens to entries
// that exist when a rule is added.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, read } from '../../helpers/content.ts'
import { changeSchema, listAll, makeEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Rule, values that keep it, and values that break it with the faults. */
const RULES: readonly (readonly [
  string,
  readonly unknown[],
  readonly (readonly [unknown, ...string[]])[],
])[] = [
  [
    'I MIN 0 MAX 10',
    [0, 10, '5', null],
    [
      [-1, 'must be at least 0'],
      [11, 'must be at most 10'],
    ],
  ],
  [
    'I8 MAX 9007199254740993',
    ['9007199254740993'],
    [['9007199254740994', 'must be at most 9007199254740993']],
  ],
  ['N MIN 0.10', ['0.1', '0.10'], [['0.09999999999999999999999999', 'must be at least 0.10']]],
  ['F MAX 0.1', [0.1], [[0.10000000000000002, 'must be at most 0.1']]],
  ['D MIN 2026-01-31', ['2026-01-31'], [['2026-01-30', 'must not be before 2026-01-31']]],
  [
    'T MAX 2026-01-31',
    ['2026-01-31'],
    [['2026-01-31T00:00:00.001Z', 'must not be after 2026-01-31T00:00:00.000Z']],
  ],
  [
    'C(9) LENGTH 2..4',
    ['ab', '👍👍👍👍', null],
    [
      ['a', 'must have at least 2 characters'],
      ['abcde', 'may have at most 4 characters'],
    ],
  ],
  ['X LENGTH 1..', ['a'.repeat(70_000)], [['', 'must have at least 1 character']]],
  [
    "C(9) LENGTH 3.. MATCH '^[a-z]+$'",
    ['abc'],
    [['A', 'must have at least 3 characters', 'must match the regular expression ^[a-z]+$']],
  ],
  ['EMAIL LENGTH ..12', ['a@b.example'], [['ab@b.example.org', 'may have at most 12 characters']]],
  [
    "URL MATCH '^https:'",
    ['https://a.b/'],
    [['http://a.b/', 'must match the regular expression ^https:']],
  ],
  ["C(9) MATCH 'é'", ['e\u0301', 'aé'], [['e', 'must match the regular expression é']]],
]

describe('a rule of a column', () => {
  for (const [rule, kept, broken] of RULES) {
    test(`${rule} accepts ${JSON.stringify(kept).slice(0, 40)} and reports each fault`, async () => {
      const { url } = await makeTable(server, `a ${rule}, b I MIN 1`)
      for (const a of kept) await makeEntry(server, url, { a })
      const entry = await read(server, `${url}/1`)
      for (const [a, ...faults] of broken) {
        const wanted = [
          ...faults.map((detail) => ({ pointer: '/a', detail })),
          { pointer: '/b', detail: 'must be at least 1' },
        ]
        for (const [method, path] of [
          ['POST', url],
          ['PATCH', `${url}/1`],
        ] as const) {
          const answer = await server.call(method, path, { json: { a, b: 0 } })
          assert.deepEqual(assertProblem(answer, 'invalid-content').errors, wanted)
        }
      }
      assert.equal((await read(server, `${url}/1`)).etag, entry.etag)
    })
  }

  test('is shown with the column, in OpenAPI and in the description', async () => {
    const { id, record } = await makeTable(
      server,
      "a I MIN 0, b C(9) LENGTH 2..4 MATCH '^[a-z]+$', c X LENGTH ..5 MATCH '\\pL'",
    )
    const [a, b] = record.columns
    assert.deepEqual([a.minimum, a.maximum, a.pattern], ['0', null, null])
    assert.deepEqual([b.minLength, b.maxLength, b.pattern], [2, 4, '^[a-z]+$'])
    const { body } = await server.call('GET', '/public/api/module/swagger.json')
    const { properties } = body.components.schemas[`datatable_${id}_entry`]
    assert.equal(properties.a.minimum, 0)
    assert.deepEqual(
      [properties.b.minLength, properties.b.maxLength, properties.b.pattern],
      [2, 4, '^[a-z]+$'],
    )
    assert.equal(properties.c.pattern, undefined)
    assert.match(properties.c.description, /RE2 expression \\pL/)
  })
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  [
    'a C(9) MIN 0',
    /MIN is only for numbers and dates, and C is not one of them; LENGTH limits its characters/,
  ],
  ['a UUID LENGTH 3', /LENGTH is only for texts, and UUID/],
  ['a L MIN 0', /MIN is only for numbers and dates, and L/],
  ['a I LENGTH 1..2', /LENGTH is only for texts/],
  ["a ENUM('a') MATCH 'a'", /MATCH is only for texts/],
  ['a I MIN', /MIN has no value; write MIN 0/],
  ['a I MIN NOTNULL', /MIN has no value/],
  ['a I MIN x', /the value "x" of MIN must be a whole number/],
  ['a I MIN 0 MIN 1', /MIN is there twice/],
  ['a I MIN (0)', /without parentheses/],
  ['a I MIN 5 MAX 4', /MIN "5" is above MAX "4"/],
  ['a I UNSIGNED MIN -1', /the value "-1" of MIN must be a whole number from 0/],
  ['a I AUTO MIN 10', /AUTO assigns values that may break MIN/],
  ['a D DEFDATE MAX 2026-01-01', /DEFDATE assigns values that may break MAX/],
  ['a I MIN 3 DEFAULT 1', /the default "1" must be at least 3/],
  ['a C(9) LENGTH x', /"x" is not a range of characters; write LENGTH 3\.\.80/],
  ['a C(9) LENGTH 5..3', /ends before it begins/],
  ['a C(9) LENGTH 3..10', /more than C\(9\) holds/],
  ['a C(9) MATCH a', /must be in quotes; write MATCH 'a'/],
  ["a C(9) MATCH '('", /not a regular expression in RE2 syntax/],
  ["a C(9) MATCH '(?=a)'", /not a regular expression in RE2 syntax/],
  [`a C(9) MATCH '${'a'.repeat(501)}'`, /at most 500 characters/],
  ["a X MATCH 'abc'", /checks texts of at most 13333 characters; add LENGTH 0\.\.13333/],
  ["a C(9) MATCH '((a{100}){100}){100}'", /too large/],
  ["a C(4000) MATCH 'abcdef', b C(4000) MATCH 'abcdef'", /take up to 48000 steps, but only 40000/],
]

for (const [text, message] of REFUSED) {
  test(`${text.slice(0, 60)} is refused with the correction`, async () => {
    const json = { name: 'refused', parent_category_id: 1, table_schema: text }
    const answer = await server.call('POST', '/api/v2/datatable', { json })
    assert.match(assertProblem(answer, 'invalid-content').detail, message)
  })
}

test('a rule that existing entries break is refused with their number and the first of them', async () => {
  const table = await makeTable(server, 'a I, b C(9)')
  await makeEntries(
    server,
    table.url,
    [1, 20, 3, 40].map((a) => ({ a, b: 'x' })),
  )
  const json = { table_schema: "a I MAX 10, b C(9) MATCH '^x$'" }
  const { plan } = assertProblem(await changeSchema(server, table.path, json), 'schema-conflict')
  assert.deepEqual(plan.narrowed, [
    { name: 'a', entries: 2, nulls: 2, examples: [2, 4] },
    { name: 'b', entries: 0, nulls: 0, examples: [] },
  ])
  assert.equal((await changeSchema(server, table.path, json, '?confirm=drop')).status, 200)
  const values = (await listAll(server, table.url, {})).map(({ a }) => a)
  assert.deepEqual(values, [1, null, 3, null])
})

test('a rule that all entries satisfy, or a looser rule, applies without confirmation', async () => {
  const table = await makeTable(server, "a I MAX 10, b C(9) LENGTH 2.. MATCH 'x'")
  await makeEntry(server, table.url, { a: 3, b: 'xx' })
  const plan = async (table_schema: string) =>
    (await changeSchema(server, table.path, { table_schema }, '?dry_run=true')).body.plan
  assert.deepEqual((await plan('a I MAX 11, b C(9) LENGTH 1..')).widened, ['a', 'b'])
  const narrowed = await plan("a I MIN 0 MAX 5, b C(9) LENGTH 2..3 MATCH 'xx'")
  assert.deepEqual(
    narrowed.narrowed.map(({ entries }: { entries: number }) => entries),
    [0, 0],
  )
  assert.equal(
    (await changeSchema(server, table.path, { table_schema: 'a N MIN 0, b X' })).status,
    200,
  )
})
