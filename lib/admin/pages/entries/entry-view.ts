// What of the entries is shown, and in which order. It stands in the address, so that a link shows the same.

import { Problem } from '../../client/problem.ts'
import type { Sort } from '../../ui/table.tsx'
import type { EntryQuery } from '../../client/module-paths.ts'
import { conditionsOf } from './conditions.ts'
import type { EntryField } from './fields.ts'

export interface EntryView {
  /** As the interface takes it; '': all. */
  readonly qry: string
  /** In any of the texts. */
  readonly text: string
  readonly sort: Sort | undefined
}

export function viewOf(query: Readonly<Record<string, string>>): EntryView {
  const { qry = '', text = '', sort = '' } = query
  const isDown = sort.startsWith('-')
  const by = isDown ? sort.slice(1) : sort
  return { qry, text, sort: by === '' ? undefined : { by, isDown } }
}

/** Of an address, with its question mark; '' where there is nothing to say. */
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

/** What an index finds and counts by itself, and of which it passes over as many as one likes. */
const INDEXED: ReadonlySet<string> = new Set(['is', 'starts', 'gt', 'gte', 'lt', 'lte', 'between'])

/**
 * Whether the server comes to any place in it at once: there is at most one condition, which an index tells alone, and
 * the order is that of the index. All else it finds by looking at one entry after the other.
 */
export function isQuick({ qry, text, sort }: EntryView, fields: readonly EntryField[]): boolean {
  if (text !== '') return false
  const conditions = conditionsOf(qry, fields)
  if (conditions === undefined || conditions.length > 1) return false
  const [only] = conditions
  if (only === undefined) return true
  const isIndexed = fields.find(({ name }) => name === only.field)?.kind !== 'long'
  const isOwnOrder = sort === undefined || sort.by === only.field
  return isIndexed && INDEXED.has(only.operator) && isOwnOrder
}

/** It is told where the search is written. */
export function isBadQuery(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'bad-qry' || error.code === 'ambiguous-column')
}
