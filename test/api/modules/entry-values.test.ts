// Values of every column type through JSON: the accepted values, their stored form, and the refused values.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pointersOf, read } from '../../helpers/content.ts'
import { entriesOf, listEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { missingTypes } from '../../schema/columns/column.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** The given value and the answered value. */
type Kept = readonly [unknown, unknown]

interface Type {
  readonly type: string
  readonly same: readonly unknown[]
  readonly changed?: readonly Kept[]
  readonly refused: readonly unknown[]
}

const LONG = 'x'.repeat(300_000)
const TIMES: readonly Kept[] = [
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.5+02:00', '2026-01-31T10:00:00.500Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  ['1579636261', '2020-01-21T19:51:01.000Z'],
  [-62_167_219_200, '0000-01-01T00:00:00.000Z'],
  [253_402_300_799, '9999-12-31T23:59:59.000Z'],
  ['20240229', '2024-02-29T00:00:00.000Z'],
  ['20240229235959', '2024-02-29T23:59:59.000Z'],
  ['157963626', '1975-01-03T06:47:06.000Z'],
  ['-62167219200', '0000-01-01T00:00:00.000Z'],
]
const NO_TIMES = [
  ...['x', '', '2026-02-30', '2026-13-01', '2026-01-31T25:00:00Z', '31.01.2026', true],
  ...[-62_167_219_201, 253_402_300_800, '10000-01-01', '2024-02-29T24:00:00Z', 20240229],
  ...['20240230', '0', '2024', '202402', '2024022', '20240229245959', '253402300799'],
]

const TYPES: readonly Type[] = [
  {
    type: 'C(3)',
    same: ['', 'abc', '😀😀😀', 'e\u0301a', ' a ', '"\\\n'],
    refused: ['abcd', '😀😀😀😀', 5, true, ['a']],
  },
  { type: 'C(65535)', same: ['x'.repeat(65_535)], refused: ['x'.repeat(65_536)] },
  { type: 'C2(2)', same: ['日本'], refused: ['日本語', 1] },
  { type: 'X(Large)', same: ['', LONG, '<b>&amp;</b>'], refused: [1, false, {}] },
  { type: 'X2', same: [LONG], refused: [1] },
  { type: 'XL', same: [LONG], refused: [1] },
  { type: 'B', same: ['AAEC'], refused: [1] },
  {
    type: 'I',
    same: [0, -2147483648, 2147483647],
    changed: [
      ['5', 5],
      ['1e3', 1000],
      ['1.00', 1],
      ['-0', 0],
    ],
    refused: [2147483648, -2147483649, 1.5, '1.5', 'a', ' 5', true, ''],
  },
  { type: 'I4', same: [-2147483648, 2147483647], refused: [2147483648, -2147483649] },
  { type: 'I1', same: [-128, 127], refused: [128, -129] },
  { type: 'I2', same: [-32768, 32767], refused: [32768, -32769] },
  { type: 'I1 UNSIGNED', same: [0, 255], refused: [-1, 256] },
  { type: 'I2 UNSIGNED', same: [0, 65535], refused: [-1, 65536] },
  {
    type: 'I8 UNSIGNED',
    same: [0, '18446744073709551615'],
    refused: [-1, '18446744073709551616'],
  },
  { type: 'I UNSIGNED', same: [0, 4294967295], refused: [-1, 4294967296] },
  { type: 'R', same: [1, 2147483647], refused: [2147483648, 'a'] },
  {
    type: 'I8',
    same: [0, 9007199254740991, '9007199254740993', '9223372036854775807', '-9223372036854775808'],
    changed: [['5', 5]],
    refused: ['9223372036854775808', '-9223372036854775809', 1.5, 'a', ''],
  },
  {
    type: 'F',
    same: [0, 1.5, -2.5e-7, 1e300, Number.MAX_VALUE],
    changed: [['0.12345678901234567891', 0.12345678901234568]],
    refused: ['1.5x', true, 'NaN', '', '1.8e308'],
  },
  {
    type: 'N(6.2)',
    same: ['1.50', '9999.99', '-9999.99'],
    changed: [
      [1.5, '1.5'],
      [0, '0'],
      ['-0.00', '0.00'],
      ['0012.10', '12.10'],
      ['1.500', '1.50'],
      ['.5', '0.5'],
      ['5.', '5'],
      ['1e2', '100'],
    ],
    refused: ['10000', '1.555', 12345.1, 'a', '', '1e4', true],
  },
  {
    type: 'N',
    same: ['123456789012345678901234567890.125', '1'.repeat(65)],
    changed: [[5, '5']],
    refused: ['a', '1'.repeat(66)],
  },
  { type: 'N(3)', same: ['-999'], changed: [[999, '999']], refused: [1000, 1.5] },
  {
    type: 'D',
    same: ['2026-01-31', '2024-02-29', '0001-01-01', '9999-12-31'],
    changed: [
      ['2026-01-31T23:59:59Z', '2026-01-31'],
      [86_400, '1970-01-02'],
    ],
    refused: NO_TIMES,
  },
  { type: 'T', same: [], changed: TIMES, refused: NO_TIMES },
  { type: 'TS', same: [], changed: TIMES, refused: NO_TIMES },
  {
    type: 'L',
    same: [true, false],
    changed: [
      [1, true],
      [0, false],
      ['true', true],
      ['false', false],
      ['1', true],
      ['0', false],
    ],
    refused: [2, -1, 'yes', 'TRUE', '2', ''],
  },
  {
    type: "SET('a','B, c','')",
    same: [['a'], ['', 'a', 'B, c']],
    refused: ['a', ['b'], ['a', 'a'], [['a']], { a: 1 }, true],
  },
  {
    type: 'JSON',
    same: [
      { a: { 'b.c': [1, 'x', null, { d: false }] }, 'ä"': 1e-7 },
      ...[[], {}, '', 'text', 0, false, -1.5, 'x'.repeat(262_142)],
    ],
    changed: [
      [
        { 2: 1, 1: 2, a: -0 },
        { 1: 2, 2: 1, a: 0 },
      ],
    ],
    refused: ['x'.repeat(262_143)],
  },
  {
    type: 'POINT',
    same: [
      [13.4, 52.5],
      [-180, -90],
      [179.9999999, 1e-9],
    ],
    refused: ['13.4,52.5', [52.5], [0, 90.1], [180.1, 0], ['13.4', '52.5'], [0, 0, 0], { lon: 1 }],
  },
  { type: 'MD', same: ['', LONG, '# A\n\n- b'], refused: [1, ['# A']] },
  { type: 'HTML', same: ['', LONG, '<p onclick="x()">&amp;</p>'], refused: [1, {}] },
  { type: 'EMAIL', same: ['ada@example.com', 'A+b@localhost'], refused: ['ada', '', 'a@b c', 1] },
  {
    type: 'URL',
    same: ['https://example.com', 'http://EXAMPLE.com/ä?b=%20#c'],
    refused: ['', 'example.com', '//example.com', 'ftp://a.b/', 'javascript:x', 'https://a b/', 1],
  },
  {
    type: 'COLOR',
    same: ['#fff', '#AbCd', '#336699', '#33669980'],
    refused: ['', 'red', '#12', 1],
  },
  {
    type: 'UUID',
    same: ['0198c1a2-7b3c-7def-8123-456789abcdef'],
    changed: [['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
    refused: ['', '0198c1a27b3c7def8123456789abcdef', 1, true],
  },
  { type: "ENUM('a','B, c','it''s')", same: ['a', 'B, c', "it's"], refused: ['b', '', 'A', 1] },
]

test('the table has a column of each type', () => {
  assert.deepEqual(missingTypes(TYPES.map(({ type }) => type)), [])
})

for (const { type, same, changed = [], refused } of TYPES) {
  test(`a column of type ${type} keeps its values and refuses others`, async () => {
    const { url } = await makeTable(server, `a C(9), v ${type}, w ${type} NOTNULL`)
    const kept = [...same.map((value): Kept => [value, value]), ...changed]
    const [[first] = ['']] = kept
    for (const [given, answered] of kept) {
      const entry = await makeEntry(server, url, { v: given, w: given })
      assert.deepEqual([entry.v, entry.w], [answered, answered])
      const path = `${url}/${entry.datatable_entry_id}`
      const stored = (await read(server, `${path}?fields=*`)).body
      assert.deepEqual(stored, entry)
      const cleared = await server.call('POST', path, { json: { v: null } })
      assert.equal(cleared.body.v, null)
      const again = await server.call('POST', path, { json: { v: stored.v } })
      assert.deepEqual(again.body.v, answered)
    }
    for (const value of refused) {
      const answer = await server.call('POST', url, { json: { v: value, w: first } })
      assert.deepEqual(pointersOf(answer), ['/v'], JSON.stringify(value))
    }
    assert.deepEqual(pointersOf(await server.call('POST', url, { json: { w: null } })), ['/w'])
  })
}

test('a default replaces a missing value, and null too under NOTNULL; the column is not required', async () => {
  const { url } = await makeTable(
    server,
    "c C(9) DEFAULT 'x y', i I NOTNULL DEFAULT 5, n N(6.2) DEFAULT 1.50, l L DEFAULT 1, e ENUM('a','b') DEFAULT b",
  )
  const defaults = { c: 'x y', i: 5, l: true, e: 'b' }
  const { n, ...rest } = await makeEntry(server, url, {})
  assert.equal(n, '1.50')
  assert.deepEqual({ ...rest, ...defaults }, rest)
  const nulls = await makeEntry(server, url, { c: null, i: null, l: null, e: null })
  assert.deepEqual({ ...nulls, c: null, i: 5, l: null, e: null }, nulls)
  const given = { c: '', i: 0, n: 0, l: false, e: 'a' }
  const other = await makeEntry(server, url, given)
  assert.deepEqual({ ...other, ...given, n: '0' }, other)
})

test('a JSON number keeps its digits in N and I8 and becomes the nearest double in F', async () => {
  const { url } = await makeTable(server, 'n N(60.40), f F, i I8, c C(40), d D')
  const post = (body: string) =>
    server.call('POST', url, { body, headers: { 'content-type': 'application/json' } })
  const sent = [
    '{"n":0.12345678901234567891,"f":0.10000000000000001,"i":12345678901234567}',
    '{"n":12345678901234567.89,"f":10000000000000000000000,"i":-9223372036854775808}',
    '{"n":9007199254740993,"f":9007199254740993,"i":9007199254740993.0}',
    '{"n":"0.12345678901234567890","f":"0.10000000000000001","d":1769860800.12345678901}',
  ]
  for (const body of sent) assert.equal((await post(body)).status, 201, body)
  // A list is parsed in the same way.
  assert.equal((await post(`[${sent.join(',')}]`)).status, 201)

  const stored = entriesOf(await listEntries(server, url, {})).map(({ n, f, i, d }) => [n, f, i, d])
  const wanted = [
    ['0.12345678901234567891', 0.1, '12345678901234567', null],
    ['12345678901234567.89', 1e22, '-9223372036854775808', null],
    ['9007199254740993', 9007199254740992, '9007199254740993', null],
    ['0.12345678901234567890', 0.1, null, '2026-01-31'],
  ]
  assert.deepEqual(stored, [...wanted, ...wanted])

  for (const [body, pointer] of [
    ['{"i":12345678901234567.5}', '/i'],
    ['{"i":9223372036854775808}', '/i'],
    ['{"c":12345678901234567.89}', '/c'],
    ['{"n":0.12345678901234567890123456789012345678901}', '/n'],
  ] as const)
    assert.deepEqual(pointersOf(await post(body)), [pointer], body)
  assert.equal((await post('12345678901234567.89')).status, 422)
  assert.equal((await post('[12345678901234567.89]')).status, 422)
})

test('qry compares numbers by all their digits', async () => {
  const { url } = await makeTable(server, 'n N(40.20), f F, i I8')
  await makeEntry(server, url, { n: '12345678901234567.89', f: 0.1, i: '12345678901234567' })
  await makeEntry(server, url, { n: '12345678901234567.88', f: 0.2, i: '12345678901234568' })
  for (const qry of [
    '{"n":12345678901234567.89}',
    '{"n":{"$gt":12345678901234567.88}}',
    '{"f":0.10000000000000001}',
    '{"i":12345678901234567}',
    '{"i":{"$in":[12345678901234567,5]}}',
  ]) {
    const answer = await read(server, `${url}?qry=${encodeURIComponent(qry)}`)
    const found = entriesOf(answer.body).map((entry) => entry.datatable_entry_id)
    assert.deepEqual(found, [1], qry)
  }
})
