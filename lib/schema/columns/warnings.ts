// What a table_schema says that is accepted, but will not do what its author may expect.

import { COLUMN_TYPES, type Column, type TypeCode } from './column.ts'
import type { NamedOptions } from './shared-keys.ts'
import { show } from './tokens.ts'

/** MySQL holds no longer row, and these tables come from there or may go there. */
const MAX_ROW_BYTES = 65_535
const MAX_NAMES = 5

export function findWarnings(
  columns: readonly Column[],
  read: readonly NamedOptions[],
): readonly string[] {
  const rowBytes = columns.reduce((sum, column) => sum + sizeOf(column), 0)
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const ignored = read
    .filter(({ name, options }) => options.isIndexed && isLong(types.get(name)))
    .map(({ name }) => name)

  return [
    ...(rowBytes > MAX_ROW_BYTES
      ? [
          `A row takes up to ${rowBytes} bytes, and in MySQL at most ${MAX_ROW_BYTES} are possible. It is no limit here; to be able to move the table there, make long columns X.`,
        ]
      : []),
    ...(ignored.length > 0
      ? [
          `INDEX is ignored at ${namesOf(ignored)}: long texts have no index, and a search on them reads every entry.`,
        ]
      : []),
  ]
}

function isLong(type: TypeCode | undefined): boolean {
  return type !== undefined && COLUMN_TYPES[type].size === 'label'
}

function namesOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  const shown = names.slice(0, MAX_NAMES).map(show).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** Of a long text: where it lies. */
const POINTER_BYTES = 12
const CHARACTER_BYTES = 4

/** In a row of MySQL, with utf8mb4. */
function sizeOf({ type, size }: Column): number {
  switch (type) {
    case 'C':
    case 'C2':
      return (size ?? 0) * CHARACTER_BYTES + 2
    case 'X':
    case 'X2':
    case 'XL':
    case 'B':
      return POINTER_BYTES
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
    case 'F':
    case 'T':
    case 'TS':
      return 8
    case 'N':
      // Nine digits take four bytes.
      return Math.ceil((size ?? 10) / 9) * 4
  }
}
