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

const BYTES: Readonly<Partial<Record<TypeCode, number>>> = { I1: 1, I2: 2, L: 1, D: 3, ENUM: 2 }
const INTEGER_BYTES = 4
const OTHER_BYTES = 8
/** Of a long text: where it lies. */
const POINTER_BYTES = 12
const CHARACTER_BYTES = 4

/** In a row of MySQL, with utf8mb4. */
function sizeOf({ type, size }: Column): number {
  const { kind } = COLUMN_TYPES[type]
  if (isLong(type)) return POINTER_BYTES
  if (type === 'C' || type === 'C2') return (size ?? 0) * CHARACTER_BYTES + 2
  // Nine digits take four bytes.
  if (type === 'N') return Math.ceil((size ?? 10) / 9) * 4
  return BYTES[type] ?? (kind === 'integer' && type !== 'I8' ? INTEGER_BYTES : OTHER_BYTES)
}
