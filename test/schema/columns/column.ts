// Columns for the tests: written short, and written back as text.

import { COLUMN_TYPES, type TypeCode } from '../../../lib/shared/column-types.ts'
import type { Column } from '../../../lib/schema/columns/column.ts'

export function column(
  name: string,
  type: TypeCode,
  rest: Partial<Omit<Column, 'name' | 'type'>> = {},
): Column {
  return { name, type, isRequired: false, isUnsigned: false, ...rest }
}

/** Types of which none of these columns is, each written like `C(9) NOTNULL`. */
export function missingTypes(columns: readonly string[]): readonly string[] {
  const written = new Set(columns.map((text) => /^\w+/.exec(text)?.[0]))
  return Object.keys(COLUMN_TYPES).filter((code) => !written.has(code))
}

/** table_schema of these columns. */
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
  // In the parentheses of a token a closing one is written twice, in a value a quote.
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
