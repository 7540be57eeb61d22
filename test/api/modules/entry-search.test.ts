// Searches over every kind of column, each compared with the whole list filtered by the test.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import {
  entriesOf,
  listAll,
  listEntries,
  makeEntries,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const SCHEMA =
  "c C(40), x X(Large), i I, big I8, f F, n N(12.3), l L, d D, t T, e ENUM('red','green'), u UUID"
const COLUMNS = ['c', 'x', 'i', 'big', 'f', 'n', 'l', 'd', 't', 'e', 'u']
const WORDS = ['Alpha', 'alpha', 'beta', 'be', '', 'Übung', 'a.b', '日本', '😀x', 'zebra']
const BIG = ['9007199254740993', '9007199254740992', '-9223372036854775808', 5, -7, 0]
const DECIMALS = ['1.50', 1.5, '1.500', -2, '100000000.001', '100000000.002', 0]

const [FIRST, SECOND, THIRD] = ['0198c1a2', 'ABCDEF01', 'abcdef02'].map(
  (start) => `${start}-7b3c-7def-8123-456789abcdef`,
)
const UUIDS = [FIRST, SECOND, THIRD]

type Wanted = (entry: any) => boolean

let server: TestServer
let url: string
let all: readonly any[]

before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, SCHEMA)).url
  await makeEntries(
    server,
    url,
    Array.from({ length: 420 }, (_, at) => entryOf(at)),
  )
  // Some entries are changed and some deleted, so that the indexes see all kinds of writes.
  for (let id = 7; id <= 420; id += 60) {
    await server.call('POST', `${url}/${id}`, { json: entryOf(id * 31) })
    await server.call('DELETE', `${url}/${id + 1}`)
  }
  all = await listAll(server, url)
  assert.equal(all.length, 413)
})
after(() => server.close())

/** Every column is null in some entries. */
function entryOf(at: number): object {
  const pick = <T>(values: readonly T[], step: number): T | null =>
    Math.floor(at / step) % 7 === 3 ? null : (values[(at * step) % values.length] ?? null)
  const days = ['2026-01-31', '2024-02-29', '1999-12-31', '2026-02-01']
  return {
    c: pick(WORDS, 1),
    x: pick(WORDS, 3),
    i: pick([0, -5, 7, 2147483647, 42, 41], 1),
    big: pick(BIG, 5),
    f: pick([0, -0.5, 1e10, 3.25], 3),
    n: pick(DECIMALS, 1),
    l: pick([true, false], 1),
    d: pick(days, 1),
    t: pick(
      days.map((day) => `${day}T10:00:00.25Z`),
      3,
    ),
    e: pick(['red', 'green'], 1),
    u: pick(UUIDS, 1),
  }
}

const ids = (entries: readonly any[]) => entries.map((entry) => entry.datatable_entry_id)
const bytesBelow = (left: string, right: string) =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))
const whole = (value: unknown) => BigInt(value as number)
const thousandths = (value: unknown) => Math.round(Number(value) * 1000)
const time = (value: unknown) => Date.parse(String(value))
const has =
  (name: string, test: (value: any) => boolean): Wanted =>
  (entry) =>
    entry[name] !== null && test(entry[name])

