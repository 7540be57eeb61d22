// Search against an oracle that filters and sorts all records: random records, matches, orders and
// pages. Limits, slices and damaged records are tested without an engine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { toKeyPart } from '../../../lib/schema/field-value.ts'
import { textMatch } from '../../../lib/schema/match.ts'
import { encodeKey } from '../../../lib/storage/records/keys.ts'
import type { JsonObject, JsonValue } from '../../../lib/schema/values.ts'
import type { Query, Records } from '../../../lib/storage/port.ts'
import { parseRecord, recordKey } from '../../../lib/storage/records/format.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { DEFAULT_LIMITS } from '../../../lib/storage/records/search.ts'
import type { SearchLimits } from '../../../lib/storage/records/search-job.ts'
import { type Book, book, makeBook, qry, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'ab\0',
  'abc',
  'b',
  'ä',
  '\u{1f600}',
  '\uffff',
  'x'.repeat(401),
  `${'x'.repeat(401)}y`,
]
const text = fc.constantFrom(...TEXTS)
const pages = fc.integer({ min: 0, max: 6 })
const price = fc.constantFrom(
  '0',
  '1.5',
  '1.50',
  '-2',
  '10',
  '0.3',
  '12345678901234567890.1',
  '12345678901234567890.2',
)
const added = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-02T00:00:00.000Z',
  '2027-05-05T05:05:05.005Z',
)
const tags = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })

const values = {
  title: fc.option(text),
  pages: fc.option(pages),
  price: fc.option(price),
  sold: fc.option(fc.boolean()),
  added: fc.option(added),
  tags,
  note: fc.option(text),
}
const books = fc
  .array(fc.record(values), { maxLength: 40 })
  .map((items) => items.map((item, at) => makeBook(at * 3 + 1, item)))

const VALUE_OF = { title: text, note: text, pages, price, sold: fc.boolean(), added, tags: pages }
type FieldName = keyof typeof VALUE_OF
const RANGES = ['$gt', '$gte', '$lt', '$lte'] as const
const IS_TEXT: ReadonlySet<string> = new Set(['title', 'note'])

const condition = fc.constantFrom(...(Object.keys(VALUE_OF) as FieldName[])).chain((name) => {
  const value: fc.Arbitrary<unknown> = VALUE_OF[name]
  const operators: fc.Arbitrary<object>[] = [
    fc.option(value).map((item) => ({ $eq: item })),
    fc.option(value).map((item) => ({ $ne: item })),
    fc.tuple(fc.constantFrom(...RANGES), value).map(([op, item]) => ({ [op]: item })),
    fc.tuple(value, value).map(([low, high]) => ({ $gte: low, $lt: high })),
    fc.array(fc.option(value), { maxLength: 3 }).map((items) => ({ $in: items })),
    fc.array(fc.option(value), { maxLength: 3 }).map((items) => ({ $nin: items })),
    fc.boolean().map((isThere) => ({ $exists: isThere })),
    fc.tuple(fc.constantFrom(...RANGES), value).map(([op, item]) => ({ $not: { [op]: item } })),
  ]
  if (IS_TEXT.has(name)) {
    operators.push(
      text.map((item) => ({ $startsWith: item })),
      text.map((item) => ({ $contains: item })),
      fc.constantFrom('^a', '^ab?', '^(a|b)', 'b$', '^').map((item) => ({ $regex: item })),
    )
  }
  return fc.oneof(...operators).map((operation) => ({ [name]: operation }))
})

interface Qry {
  readonly [name: string]: unknown
}

const tree: fc.Arbitrary<Qry> = fc.letrec<{ tree: Qry }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    condition as fc.Arbitrary<Qry>,
    fc.tuple(condition, condition).map(([left, right]): Qry => ({ ...left, ...right })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((items): Qry => ({ $and: items })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((items): Qry => ({ $or: items })),
    tie('tree').map((item): Qry => ({ $not: item })),
  ),
})).tree

const group = tree.filter((wanted) => Buffer.byteLength(JSON.stringify(wanted)) <= 4_096)

const query = fc.record({
  text: fc.option(group, { nil: {} }),
  orderBy: fc.constantFrom(undefined, 'book_id', 'title', 'pages', 'price', 'sold', 'added'),
  descending: fc.boolean(),
  length: fc.integer({ min: 1, max: 12 }),
  isShy: fc.boolean(),
})

