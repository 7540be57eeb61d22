// Converts values of a column whose type changed or whose limits became smaller. Entries are not rewritten: the
// conversion happens whenever an entry is read (schema/layout.ts).
//
// A value becomes what the column would store if a client sent its text, and null if the column rejects it.
// Texts are never cut and numbers never rounded.

import type { JsonValue } from '../values.ts'
import { parseScalar } from '../field-value.ts'
import { COLUMN_TYPES } from '../../shared/column-types.ts'
import type { Column } from './column.ts'
import { columnField } from './column-field.ts'

export type Converter = (value: JsonValue) => JsonValue

/** Never throws. Null stays null. */
export function converterTo(column: Column): Converter {
  const { check } = columnField(column)
  const formOf = FORMS[kindOf(column)] ?? String

  return (value) => {
    if (value === null || typeof value === 'object') return null
    const checked = check(formOf(value))
    return checked.ok ? checked.value : null
  }
}

/** Whether the original value can be recovered from the converted value. */
export function isKept(
  { from, to }: { readonly from: Column; readonly to: Column },
  value: JsonValue,
  converted: JsonValue,
): boolean {
  if (converted === null || typeof converted === 'object') return value === null
  const isFromText = kindOf(from) === 'string'
  switch (kindOf(to)) {
    case 'integer':
    case 'number':
    case 'decimal':
      // 007 may be a number, or an identifier with leading zeros.
      return isFromText ? String(converted) === value : amountOf(value) === amountOf(converted)
    case 'date':
      return value === converted || value === `${converted}T00:00:00.000Z`
    case 'date-time':
      return kindOf(from) === 'date' || value === converted || isInstant(value, converted)
    default:
      return true
  }
}

type Given = boolean | number | string

/** How a value of another kind is passed to a column of each kind. */
const FORMS: Readonly<Record<string, (value: Given) => Given>> = {
  integer: toNumber,
  number: toNumber,
  decimal: toDigits,
  boolean: toBoolean,
}

function toNumber(value: Given): Given {
  return typeof value === 'boolean' ? Number(value) : value
}

/** As text, because a decimal column rejects numbers past 2^53, which may have been rounded. */
function toDigits(value: Given): string {
  return String(toNumber(value))
}

/** Words in any case, as in an import, and the numbers 1 and 0, even as 1.00. */
function toBoolean(value: Given): Given {
  const text = String(value).toLowerCase()
  return parseScalar('boolean', String(amountOf(text) ?? text)) ?? text
}

function amountOf(value: JsonValue): Given | undefined {
  if (value === null || typeof value === 'object') return undefined
  return parseScalar('decimal', toNumber(value))
}

/** A time in UTC without a fraction, or a day. */
function isInstant(value: JsonValue, converted: Given): boolean {
  const text = String(value)
  return [`${text}T00:00:00.000Z`, text.replace(/Z$/, '.000Z')].includes(String(converted))
}

function kindOf({ type }: Column): string {
  return COLUMN_TYPES[type].kind
}
