// Orders by several fields against an oracle that sorts all records: random records with many ties,
// random fields, directions and pages, with writes in between. The limits of sorting are tested
// too.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { toKeyPart } from '../../../lib/schema/field-value.ts'
import { encodeKey } from '../../../lib/storage/records/keys.ts'
import type { JsonObject } from '../../../lib/schema/values.ts'
import type { Query, Records } from '../../../lib/storage/port.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { DEFAULT_LIMITS } from '../../../lib/storage/records/search.ts'
import type { SearchLimits } from '../../../lib/storage/records/search-job.ts'
import { type Book, book, makeBook, qry, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'
import { idsOf, putBooks } from '../../helpers/search-books.ts'

const long = 'x'.repeat(401)
const values = {
  title: fc.option(
    fc.constantFrom('', 'a', 'A', 'ab\0', 'ab', 'ä', '\ud800', '\ufffd', long, `${long}y`),
  ),
  pages: fc.option(fc.integer({ min: -1, max: 2 })),
  price: fc.option(
    fc.constantFrom('0', '-2', '10', '12345678901234567890.1', '12345678901234567890.2'),
  ),
  sold: fc.option(fc.boolean()),
}
const books = fc.array(fc.record(values), { maxLength: 40 })

const FIELDS = [null, 'title', 'pages', 'price', 'sold', 'added']
const orders = fc.array(
  fc.record({ orderBy: fc.constantFrom(...FIELDS), descending: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
)
type Order = Required<Pick<Query, 'orderBy' | 'descending'>>

const MATCHES: readonly (readonly [unknown, (item: Book) => boolean])[] = [
  [{}, () => true],
  [{ sold: true }, ({ sold }) => sold === true],
  [{ pages: { $gte: 0 } }, ({ pages }) => Number(pages ?? -1) >= 0],
  [{ title: { $startsWith: 'a' } }, ({ title }) => String(title ?? '').startsWith('a')],
  [{ sold: false, pages: 1 }, ({ sold, pages }) => sold === false && pages === 1],
  [{ $not: { pages: 2 } }, ({ pages }) => pages !== 2],
  [{ $or: [{ title: 'a' }, { sold: null }] }, ({ title, sold }) => title === 'a' || sold === null],
]

const asked = fc.record({
  order: orders,
  match: fc.constantFrom(...MATCHES),
  length: fc.integer({ min: 1, max: 9 }),
  isShy: fc.boolean(),
})

const limits = fc.constantFrom<SearchLimits>(
  DEFAULT_LIMITS,
  { ...DEFAULT_LIMITS, maxScanned: 3 },
  { ...DEFAULT_LIMITS, maxScanned: 4, maxCollected: 6 },
  { ...DEFAULT_LIMITS, maxCollected: 0 },
  { ...DEFAULT_LIMITS, maxPageBytes: 400 },
)

const isOdd = (record: JsonObject): boolean => Number(record['book_id']) % 2 === 1

test('records are returned in the order of an oracle up to a run that is too long', async () => {
  await fc.assert(
    fc.asyncProperty(books, asked, limits, async (items, wanted, bounds) => {
      const all = items.map((item, at) => makeBook(at + 1, item))
      const records = openRecords(openMemoryKv(), { limits: bounds })
      await putBooks(records, all)
      const found = all.filter((item) => wanted.match[1](item) && (!wanted.isShy || isOdd(item)))
      const sorted = sortedBy(wanted.order, found)
      const refusedAt = longRunAt(wanted.order, sorted, bounds.maxCollected)

      const search = queryOf(wanted)
      const read = await readPages(records, search)
      assert.deepEqual(
        read.ids,
        sorted.slice(0, refusedAt).map(({ book_id }) => book_id),
      )
      assert.equal(read.code, refusedAt === undefined ? undefined : 'bad-qry')

      if (refusedAt !== undefined) return
      const counted = await records.search(book, searchable, { ...search, count: true })
      assert.equal(counted.total, sorted.length)
      for (const start of [2, 3]) {
        const pages = await readPages(records, { ...search, start })
        const rest = sorted.slice((start - 1) * wanted.length)
        assert.deepEqual(
          pages.ids,
          rest.map(({ book_id }) => book_id),
        )
      }
    }),
    { numRuns: 1_000 },
  )
})

test('existing records are returned once and in order, whatever is written between pages', async () => {
  const change = fc.record({
    id: fc.integer({ min: 1, max: 60 }),
    item: fc.option(fc.record(values)),
  })
  const changes = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(books, asked, changes, async (items, wanted, written) => {
      const all = items.map((item, at) => makeBook(at + 1, item))
      const records = openRecords(openMemoryKv())
      await putBooks(records, all)
      const changed = new Set<number>()
      const left = [...written]
      const read = await readPages(records, queryOf(wanted), async () => {
        const now = left.shift() ?? []
        for (const { id } of now) changed.add(id)
        await records.commit((unit) => {
          for (const { id, item } of now) {
            if (item === null) unit.remove(book, id)
            else unit.put(book, [id], makeBook(id, item))
          }
        })
      })

      const lasting = all.filter((item) => !changed.has(item.book_id) && wanted.match[1](item))
      const seen = lasting.filter((item) => !wanted.isShy || isOdd(item))
      assert.deepEqual(
        read.ids.filter((id) => !changed.has(id)),
        sortedBy(wanted.order, seen).map(({ book_id }) => book_id),
      )
    }),
    { numRuns: 500 },
  )
})

test('hidden records change neither the pages nor whether they are refused', async () => {
  const bound = fc.integer({ min: 0, max: 12 })
  await fc.assert(
    fc.asyncProperty(books, books, asked, bound, async (items, hidden, wanted, maxCollected) => {
      const bounds = { limits: { ...DEFAULT_LIMITS, maxCollected } }
      const told = await Promise.all(
        [[], hidden].map(async (others) => {
          const records = openRecords(openMemoryKv(), bounds)
          await putBooks(
            records,
            items.map((item, at) => makeBook(at * 2 + 1, item)),
          )
          await putBooks(
            records,
            others.map((item, at) => makeBook(at * 2 + 2, item)),
          )
          return readPages(records, { ...queryOf(wanted), isVisible: isOdd, count: true })
        }),
      )
      assert.deepEqual(told[0], told[1])
    }),
    { numRuns: 700 },
  )
})

test('an order by several fields scans at most its bound of records, except for one run', async () => {
  const records = openRecords(openMemoryKv(), {
    limits: { ...DEFAULT_LIMITS, maxScanned: 40, maxCollected: 30, maxSearchMs: 0 },
  })
  const items = Array.from({ length: 200 }, (_, at) =>
    makeBook(at + 1, { pages: Math.floor(at / 25), note: at === 180 ? 'x' : 'y' }),
  )
  await putBooks(records, items)
  const search = {
    orderBy: 'pages',
    thenBy: [{ orderBy: 'title' }],
    match: qry({ note: 'x' }),
    length: 5,
  }
  const first = await records.search(book, searchable, search)
  assert.deepEqual([first.records.length, first.scanned, first.next !== undefined], [0, 50, true])
  assert.deepEqual((await readPages(records, search)).ids, [181])
})

test('a run is read in slices, and other requests are served between them', async () => {
  const records = openRecords(openMemoryKv())
  const items = Array.from({ length: 8_000 }, (_, at) =>
    makeBook(at + 1, { sold: true, pages: at % 9 }),
  )
  await putBooks(records, items)
  let turns = 0
  const count = setInterval(() => (turns += 1), 0)
  try {
    const search = { orderBy: 'sold', thenBy: [{ orderBy: 'pages', descending: true }], length: 3 }
    const page = await records.search(book, searchable, search)
    assert.deepEqual(idsOf(page), [7_992, 7_983, 7_974])
  } finally {
    clearInterval(count)
  }
  assert.ok(turns > 0)
})

function queryOf({
  order,
  match,
  length,
  isShy,
}: {
  readonly order: readonly Order[]
  readonly match: readonly [unknown, unknown]
  readonly length: number
  readonly isShy: boolean
}): Query {
  const [first, ...thenBy] = order
  const isVisible = isShy ? isOdd : undefined
  return { ...first, thenBy, match: qry(match[0]), length, isVisible }
}

/** Reads all pages, until the last page or a refusal. */
async function readPages(records: Records, query: Query, between?: () => Promise<void>) {
  const ids: number[] = []
  const told: unknown[] = []
  let { start, cursor } = query
  for (;;) {
    try {
      const page = await records.search(book, searchable, { ...query, start, cursor })
      ids.push(...idsOf(page))
      told.push([page.total, page.next])
      cursor = page.next
      start = undefined
    } catch (error) {
      return { ids, told, code: (error as { code?: string }).code ?? String(error) }
    }
    if (cursor === undefined) return { ids, told, code: undefined }
    await between?.()
  }
}

function keyOf(name: string | null | undefined, item: Book): Buffer {
  if (name === null || name === undefined) return encodeKey([item.book_id])
  return encodeKey([toKeyPart(searchable.get(name)?.kind ?? 'string', item[name])])
}

function sortedBy(order: readonly Order[], items: readonly Book[]): readonly Book[] {
  const all = [...order, { orderBy: null, descending: order.at(-1)?.descending === true }]
  return items.toSorted((left, right) => {
    for (const { orderBy, descending } of all) {
      const found = Buffer.compare(keyOf(orderBy, left), keyOf(orderBy, right))
      if (found !== 0) return descending === true ? -found : found
    }
    return 0
  })
}

/** Where the first run begins that exceeds the limit; undefined if the order needs no sort. */
function longRunAt(
  order: readonly Order[],
  sorted: readonly Book[],
  max: number,
): number | undefined {
  const [first, second] = order
  if (first === undefined || second === undefined || first.orderBy === null) return undefined
  // The identifier in the same direction is the order of the index.
  if (second.orderBy === null && second.descending === first.descending) return undefined
  const runOf = (item: Book): string => keyOf(first.orderBy, item).toString('hex')
  const values = sorted.map(runOf)
  const at = values.findIndex((value) => values.filter((other) => other === value).length > max)
  return at === -1 ? undefined : at
}
