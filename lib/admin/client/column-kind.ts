// How the values of a column are shown and entered, derived from the type of the column.

import { COLUMN_TYPES, type TypeCode } from '../../shared/column-types.ts'
import type { References } from './references.ts'

export type ColumnKind =
  | 'text'
  | 'long'
  | 'choice'
  | 'integer'
  | 'decimal'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'uuid'
  | 'choices'
  | 'json'
  | 'point'
  | 'reference'
  | 'references'

/** Includes the columns whose values are identifiers of other records. */
export function kindOfColumn({ type = 'C', references }: TypedColumn): ColumnKind {
  if (references === null || references === undefined) return columnKind(type)
  return references.isMany ? 'references' : 'reference'
}

interface TypedColumn {
  readonly type?: TypeCode
  readonly references?: References | null
}

export function columnKind(type: TypeCode): Exclude<ColumnKind, 'reference' | 'references'> {
  const { kind, size, isIndexed } = COLUMN_TYPES[type]
  if (kind === 'string') return isIndexed ? (size === 'values' ? 'choice' : 'text') : 'long'
  if (kind === 'strings') return 'choices'
  return kind === 'date-time' ? 'time' : kind
}

export function isNumeric({ kind }: { readonly kind: ColumnKind }): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'number'
}

/** Whether lists can be sorted by columns of the kind, and jump to any position in this order. */
export function isSortable({ kind }: { readonly kind: ColumnKind }): boolean {
  return !UNSORTED.has(kind)
}

const UNSORTED: ReadonlySet<ColumnKind> = new Set([
  'long',
  'choices',
  'json',
  'point',
  'references',
])

/** The type of the HTML input for a value of one line. */
export function inputType(type: TypeCode): 'text' | 'email' | 'url' | 'date' {
  switch (type) {
    case 'EMAIL':
      return 'email'
    case 'URL':
      return 'url'
    case 'D':
      return 'date'
    default:
      return 'text'
  }
}
