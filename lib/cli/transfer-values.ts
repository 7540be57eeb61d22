// Parses values of the flags of import and export.

import { InvalidArgumentError } from 'commander'
import { DELIMITERS } from '../shared/csv-dialect.ts'
import type { Order } from '../client/export-entries.ts'
import { parseRange, type RowRange } from '../client/row-ranges.ts'

export function readDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text
  if (DELIMITERS.some((known) => known === delimiter)) return delimiter
  throw new InvalidArgumentError('Give a comma, a semicolon or the word "tab".')
}

export function readRows(text: string): RowRange {
  const range = parseRange(text)
  if (range !== undefined) return range
  throw new InvalidArgumentError(
    'Give a range such as 1001-2000, or 1001- for all rows from 1001 on.',
  )
}

export function readFields(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return names
  throw new InvalidArgumentError('Give column names separated by commas.')
}

/** Accepts `name`, "name asc" and "name desc". */
export function readOrder(text: string): Order {
  const found = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/i.exec(text)
  if (found === null) throw new InvalidArgumentError('Give a field, such as name or "name desc".')
  return { field: found[1] ?? '', isDescending: found[2]?.toLowerCase() === 'desc' }
}
