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

export function columnKind(type: TypeCode): ColumnKind {
  const { kind, size } = COLUMN_TYPES[type]
  if (kind === 'string') return size === 'label' ? 'long' : size === 'values' ? 'choice' : 'text'
  return kind === 'date-time' ? 'time' : kind
}

export function isNumeric({ kind }: { readonly kind: ColumnKind }): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'number'
}
