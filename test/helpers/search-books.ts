// Searches of the books in book.ts.

import assert from 'node:assert/strict'
import type { Stored } from '../../lib/schema/values.ts'
import type { Page, Query, Records } from '../../lib/storage/port.ts'
import { parseRecord } from '../../lib/storage/records/format.ts'
import { type Book, book, searchable } from './book.ts'

export async function search(records: Records, query: Query): Promise<Page> {
  return records.search(book, searchable, query)
}

export function putBooks(records: Records, books: readonly Book[]): Promise<void> {
  return records.commit((unit) => {
    for (const item of books) unit.put(book, [item.book_id], item)
  })
}

export function idsOf(page: Page): number[] {
  return page.records.map(idOf)
}

export function idOf(stored: Stored): number {
  return Number(parseRecord(book, stored)['book_id'])
}

/** The identifiers of all pages; `between` runs after each page. */
export async function readAll(
  records: Records,
  query: Query,
  between: (page: Page) => Promise<void> = async () => {},
): Promise<number[]> {
  const ids: number[] = []
  for (let { cursor } = query; ; ) {
    const page = await search(records, { ...query, cursor })
    ids.push(...idsOf(page))
    if (page.next === undefined) return ids
    assert.ok(page.records.length === query.length, 'a page with a next one is full')
    cursor = page.next
    await between(page)
  }
}
