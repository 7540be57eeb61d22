// The search and order of entries, stored in the URL so that a link shows the same list.

import { Problem } from '../../client/problem.ts'
import type { Sort } from '../../ui/table.tsx'
import type { EntryQuery } from '../../client/module-paths.ts'
import { conditionsOf } from './conditions.ts'
import type { EntryField } from './fields.ts'

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
  const isIndexed = fields.find(({ name }) => name === only.field)?.kind !== 'long'
  const isOwnOrder = sort === undefined || sort.by === only.field
  return isIndexed && INDEXED.has(only.operator) && isOwnOrder
}

/** The error is shown next to the query. */
export function isBadQuery(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'bad-qry' || error.code === 'ambiguous-column')
}
