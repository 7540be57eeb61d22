// Guesses a schema from the rows of a CSV file: names from the header, types from the values. Columns with mixed
// values become text. The user reviews the guess before the table is created.

import { MAX_DIGITS } from '../../../shared/column-types.ts'
import { columnName } from './schema-columns.ts'

/** Base fields of every entry. A column cannot have these names, and exported tables contain them. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'datatable_entry_id',
  'calendar_entry_id',
  'datatable_id',
  'calendar_id',
  'date_added',
  'date_modified',
  'owner',
])

const INT_32 = 2_147_483_647n
const INT_64 = 9_223_372_036_854_775_807n
const SHORT = 255

export interface Rows {
  readonly heading: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Returns the schema text; '' without a header. */
export function guessSchema({ heading, rows }: Rows): string {
  const taken = new Set<string>()
  return heading
    .flatMap((head, at) => {
      if (OWN_FIELDS.has(head.trim().toLowerCase())) return []
      const name = freeName(nameOf(head, at + 1), taken)
      const values = rows.map((row) => row[at] ?? '').filter((value) => value !== '')
      return [`${name} ${guessType(values)}`]
    })
    .join(',\n')
}

/** `Prix (€)` → `Prix`; headings without usable letters get a number. */
function nameOf(head: string, number: number): string {
  const plain = columnName(head).replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '').slice(0, 60)
  if (plain === '') return `column_${number}`
  return /^\d+$/.test(plain) ? `c_${plain}` : plain
}

function freeName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}_${number}`
    if (taken.has(free.toLowerCase())) continue
    taken.add(free.toLowerCase())
    return free
  }
}

export function guessType(values: readonly string[]): string {
  if (values.length === 0) return `C(${SHORT})`
  const all = (is: (value: string) => boolean): boolean => values.every(is)
  if (all((value) => /^(?:true|false)$/i.test(value))) return 'L'
  if (all(isInteger)) return integerType(values.map(BigInt))
  if (all(isDecimal)) return decimalType(values)
  if (all(isDay)) return 'D'
  if (all(isTime)) return 'T'
  return all((value) => value.length <= SHORT && !value.includes('\n')) ? `C(${SHORT})` : 'X'
}

/** Leading zeros mean an article number or a postal code. */
function isInteger(value: string): boolean {
  return /^-?(?:0|[1-9]\d{0,18})$/.test(value) && absolute(BigInt(value)) <= INT_64
}

function integerType(values: readonly bigint[]): string {
  return values.every((value) => absolute(value) <= INT_32) ? 'I' : 'I8'
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

function isDecimal(value: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) && value.length < MAX_DIGITS
}

/** Leaves room for a few more digits. */
function decimalType(values: readonly string[]): string {
  const parts = values.map((value) => value.replace('-', '').split('.'))
  const whole = Math.max(...parts.map(([digits = '']) => digits.length))
  const decimals = Math.max(...parts.map(([, digits = '']) => digits.length))
  return `N(${Math.min(Math.max(whole + decimals + 2, 12), MAX_DIGITS)}.${decimals})`
}

function isDay(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
}

function isTime(value: string): boolean {
  const isWritten = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(value)
  return isWritten && !Number.isNaN(Date.parse(value))
}
