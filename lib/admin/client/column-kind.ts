// How the values of a column are shown and entered, derived from the type of the column.

import { COLUMN_TYPES, type TypeCode } from '../../shared/column-types.ts'

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

export function columnKind(type: TypeCode): ColumnKind {
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

const UNSORTED: ReadonlySet<ColumnKind> = new Set(['long', 'choices', 'json', 'point'])

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