test('a search returns the same pages as a simple reference search', async () => {
  const limits = fc.constantFrom<SearchLimits>(
    DEFAULT_LIMITS,
    { ...DEFAULT_LIMITS, maxCollected: 0 },
    { ...DEFAULT_LIMITS, maxScanned: 3, maxCollected: 5 },
    { ...DEFAULT_LIMITS, maxPageBytes: 400 },
  )
  await fc.assert(
    fc.asyncProperty(
      books,
      query,
      limits,
      async (items, { text: wanted, isShy, ...rest }, bounds) => {
        const records = await openWith(items, bounds)
        const isVisible = isShy
          ? (record: JsonObject) => Number(record['book_id']) % 2 === 1
          : undefined
        const search: Query = { ...rest, match: qry(wanted), isVisible }
        const expected = oracle(items, wanted, search)

        assert.deepEqual(await readByCursor(records, search), expected)
        for (const start of [1, 2, 4]) {
          const begin = (start - 1) * search.length
          const first = await readPage(records, { ...search, start })
          assert.deepEqual(first.ids, expected.slice(begin, begin + search.length))
          if (first.total !== undefined) assert.equal(first.total, expected.length)
        }
        const counted = await records.search(book, searchable, { ...search, count: true })
        assert.equal(counted.total, expected.length)
      },
    ),
    { numRuns: 1_500 },
  )
})

test('B15: a call reads at most its bound of records, and the next call continues there', async () => {
  const items = Array.from({ length: 100 }, (_, at) =>
    makeBook(at + 1, { note: at === 90 ? 'x' : 'y', pages: at }),
  )
  const limits = { ...DEFAULT_LIMITS, maxScanned: 40, maxCollected: 5, maxSearchMs: 0 }
  const records = await openWith(items, limits)
  const search = { match: qry({ note: 'x' }), length: 5 }

  const first = await records.search(book, searchable, search)
  assert.deepEqual([first.records.length, first.scanned, first.next !== undefined], [0, 40, true])
  assert.equal(first.total, undefined)
  assert.deepEqual(await readByCursor(records, search), [91])
  assert.equal((await records.search(book, searchable, { ...search, count: true })).total, 1)
})

test('records read for the count are reported besides those of the page', async () => {
  const items = Array.from({ length: 50 }, (_, at) => makeBook(at + 1, { note: 'x' }))
  const records = await openWith(items)
  const search = { match: qry({ note: 'x' }), length: 5 }
  const { scanned } = await records.search(book, searchable, search)
  const counted = await records.search(book, searchable, { ...search, count: true })
  assert.deepEqual([scanned, counted.scanned, counted.total], [6, 56, 50])
})

test('an unknown order gets the closest field in the error', async () => {
  const records = await openWith([])
  await assert.rejects(
    async () => records.search(book, searchable, { orderBy: 'TITLE', length: 5 }),
    {
      message: /Did you mean "title"\?/,
    },
  )
})

test('records that are skipped by key alone do not count against the bound', async () => {
  const items = Array.from({ length: 100 }, (_, at) => makeBook(at + 1, { sold: true }))
  const records = await openWith(items, { ...DEFAULT_LIMITS, maxScanned: 40, maxCollected: 5 })

  for (const match of [undefined, qry({ sold: true })]) {
    const page = await records.search(book, searchable, { match, start: 9, length: 10 })
    assert.deepEqual(page.records.map((stored) => parseRecord(book, stored)['book_id'])[0], 81)
    assert.equal(page.records.length, 10)
  }
})

test('values that share an index row are distinguished', async () => {
  const prices = ['12345678901234567890.1', '12345678901234567890.2']
  const titles = ['\ud800', '\ufffd']
  const items = [0, 1].map((at) =>
    makeBook(at + 1, { price: prices[at] ?? '', title: titles[at] ?? '' }),
  )
  const records = await openWith(items)

  for (const [wanted, ids] of [
    [{ price: prices[0] }, [1]],
    [{ price: { $gt: prices[0] } }, [2]],
    [{ price: { $lt: prices[1] } }, [1]],
    [{ title: titles[1] }, [2]],
    [{ title: { $in: [titles[1]] } }, [2]],
  ] as const) {
    assert.deepEqual(
      await readByCursor(records, { match: qry(wanted), length: 5 }),
      ids,
      JSON.stringify(wanted),
    )
  }
})

test('many candidates are neither sorted nor counted as matches', async () => {
  const items = Array.from({ length: 30 }, (_, at) => makeBook(at + 1, { pages: at % 3 }))
  const records = await openWith(items, { ...DEFAULT_LIMITS, maxScanned: 100, maxCollected: 5 })
  const search = { match: qry({ pages: { $in: [0, 1] } }), orderBy: 'title', length: 2 }

  assert.equal((await records.search(book, searchable, search)).total, undefined)
  assert.equal((await records.search(book, searchable, { ...search, count: true })).total, 20)
})

test('table_filter finds text in any string field in any case', async () => {
  const items = [
    makeBook(1, { title: 'Zazie' }),
    makeBook(2, { note: 'dans le MÉTRO' }),
    makeBook(3, { title: 'Métro' }),
  ]
  const records = await openWith(items)
  const match = textMatch('métro', searchable)
  assert.deepEqual(await readByCursor(records, { match, length: 5 }), [2, 3])
})

