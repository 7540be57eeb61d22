// Warnings about an accepted table_schema that may not do what its author expects.

import { COLUMN_TYPES, type TypeCode } from '../../shared/column-types.ts'
import type { Column } from './column.ts'
import { FORMS, isFormatted } from './formatted-text.ts'
import type { NamedColumn } from './named-columns.ts'
import { show } from './tokens.ts'

/** The maximum row size of MySQL, because such tables are often moved from or to MySQL. */
const MAX_ROW_BYTES = 65_535
const MAX_NAMES = 5

export function findWarnings(
  columns: readonly Column[],
  read: readonly NamedColumn[],
): readonly string[] {
  const rowBytes = columns.reduce((sum, column) => sum + sizeOf(column), 0)
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const ignored = read
    .filter(({ name, options }) => options.isIndexed && isUnindexed(types.get(name)))
    .map(({ name }) => name)

  return [
    ...(rowBytes > MAX_ROW_BYTES
      ? [
          `A row takes up to ${rowBytes} bytes, but MySQL allows at most ${MAX_ROW_BYTES}. This server has no such limit; to be able to move the table to MySQL, use X for long columns.`,
        ]
      : []),
    ...(ignored.length > 0
      ? [
          `INDEX is ignored for ${namesOf(ignored)}: columns of these types have no index, and a search in them reads every entry.`,
        ]
      : []),
  ]
}

function isUnindexed(type: TypeCode | undefined): boolean {
  return type !== undefined && !COLUMN_TYPES[type].isIndexed
}

function namesOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  const shown = names.slice(0, MAX_NAMES).map(show).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** Bytes of the pointer to a long text. */
const POINTER_BYTES = 12
const CHARACTER_BYTES = 4

/** Row size in MySQL, with utf8mb4. */
function sizeOf({ type, size }: Column): number {
  if (isFormatted(type)) return FORMS[type].maxLength * CHARACTER_BYTES + 2
  switch (type) {
    case 'C':
    case 'C2':
      return (size ?? 0) * CHARACTER_BYTES + 2
    case 'X':
    case 'X2':
    case 'XL':
    case 'B':
    case 'MD':
    case 'HTML':
    case 'JSON':
      return POINTER_BYTES
    case 'POINT':
      return 25
    case 'UUID':
      return 16
    case 'I1':
    case 'L':
      return 1
    case 'I2':
    case 'ENUM':
      return 2
    case 'D':
      return 3
    case 'I':
    case 'I4':
    case 'R':
      return 4
    case 'I8':
    case 'SET':
    case 'F':
    case 'T':
    case 'TS':
      return 8
    case 'N':
      // Nine digits take four bytes.
      return Math.ceil((size ?? 10) / 9) * 4
  }
}
