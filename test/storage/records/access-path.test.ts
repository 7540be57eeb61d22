// The choice of the access path when several indexes match: the results are the same, the cost
// differs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOf } from '../../../lib/schema/time-slicing.ts'
import { buildAccessPath } from '../../../lib/storage/records/access-path.ts'
import { buildOrder, partCountsOf } from '../../../lib/storage/records/order.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { Query } from '../../../lib/storage/port.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { book, makeBook, qry, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'
import { idsOf, putBooks, search } from '../../helpers/search-books.ts'

/** Ten books of 1 page. Five have the title a, and two are sold. */
async function openBooks(): Promise<Kv> {
  const kv = openMemoryKv()
  const books = Array.from({ length: 10 }, (_, at) =>
    makeBook(at + 1, { pages: 1, title: at < 5 ? 'a' : 'b', sold: at < 2, weight: at }),
  )
  await putBooks(openRecords(kv), books)
  return kv
}

interface Asked {
  readonly ordered?: string
  readonly isMasked?: boolean
}

/** The fields whose indexes are read, and the properties of the path. */
function pathOf(kv: Kv, match: unknown, { ordered, isMasked = false }: Asked = {}): string {
  const isOrdered = ({ field }: { field: { name: string } }): boolean => field.name === ordered
  const finder = { kv, type: book, isOrdered, isMasked, maxCounted: 100 }
  const path = allOf(buildAccessPath(finder, qry(match)))
  if (path === undefined) return 'all records'
  const names = path.spans.map(({ field }) => field.name).join(', ')
  return `${names}${path.isExact ? ', exact' : ''}${path.isOnlyWay ? ', only way' : ''}`
}

const WAYS: readonly (readonly [match: unknown, way: string, asked?: Asked])[] = [
  [{ pages: 1 }, 'pages, exact, only way'],
  [{ book_id: 3 }, 'book_id, exact, only way'],
  [{ note: 'x' }, 'all records'],
  [{ $not: { pages: 1 } }, 'all records'],
  [{ pages: 1, title: 'a' }, 'title'],
  [{ title: 'a', pages: 1 }, 'title'],
  [{ pages: 1, title: 'a', sold: true }, 'sold'],
  [{ pages: 1, note: 'x' }, 'pages, only way'],
  [{ pages: { $in: [1, 2] } }, 'pages, pages, only way'],
  [{ $or: [{ pages: 1 }, { title: 'a' }] }, 'pages, title'],
  [{ $or: [{ pages: 1 }, { note: 'a' }] }, 'all records'],
  [{ pages: { $gte: 1, $lte: 2 } }, 'pages, exact, only way'],
  [{ tags: 1 }, 'tags, exact, only way'],
  [{ tags: { $gt: 1 } }, 'tags, only way'],
  [{ tags: null }, 'all records'],
  [{ title: { $startsWith: 'a' } }, 'title, only way'],
  // The text has a composed and a decomposed form.
  [{ title: 'é' }, 'title, title, only way'],
  [{ title: { $startsWith: 'é' } }, 'title, title, only way'],
  [{ title: { $regex: '^ab?' } }, 'title, only way'],
  [{ title: { $contains: 'a' } }, 'all records'],
  [{ sold: null }, 'all records', { isMasked: true }],
  [{ sold: null }, 'sold, exact, only way'],
  // With equal numbers of rows, an index that is already in order wins, otherwise the first index.
  [{ weight: { $gte: 5 }, title: 'a' }, 'weight'],
  [{ title: 'a', weight: { $gte: 5 } }, 'title'],
  [{ weight: { $gte: 5 }, title: 'a' }, 'title', { ordered: 'title' }],
  [{ weight: { $gte: 5 }, title: 'a' }, 'weight', { ordered: 'weight' }],
]

test('the narrowest index is read, and between equal ones the index in order', async () => {
  const kv = await openBooks()
  for (const [match, way, asked] of WAYS)
    assert.equal(pathOf(kv, match, asked), way, JSON.stringify(match))
})

test('a page continues after the last scanned record if all records are visible', async () => {
  const records = openRecords(openMemoryKv())
  await putBooks(
    records,
    Array.from({ length: 30 }, (_, at) => makeBook(at + 1, { note: at % 10 === 9 ? 'x' : 'y' })),
  )
  const query: Query = { match: qry({ note: 'x' }), length: 1 }
  const first = await search(records, query)
  assert.equal(first.scanned, 20)
  const second = await search(records, { ...query, cursor: first.next })
  assert.equal(second.scanned, 11)

  // A masked search skips the optimization, because it would reveal hidden records.
  const visible: Query = { ...query, isVisible: () => true }
  const page = await search(records, visible)
  assert.equal((await search(records, { ...visible, cursor: page.next })).scanned, 20)
})

test('a range of more than a thousand records is returned in its own order, and a shorter one by identifier', async () => {
  for (const [count, isLong] of [
    [1_000, false],
    [1_001, true],
  ] as const) {
    const records = openRecords(openMemoryKv())
    const books = Array.from({ length: count }, (_, at) => makeBook(at + 1, { pages: count - at }))
    await putBooks(records, books)
    const page = await search(records, { match: qry({ pages: { $gte: 1 } }), length: 2 })
    assert.deepEqual(idsOf(page), isLong ? [count, count - 1] : [1, 2])
  }
})

test('a cursor has a part for each field and the identifier, and one more only if runs are sorted', () => {
  const counts = (query: Omit<Query, 'length'>): readonly number[] =>
    partCountsOf(buildOrder(book, searchable, { length: 1, ...query }))
  assert.deepEqual(counts({}), [1])
  assert.deepEqual(counts({ orderBy: 'title' }), [2])
  assert.deepEqual(counts({ orderBy: 'book_id', thenBy: [{ orderBy: 'title' }] }), [1])
  assert.deepEqual(counts({ orderBy: 'title', thenBy: [{ orderBy: 'pages' }] }), [3, 4])
  assert.deepEqual(
    counts({ orderBy: 'title', thenBy: [{ orderBy: null, descending: true }] }),
    [2, 3],
  )
})