const SEARCHES: readonly (readonly [object, Wanted])[] = [
  [{}, () => true],
  [{ c: 'alpha' }, (entry) => entry.c === 'alpha'],
  [{ c: '' }, (entry) => entry.c === ''],
  [{ c: null }, (entry) => entry.c === null],
  [{ c: { $ne: 'alpha' } }, (entry) => entry.c !== 'alpha'],
  [{ c: { $gt: 'alpha' } }, has('c', (c) => bytesBelow(c, 'alpha') > 0)],
  [{ c: { $gte: 'alpha', $lt: 'beta' } }, has('c', (c) => ['alpha', 'be'].includes(c))],
  [{ c: { $lte: 'Z' } }, has('c', (c) => bytesBelow(c, 'Z') <= 0)],
  [{ c: { $in: ['beta', '日本', null] } }, (entry) => ['beta', '日本', null].includes(entry.c)],
  [{ c: { $nin: ['beta', null] } }, (entry) => !['beta', null].includes(entry.c)],
  [{ c: { $exists: true } }, has('c', () => true)],
  [{ c: { $exists: false } }, (entry) => entry.c === null],
  [{ c: { $startsWith: 'be' } }, has('c', (c) => c.startsWith('be'))],
  [{ c: { $startsWith: '😀' } }, has('c', (c) => c.startsWith('😀'))],
  [{ c: { $contains: 'a' } }, has('c', (c) => c.includes('a'))],
  [{ c: { $contains: '.' } }, has('c', (c) => c.includes('.'))],
  [{ c: { $regex: '^[ab]' } }, has('c', (c) => /^[ab]/.test(c))],
  [{ c: { $regex: '^be' } }, has('c', (c) => c.startsWith('be'))],
  [{ c: { $regex: 'ÜB', $options: 'i' } }, has('c', (c) => /üb/i.test(c))],
  [{ c: '/ALPHA/i' }, has('c', (c) => /alpha/i.test(c))],
  [{ c: { $not: { $startsWith: 'a' } } }, (entry) => !String(entry.c ?? '-').startsWith('a')],
  [{ u: String(FIRST).toUpperCase() }, (entry) => entry.u === FIRST],
  [{ u: SECOND }, (entry) => entry.u === SECOND?.toLowerCase()],
  [{ u: { $in: [SECOND, null] } }, (entry) => [SECOND?.toLowerCase(), null].includes(entry.u)],
  [{ u: { $gt: FIRST } }, has('u', (u) => u > String(FIRST))],
  [{ u: { $ne: THIRD } }, (entry) => entry.u !== THIRD],
  [{ x: 'beta' }, (entry) => entry.x === 'beta'],
  [{ x: { $startsWith: 'b' } }, has('x', (x) => x.startsWith('b'))],
  [{ x: null }, (entry) => entry.x === null],
  [{ x: { $gt: 'b' } }, has('x', (x) => bytesBelow(x, 'b') > 0)],
  [{ i: 7 }, (entry) => entry.i === 7],
  [{ i: '7' }, (entry) => entry.i === 7],
  [{ i: { $ne: 7 } }, (entry) => entry.i !== 7],
  [{ i: { $gt: -5 } }, has('i', (i) => i > -5)],
  [{ i: { $gte: 41, $lte: 42 } }, has('i', (i) => i === 41 || i === 42)],
  [{ i: { $lt: 0 } }, has('i', (i) => i < 0)],
  [{ i: { $in: [0, '42'] } }, (entry) => entry.i === 0 || entry.i === 42],
  [{ i: { $in: [] } }, () => false],
  [{ i: { $nin: [0] } }, (entry) => entry.i !== 0],
  [{ big: '9007199254740993' }, (entry) => entry.big === '9007199254740993'],
  [{ big: { $gt: '9007199254740992' } }, has('big', (big) => whole(big) > 9007199254740992n)],
  [{ big: { $lte: 5 } }, has('big', (big) => whole(big) <= 5n)],
  [{ big: { $lt: '-9223372036854775807' } }, has('big', (big) => whole(big) < -(2n ** 62n))],
  [{ f: -0.5 }, (entry) => entry.f === -0.5],
  [{ f: '3.25' }, (entry) => entry.f === 3.25],
  [{ f: { $gt: 3.25 } }, has('f', (f) => f > 3.25)],
  [{ f: { $lte: 0 } }, has('f', (f) => f <= 0)],
  [{ n: 1.5 }, has('n', (n) => Number(n) === 1.5)],
  [{ n: '1.50' }, has('n', (n) => Number(n) === 1.5)],
  [{ n: { $gt: '100000000.001' } }, has('n', (n) => thousandths(n) > 100000000001)],
  [{ n: { $gte: -2, $lt: 1.5 } }, has('n', (n) => thousandths(n) < 1500)],
  [{ n: { $in: ['1.5', 0] } }, has('n', (n) => [0, 1500].includes(thousandths(n)))],
  [{ n: { $ne: 0 } }, (entry) => entry.n === null || Number(entry.n) !== 0],
  [{ l: true }, (entry) => entry.l === true],
  [{ l: 0 }, (entry) => entry.l === false],
  [{ l: '1' }, (entry) => entry.l === true],
  [{ l: { $ne: true } }, (entry) => entry.l !== true],
  [{ l: null }, (entry) => entry.l === null],
  [{ d: '2026-01-31' }, (entry) => entry.d === '2026-01-31'],
  [
    { d: { $gte: '2024-02-29', $lt: '2026-02-01' } },
    has('d', (d) => ['2024-02-29', '2026-01-31'].includes(d)),
  ],
  [{ d: { $gt: 1769817600 } }, has('d', (d) => d > '2026-01-31')],
  [{ t: '2026-01-31T11:00:00.250+01:00' }, has('t', (t) => t === '2026-01-31T10:00:00.250Z')],
  [{ t: { $lt: '2024-02-29' } }, has('t', (t) => time(t) < time('2024-02-29'))],
  [
    { t: { $gte: '2024-02-29', $lte: '2026-02-01' } },
    has('t', (t) => time(t) >= time('2024-02-29') && time(t) <= time('2026-02-01')),
  ],
  [{ e: 'red' }, (entry) => entry.e === 'red'],
  [{ e: { $in: ['green', 'blue'] } }, (entry) => entry.e === 'green'],
  [{ date_added: { $gt: '2020-01-01' }, owner: 'admin' }, () => true],
  [{ date_modified: { $lt: '2020-01-01' } }, () => false],
  [
    { 'datatable_entry.c': 'beta', 'datatable_entry.i': 7 },
    (entry) => entry.c === 'beta' && entry.i === 7,
  ],
  [
    { 'datatable_entry.datatable_entry_id': { $gt: 400 } },
    (entry) => entry.datatable_entry_id > 400,
  ],
  [{ i: 7, l: true, e: 'red' }, (entry) => entry.i === 7 && entry.l === true && entry.e === 'red'],
  [
    { $or: [{ i: 7 }, { c: 'beta' }, { x: 'zebra' }] },
    (entry) => entry.i === 7 || entry.c === 'beta' || entry.x === 'zebra',
  ],
  [
    { $or: [{ i: 7 }, { i: 42 }], l: true },
    (entry) => [7, 42].includes(entry.i) && entry.l === true,
  ],
  [
    { $and: [{ i: { $gt: 0 } }, { $or: [{ l: false }, { d: null }] }] },
    (entry) => entry.i > 0 && (entry.l === false || entry.d === null),
  ],
  [{ $not: { $or: [{ i: 7 }, { c: null }] } }, (entry) => entry.i !== 7 && entry.c !== null],
]

