// Lists all entries of a search page by page. Cursors keep the position stable during concurrent writes.

import type { Entry, EntryQuery } from '../../client/module-paths.ts'
import type { EntryRequests } from './entry-requests.ts'
import { ID, idOf } from './fields.ts'

const PAGE_ROWS = 1_000

/** Identifiers from one list position to another, inclusive. */
export async function idsBetween(
  { requests, query }: Pick<Listing, 'requests' | 'query'>,
  from: number,
  to: number,
): Promise<readonly number[]> {
  const ids: number[] = []
  const first = Math.floor(from / PAGE_ROWS)
  let place: EntryQuery = { start: first + 1 }
  for (let at = first * PAGE_ROWS; at <= to; ) {
    const asked = { ...query, ...place, fields: ID, length: PAGE_ROWS }
    const { datatable_entry: entries, page } = await requests.list(asked)
    for (const [step, entry] of entries.entries())
      if (at + step >= from && at + step <= to) ids.push(idOf(entry))
    if (page.next === null) break
    at += entries.length
    place = { cursor: page.next }
  }
  return ids
}

export interface Listing {
  readonly requests: EntryRequests
  readonly query: EntryQuery
  readonly signal?: AbortSignal
  /** Reports the total if the server counts it anyway. */
  readonly onTotal?: (total: number) => void
}

export async function* pagesOf(listing: Listing): AsyncGenerator<readonly Entry[]> {
  const { requests, query, signal, onTotal } = listing
  let cursor: string | null | undefined
  do {
    const asked = { ...query, length: PAGE_ROWS, ...(typeof cursor === 'string' && { cursor }) }
    const { datatable_entry: entries, page } = await requests.list(asked, signal)
    if (cursor === undefined && page.total !== null) onTotal?.(page.total)
    if (entries.length > 0) yield entries
    cursor = page.next
  } while (typeof cursor === 'string')
}

export async function* entriesOf(listing: Listing): AsyncGenerator<Entry> {
  for await (const page of pagesOf(listing)) yield* page
}
