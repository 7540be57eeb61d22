// Searches over large records: bytes bound pages and steps, in addition to the number of records.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Query, Records } from '../../../lib/storage/port.ts'
import { parseRecord, recordRange } from '../../../lib/storage/records/format.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { DEFAULT_LIMITS } from '../../../lib/storage/records/search.ts'
import { pairChunks } from '../../../lib/storage/records/slices.ts'
import { type Book, book, makeBook, qry, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

test('a page stays within its bound of bytes, but has at least one record', async () => {
  const long = 'x'.repeat(1_000)
  const items = Array.from({ length: 7 }, (_, at) => makeBook(at + 1, { note: long, sold: true }))
  const records = await openWith(items, 3_500)

  for (const match of [undefined, qry({ sold: true }), qry({ note: { $contains: 'x' } })]) {
    const page = await records.search(book, searchable, { match, length: 5 })
    assert.deepEqual(idsOf(page), [1, 2, 3])
    assert.deepEqual(await readAll(records, { match, length: 5 }), [1, 2, 3, 4, 5, 6, 7])
  }
  const narrow = await openWith(items, 10)
  const one = await narrow.search(book, searchable, { length: 5 })
  assert.deepEqual([idsOf(one), one.next === undefined], [[1], false])
})

test('large records are read a few at a time and checked again after a pause', async () => {
  const note = 'x'.repeat(600_000)
  const items = Array.from({ length: 9 }, (_, at) => makeBook(at + 1, { note, sold: true }))
  const kv = openMemoryKv()
  const records = openRecords(kv)
  await records.commit((unit) => items.map((item) => unit.put(book, [item.book_id], item)))

  const sizes = [...pairChunks(kv, recordRange(kv, book))].map((chunk) => chunk.length)
  assert.deepEqual(sizes, [2, 2, 2, 2, 1])
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  for (const search of [{}, { orderBy: 'sold' }, { match: qry({ sold: true }) }]) {
    assert.deepEqual(await readAll(records, { ...search, length: 9 }), all)
  }
})

async function openWith(items: readonly Book[], maxPageBytes: number): Promise<Records> {
  const limits = { ...DEFAULT_LIMITS, maxPageBytes }
  const records = openRecords(openMemoryKv(), { limits })
  await records.commit((unit) => items.map((item) => unit.put(book, [item.book_id], item)))
  return records
}

async function readAll(records: Records, search: Query): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const page = await records.search(book, searchable, { ...search, cursor })
    ids.push(...idsOf(page))
    cursor = page.next
  } while (cursor !== undefined)
  return ids
}

function idsOf(page: Page): number[] {
  return page.records.map((stored) => Number(parseRecord(book, stored)['book_id']))
}