test('every operator finds exactly the matching entries in every type of column', async (t) => {
  for (const [qry, isWanted] of SEARCHES) {
    await t.test(JSON.stringify(qry), async () => {
      const expected = all.filter(isWanted)
      assert.deepEqual(await listAll(server, url, { qry, length: 150 }), expected)
      const counted = await listEntries(server, url, { qry, count: 'exact', length: 1 })
      assert.equal(counted.page.total, expected.length)
    })
  }
})

test('every column except long text can be sorted in both directions, with and without a search', async (t) => {
  for (const orderStr of COLUMNS.filter((name) => name !== 'x')) {
    await t.test(orderStr, async () => {
      for (const qry of [{}, { i: { $gte: 0 } }, { c: 'beta' }, { $or: [{ l: true }, { n: 0 }] }]) {
        const found = await listAll(server, url, { qry })
        const up = [...found].sort((a, b) => compare(orderStr, a, b))
        const query = { qry, orderStr, length: 120 }
        assert.deepEqual(ids(await listAll(server, url, query)), ids(up))
        const down = await listAll(server, url, { ...query, orderDir: 'DESC' })
        assert.deepEqual(ids(down), ids([...up].reverse()))
      }
    })
  }
})

/** Null comes first. Equal values are ordered by identifier. */
function compare(name: string, left: any, right: any): number {
  const [a, b] = [left[name], right[name]]
  const byId = left.datatable_entry_id - right.datatable_entry_id
  if (a === null || b === null) return a === b ? byId : a === null ? -1 : 1
  if (name === 'big')
    return whole(a) === whole(b) || tied(a, b) ? byId : whole(a) < whole(b) ? -1 : 1
  if (typeof a === 'string' && name !== 'n') return bytesBelow(a, b) || byId
  return Number(a) - Number(b) || byId
}

/** An index rounds integers beyond 2^53 and treats integers with the same rounded value as equal. */
function tied(a: unknown, b: unknown): boolean {
  return Number(a) === Number(b)
}

test('sorting by long text or by an unknown column is refused', async () => {
  for (const orderStr of ['x', 'nope', 'toString']) {
    const answer = await server.call('GET', `${url}?${queryOf({ orderStr })}`)
    assertProblem(answer, 'bad-qry')
  }
})

test('table_filter finds a text in any string column, without regard to case', async () => {
  for (const text of ['ALPHA', 'be', 'übung', '.', '😀', 'green', 'nowhere']) {
    const holds = (value: unknown) =>
      typeof value === 'string' && value.toLowerCase().includes(text.toLowerCase())
    const expected = all.filter(({ c, x, e, owner }) => [c, x, e, owner].some(holds))
    assert.deepEqual(await listAll(server, url, { table_filter: text }), expected, text)
    const both = await listAll(server, url, { table_filter: text, qry: { l: true } })
    assert.deepEqual(
      both,
      expected.filter((entry) => entry.l === true),
    )
  }
})

