// The search and order of entries, stored in the URL so that a link shows the same list.

import { MAX_LIST_LENGTH } from '../../../shared/limits.ts'
import type { Entry, EntryQuery } from '../../client/module-paths.ts'
import { Problem } from '../../client/problem.ts'
import type { Sort } from '../../ui/table.tsx'
import { conditionsOf } from './conditions.ts'
import { isSortable } from '../../client/column-kind.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, ID, idOf } from './fields.ts'

export interface EntryView {
  /** In the syntax of the API; '' for all entries. */
  readonly qry: string
  /** Searched in all text columns. */
  readonly text: string
  readonly sort: Sort | undefined
}

export function viewOf(query: Readonly<Record<string, string>>): EntryView {
  const { qry = '', text = '', sort = '' } = query
  const isDown = sort.startsWith('-')
  const by = isDown ? sort.slice(1) : sort
  return { qry, text, sort: by === '' ? undefined : { by, isDown } }
}

/** The URL query with its question mark; '' without search and order. */
export function addressOf({ qry, text, sort }: EntryView, at?: number): string {
  const parts = new URLSearchParams({
    ...(qry !== '' && { qry }),
    ...(text !== '' && { text }),
    ...(sort !== undefined && { sort: `${sort.isDown ? '-' : ''}${sort.by}` }),
    ...(at !== undefined && { at: String(at) }),
  }).toString()
  return parts === '' ? '' : `?${parts}`
}

export function listQueryOf({ qry, text, sort }: EntryView): EntryQuery {
  return {
    ...(qry !== '' && { qry }),
    ...(text !== '' && { table_filter: text }),
    ...(sort !== undefined && { orderStr: sort.by, orderDir: sort.isDown ? 'DESC' : 'ASC' }),
  }
}

export function isFiltered({ qry, text }: EntryView): boolean {
  return qry !== '' || text !== ''
}

/** Conditions that an index answers, counts and skips through. */
const INDEXED: ReadonlySet<string> = new Set(['is', 'starts', 'gt', 'gte', 'lt', 'lte', 'between'])

/**
 * Whether the server can jump to any position: with at most one condition on an index, in the order of that index.
 * Otherwise it scans entries one by one.
 */
export function isQuick({ qry, text, sort }: EntryView, fields: readonly EntryField[]): boolean {
  if (text !== '') return false
  const conditions = conditionsOf(qry, fields)
  if (conditions === undefined || conditions.length > 1) return false
  const [only] = conditions
  if (only === undefined) return true
  const field = fields.find(({ name }) => name === only.field)
  const isIndexed = field === undefined || isSortable(field)
  const isOwnOrder = sort === undefined || sort.by === only.field
  return isIndexed && INDEXED.has(only.operator) && isOwnOrder
}

/** The error is shown next to the query. */
export function isBadQuery(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'bad-qry' || error.code === 'ambiguous-column')
}

/** Identifiers from one list position to another, inclusive. */
export async function idsBetween(
  { requests, query }: Pick<Listing, 'requests' | 'query'>,
  from: number,
  to: number,
): Promise<readonly number[]> {
  const ids: number[] = []
  const first = Math.floor(from / MAX_LIST_LENGTH)
  let place: EntryQuery = { start: first + 1 }
  for (let at = first * MAX_LIST_LENGTH; at <= to; ) {
    const asked = { ...query, ...place, fields: ID, length: MAX_LIST_LENGTH }
    const { datatable_entry: entries, page } = await requests.list(asked)
    for (const [step, entry] of entries.entries())
      if (at + step >= from && at + step <= to) ids.push(idOf(entry))
    if (page.next === null) break
    at += entries.length
    place = { cursor: page.next }
  }
  return ids
}

interface Listing {
  readonly requests: EntryRequests
  readonly query: EntryQuery
  readonly signal?: AbortSignal
  /** Reports the total if the server counts it anyway. */
  readonly onTotal?: (total: number) => void
}

/** Cursors keep the position stable during concurrent writes. */
export async function* pagesOf(listing: Listing): AsyncGenerator<readonly Entry[]> {
  const { requests, query, signal, onTotal } = listing
  let cursor: string | null | undefined
  do {
    const asked = {
      ...query,
      length: MAX_LIST_LENGTH,
      ...(typeof cursor === 'string' && { cursor }),
    }
    const { datatable_entry: entries, page } = await requests.list(asked, signal)
    if (cursor === undefined && page.total !== null) onTotal?.(page.total)
    if (entries.length > 0) yield entries
    cursor = page.next
  } while (typeof cursor === 'string')
}

export async function* entriesOf(listing: Listing): AsyncGenerator<Entry> {
  for await (const page of pagesOf(listing)) yield* page
}
