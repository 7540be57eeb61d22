// All entries of a search, page by page, by cursors: what is written meanwhile shifts nothing.

import type { Entry, EntryQuery } from '../../client/module-paths.ts'
import type { EntryRequests } from './entry-requests.ts'

const PAGE_ROWS = 1_000

export interface Listing {
  readonly requests: EntryRequests
  readonly query: EntryQuery
  readonly signal?: AbortSignal
  /** Of all, where the server tells it by itself. */
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
