// Columns for tests: a short notation, and rendering back to text.

import { COLUMN_TYPES, type TypeCode } from '../../../lib/shared/column-types.ts'
import type { Column } from '../../../lib/schema/columns/column.ts'

export function column(
  name: string,
  type: TypeCode,
  rest: Partial<Omit<Column, 'name' | 'type'>> = {},
): Column {
  return { name, type, isRequired: false, isUnsigned: false, ...rest }
}

/** Returns the types that none of these columns uses. Columns are written like `C(9) NOTNULL`. */
export function missingTypes(columns: readonly string[]): readonly string[] {
  const written = new Set(columns.map((text) => /^\w+/.exec(text)?.[0]))
  return Object.keys(COLUMN_TYPES).filter((code) => !written.has(code))
}

/** Returns the table_schema of these columns. */
export function render(columns: readonly Column[]): string {
  return columns.map(renderColumn).join(', ')
}

function renderColumn(item: Column): string {
  const words = [item.name, `${item.type}${renderSize(item)}`, ...renderDefault(item)]
  if (item.isUnsigned) words.push('UNSIGNED')
  words.push(item.isRequired ? 'NOTNULL' : 'NULL')
  return words.join(' ')
}

function renderSize({ size, scale, values }: Column): string {
  // A closing parenthesis inside a token and a quote inside a value are written twice.
  if (values !== undefined) {
    const list = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(',')
    return `(${list.replaceAll(')', '))')})`
  }
  if (size === undefined) return ''
  return scale === undefined ? `(${size})` : `(${size}.${scale})`
}

function renderDefault({ default: value }: Column): readonly string[] {
  if (value === undefined) return []
  if (typeof value === 'object') return ['DEFTIMESTAMP']
  return ['DEFAULT', `'${String(value).replaceAll("'", "''")}'`]
}
