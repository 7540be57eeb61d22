// Converts a row of a file to the body of a request.
//
// A row with an identifier changes that entry; a row without one creates a new entry. Fields that the server
// maintains (date_added, date_modified, owner, calendar_id) are left out, so that an export can be imported.
// CSV has no types: a text becomes a boolean if its column is boolean, and a list, a point or JSON by the form of
// shared/value-text.ts. All other texts are sent unchanged, because the server reads numbers and dates from texts without
// losing a digit.

import { jsonWithDigits, textOfNumber } from '../base/exact-number.ts'
import { parseIdentifier } from '../schema/names.ts'
import { isTexted, readValue } from '../shared/value-text.ts'
import type { ModuleInfo } from './module-info.ts'

/** Counted from 1, without the header. */
export interface NumberedRow {
  readonly row: number
  /** Identifier of the entry to change; undefined for a new entry. */
  readonly id: number | undefined
  /** JSON text. */
  readonly body: string
}

export interface RowFault {
  readonly row: number
  readonly fault: string
}

export type Row = Readonly<Record<string, unknown>>

export interface RowRules {
  readonly module: ModuleInfo
  /** Ignores identifiers in the file: every row creates a new entry. */
  readonly asNew: boolean
  /** Whether the rows come from a CSV file, so that all values are texts. */
  readonly isCsv: boolean
}

export function isRow(value: unknown): value is Row {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && textOfNumber(value) === undefined
}

export function prepareRow(
  { module, asNew, isCsv }: RowRules,
  value: unknown,
  row: number,
): NumberedRow | RowFault {
  if (!isRow(value)) return { row, fault: 'it is not an object' }
  const { idField, columns } = module
  const given = asNew ? null : (value[idField] ?? null)
  const id = given === null ? undefined : parseId(given)
  if (given !== null && id === undefined)
    return { row, fault: `${idField} must be a whole number from 1` }

  const body: string[] = []
  for (const [name, item] of Object.entries(value)) {
    if (!columns.has(name)) continue
    const kind = columns.get(name)
    const isNested = typeof item === 'object' && item !== null && textOfNumber(item) === undefined
    if (isNested && !isTexted(kind) && !(kind === 'integers' && Array.isArray(item)))
      return { row, fault: `${name} contains a list or an object, but a column has a single value` }
    // As a string, such a text would be a valid value.
    if (isCsv && kind === 'json' && typeof item === 'string' && readValue(kind, item) === undefined)
      return { row, fault: `${name} is not valid JSON, or has a number with too many digits` }
    // A new entry gets the default of the column, or the error that the column is required.
    if (item === null && id === undefined) continue
    body.push(`${JSON.stringify(name)}:${toJson({ kind, isCsv }, item)}`)
  }
  return { row, id, body: `{${body.join(',')}}` }
}

export function parseId(value: unknown): number | undefined {
  const id = typeof value === 'string' ? parseIdentifier(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 1 ? id : undefined
}

interface Cell {
  readonly kind: string | undefined
  readonly isCsv: boolean
}

/** A number that a double cannot represent is sent with the digits of the file. */
function toJson({ kind, isCsv }: Cell, value: unknown): string {
  if (typeof value !== 'string') return jsonWithDigits(value)
  if (kind === 'boolean') return JSON.stringify(BOOLEANS.get(value.toLowerCase()) ?? value)
  // In the other formats, a string in a JSON column is a string.
  const isForm = isTexted(kind) && (isCsv || kind !== 'json')
  return JSON.stringify(isForm ? (readValue(kind, value) ?? value) : value)
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
