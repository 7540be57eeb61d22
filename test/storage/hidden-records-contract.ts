// The contract of Query.isVisible for every engine: a hidden record does not affect a page. Two
// shelves that differ only in hidden books return the same pages for every query.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '../../lib/schema/values.ts'
import type { Page, Query, Records } from '../../lib/storage/port.ts'
import { type Book, makeBook, qry } from '../helpers/book.ts'
import type { OpenStore } from '../helpers/open-store.ts'
import { idsOf, putBooks, search } from '../helpers/search-books.ts'

/** Every third book is hidden. */
const isVisible = (record: JsonObject): boolean => Number(record['book_id']) % 3 !== 0

/** A range with this many records is read in its own order. */
const BOOKS = 1_800

const BY_TITLE: Partial<Query> = { orderBy: 'sold', thenBy: [{ orderBy: 'title' }] }

const QUERIES: readonly (readonly [string, Partial<Query>])[] = [
  ['all', {}],
  ['all, counted', { count: true }],
  ['a prefix', { match: qry({ title: { $startsWith: 'a' } }) }],
  ['a prefix, counted', { match: qry({ title: { $startsWith: 'a' } }), count: true }],
  ['a prefix in its order', { match: qry({ title: { $startsWith: 'a' } }), orderBy: 'title' }],
  ['a range', { match: qry({ pages: { $gte: 100 } }) }],
  ['a value', { match: qry({ sold: true }) }],
  ['two fields', { match: qry({ sold: true, pages: { $lt: 400 } }) }],
  ['one of two', { match: qry({ $or: [{ sold: true }, { pages: { $lt: 400 } }] }) }],
  ['a value of only hidden records', { match: qry({ title: { $startsWith: 'hidden' } }) }],
  ['the last first', { orderBy: 'pages', descending: true }],
  ['by two fields', { orderBy: 'sold', thenBy: [{ orderBy: 'pages', descending: true }] }],
  ['a value by two fields', { match: qry({ sold: true }), ...BY_TITLE }],
  ['a prefix by two fields', { match: qry({ title: { $startsWith: 'a' } }), ...BY_TITLE }],
  ['a late page', { start: 4 }],
  ['a late page in order', { orderBy: 'title', start: 4 }],
]

export function hiddenRecordsContract(open: OpenStore): void {
  describe('hidden records change nothing of a page:', () => {
    // The tests only read, so they share two shelves.
    let shelves: readonly Records[]
    let close = async (): Promise<unknown> => undefined
    before(async () => {
      const stores = [await open(), await open()]
      close = () => Promise.all(stores.map((store) => store.close()))
      shelves = stores.map(({ records }) => records)
      for (const [at, records] of shelves.entries()) await putBooks(records, booksOf(at))
    })
    after(() => close())

    for (const [what, query] of QUERIES) {
      test(what, async () => {
        for (const length of [23, 100]) {
          const pages = shelves.map((shelf) => readPages(shelf, { ...query, length }))
          const [one, other] = await Promise.all(pages)
          assert.deepEqual(one, other)
        }
      })
    }

    test('a search does not compare hidden values', async () => {
      const [records] = shelves
      assert.ok(records)
      const query = {
        match: qry({ title: 'a-1' }),
        length: 5,
        isVisible: () => true,
        compared: (record: JsonObject) => ({ ...record, title: null }),
      }
      assert.deepEqual(idsOf(await search(records, query)), [])
      const none = { ...query, match: qry({ title: null }) }
      assert.deepEqual(idsOf(await search(records, none)), [1, 2, 3, 4, 5])
    })
  })
}

/** The second shelf has different hidden books and lacks many of them. */
function booksOf(shelf: number): readonly Book[] {
  const all = Array.from({ length: BOOKS }, (_, index) => index + 1)
  const books = all.map((id) => {
    const isHidden = !isVisible({ book_id: id })
    const seed = isHidden ? id * 7 + shelf * 13 : id
    const title = isHidden && shelf === 1 ? `hidden-${seed}` : `a-${seed}`
    return makeBook(id, { title, pages: (seed * 37) % 900, sold: seed % 2 === 0 })
  })
  return books.filter(
    ({ book_id: id }) => shelf === 0 || isVisible({ book_id: id }) || id % 2 === 0,
  )
}

type Told = Pick<Page, 'next' | 'total'> & { readonly ids: readonly number[] }

async function readPages(records: Records, query: Query): Promise<readonly Told[]> {
  const told: Told[] = []
  let { cursor } = query
  do {
    const start = cursor === undefined ? query.start : undefined
    const page = await search(records, { ...query, start, cursor, isVisible })
    told.push({ ids: idsOf(page), next: page.next, total: page.total })
    cursor = page.next
  } while (cursor !== undefined)
  return told
}