test('a record whose bytes have changed is not returned', async () => {
  const kv = openMemoryKv()
  const records = openRecords(kv)
  await records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'Emma' })))
  const key = recordKey(kv, book, [1])
  const value = kv.get(key) ?? Buffer.alloc(0)
  value.writeUInt8(value.readUInt8(30) ^ 1, 30)
  await kv.commit((writer) => writer.put(key, value))

  assert.throws(() => records.get(book, 1), { code: 'record-damaged' })
  await assert.rejects(
    async () => records.search(book, searchable, { match: qry({ title: 'Emma' }), length: 5 }),
    {
      code: 'record-damaged',
    },
  )
  await kv.commit((writer) => writer.put(key, Buffer.of(1, 2)))
  assert.throws(() => records.get(book, 1), { code: 'record-damaged' })
})

async function openWith(
  items: readonly Book[],
  limits: SearchLimits = DEFAULT_LIMITS,
): Promise<Records> {
  const records = openRecords(openMemoryKv(), { limits })
  await records.commit((unit) => {
    for (const item of items) unit.put(book, [item.book_id], item)
  })
  return records
}

async function readByCursor(records: Records, search: Query): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(records, { ...search, cursor }, 1)
    ids.push(...page.ids)
    if (page.next === undefined) return ids
    cursor = page.next
  }
}

/** Joins the partial pages of calls that the scan limit interrupted. */
async function readPage(records: Records, search: Query, maxCalls = 100) {
  const first = await records.search(book, searchable, search)
  const ids = idsOf(first)
  let next = first.next
  for (
    let calls = 1;
    calls < maxCalls && next !== undefined && ids.length < search.length;
    calls++
  ) {
    const { start: _, ...rest } = search
    const page = await records.search(book, searchable, {
      ...rest,
      cursor: next,
      length: search.length - ids.length,
    })
    ids.push(...idsOf(page))
    next = page.next
  }
  return { ids, next, total: first.total }
}

function idsOf(page: Awaited<ReturnType<Records['search']>>): number[] {
  return page.records.map((stored) => Number(parseRecord(book, stored)['book_id']))
}

function oracle(
  items: readonly Book[],
  wanted: Qry,
  { orderBy, descending, isVisible }: Query,
): number[] {
  const found = items.filter((item) => holds(wanted, item) && isVisible?.(item) !== false)
  const kind = searchable.get(orderBy ?? 'book_id')?.kind ?? 'integer'
  const place = (item: Book) =>
    encodeKey([toKeyPart(kind, item[orderBy ?? 'book_id']), item.book_id])
  const sorted = found.toSorted((left, right) => Buffer.compare(place(left), place(right)))
  return (descending === true ? sorted.toReversed() : sorted).map((item) => item.book_id)
}

function holds(wanted: Qry, item: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    if (name === '$and') return (value as Qry[]).every((part) => holds(part, item))
    if (name === '$or') return (value as Qry[]).some((part) => holds(part, item))
    if (name === '$not') return !holds(value as Qry, item)
    return holdsAll(value as Qry, name, item[name] ?? null)
  })
}

function holdsAll(operations: Qry, name: string, value: JsonValue): boolean {
  return Object.entries(operations).every(([op, wanted]) => {
    if (op === '$ne') return !holdsOne('$eq', wanted, name, value)
    if (op === '$nin') return !holdsOne('$in', wanted, name, value)
    if (op === '$not') return !holdsAll(wanted as Qry, name, value)
    return holdsOne(op, wanted, name, value)
  })
}

function holdsOne(op: string, wanted: unknown, name: string, value: JsonValue): boolean {
  if (Array.isArray(value) && value.length > 0)
    return value.some((item) => holdsOne(op, wanted, name, item))
  if (op === '$in') return (wanted as unknown[]).some((item) => holdsOne('$eq', item, name, value))

  const isMissing = value === null || Array.isArray(value)
  if (op === '$exists') return wanted === !isMissing
  if (op === '$eq' && wanted === null) return isMissing
  if (isMissing || wanted === null) return false
  if (op === '$startsWith') return String(value).startsWith(String(wanted))
  if (op === '$contains') return String(value).includes(String(wanted))
  if (op === '$regex') return new RegExp(String(wanted), 'u').test(String(value))

  const difference =
    name === 'price' ? comparePrices(String(value), String(wanted)) : compareValues(value, wanted)
  return (
    {
      $eq: difference === 0,
      $gt: difference > 0,
      $gte: difference >= 0,
      $lt: difference < 0,
      $lte: difference <= 0,
    }[op] === true
  )
}

function compareValues(left: unknown, right: unknown): number {
  if (typeof left !== 'string') return Number(left) - Number(right)
  return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
}

function comparePrices(left: string, right: string): number {
  return Number(thousandths(left) - thousandths(right))
}

function thousandths(price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.')
  return BigInt(whole + fraction.padEnd(3, '0'))
}