test('pages by start add up to the same list, and total is returned if it is known', async () => {
  const pages: any[] = []
  for (let start = 1; start <= 5; start += 1) {
    const body = await listEntries(server, url, { start, length: 100 })
    assert.deepEqual({ ...body.page, next: null }, { start, length: 100, total: 413, next: null })
    pages.push(...entriesOf(body))
  }
  assert.deepEqual(pages, all)
  const past = await listEntries(server, url, { start: 6, length: 100 })
  assert.deepEqual([past.datatable_entry, past.page.next], [[], null])
})

test('a search reports how much it scanned and returned', async () => {
  const answer = await server.call('GET', `${url}?${queryOf({ qry: { x: 'beta' }, length: 5 })}`)
  assert.match(String(answer.headers['server-timing']), /scanned \d+, returned 5/)
  assert.match(String(answer.headers['link']), /^<.*cursor=.*>; rel="next"$/)
})

const REFUSED: readonly (readonly [object, RegExp])[] = [
  [{ qry: { nope: 1 } }, /nope/],
  [{ qry: { toString: 1 } }, /toString/],
  [{ qry: '{"__proto__":1}' }, /__proto__/],
  [{ qry: { i: 'x' } }, /whole number/],
  [{ qry: { i: { $gt: '' } } }, /\$gt/],
  [{ qry: { i: { $contains: '1' } } }, /strings/],
  [{ qry: { l: 'maybe' } }, /true, false/],
  [{ qry: { d: 'soon' } }, /date/],
  [{ qry: { c: { $where: '1' } } }, /\$where/],
  [{ qry: { c: { $regex: '(a+)+$\\1' } } }, /RE2/],
  [{ qry: { c: ['a'] } }, /\$in/],
  [{ qry: '{"c":' }, /JSON|end/],
  [{ length: 1001 }, /1000/],
  [{ length: 0 }, /length/],
  [{ start: 0 }, /start/],
  [{ cursor: 'x' }, /cursor/],
  [{ orderDir: 'UP' }, /orderDir/],
  [{ count: 'yes' }, /exact/],
  [{ fields: 'nope' }, /nope/],
]

for (const [query, detail] of REFUSED) {
  test(`the list ?${queryOf({ ...query })} is refused with the reason`, async () => {
    const answer = await server.call('GET', `${url}?${queryOf({ ...query })}`)
    assert.match(assertProblem(answer, 'bad-qry').detail, detail)
  })
}

test('B11: a regular expression with exponential backtracking elsewhere takes linear time', async () => {
  const long = await makeTable(server, 'x X')
  await makeEntries(server, long.url, [{ x: `${'a'.repeat(50_000)}!` }])
  const started = performance.now()
  const found = await listAll(server, long.url, { qry: { x: { $regex: '^(a+)+$' } } })
  assert.deepEqual(found, [])
  assert.ok(performance.now() - started < 5_000)
})

test('paging by cursor returns every lasting entry exactly once during writes', async () => {
  const table = await makeTable(server, 'c C(20), i I')
  const rows = Array.from({ length: 300 }, (_, at) => ({ c: `k${at % 10}`, i: at }))
  for (const query of [
    {},
    { orderStr: 'i', orderDir: 'DESC' },
    { orderStr: 'c' },
    { qry: { c: 'k3' } },
  ]) {
    await makeEntries(server, table.url, rows)
    const start = await listAll(server, table.url)
    const staying = start.filter((entry) => entry.i % 3 !== 0)
    const leaving = start.filter((entry) => entry.i % 3 === 0)
    const seen: number[] = []
    for (let cursor: object = {}; ; ) {
      const body = await listEntries(server, table.url, { length: 25, ...query, ...cursor })
      seen.push(...ids(entriesOf(body)))
      for (const { datatable_entry_id: id } of leaving.splice(0, 8))
        await server.call('DELETE', `${table.url}/${id}`)
      await makeEntries(server, table.url, [
        { c: 'k3', i: 1_000 },
        { c: 'a', i: -1 },
      ])
      if (body.page.next === null || seen.length > 2_000) break
      cursor = { cursor: body.page.next }
    }
    assert.equal(new Set(seen).size, seen.length)
    const wanted = 'qry' in query ? staying.filter((entry) => entry.c === 'k3') : staying
    assert.deepEqual(
      ids(wanted).filter((id) => !seen.includes(id)),
      [],
    )
  }
})
