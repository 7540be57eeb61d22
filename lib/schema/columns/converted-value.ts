// Converts a value of a column to another form of the column, and tells whether the conversion loses something.

import { COLUMN_TYPES } from '../../shared/column-types.ts'
import { MAX_JSON_BYTES } from '../../shared/limits.ts'
import { isTexted, readValue, writeValue } from '../../shared/value-text.ts'
import { parseScalar } from '../field-value.ts'
import type { FieldKind, JsonValue } from '../values.ts'
import { columnField } from './column-field.ts'
import { type Column, valueKind } from './column.ts'

export type Converter = (value: JsonValue) => JsonValue

/** The forms of a column before and after a change. */
export interface ColumnForms {
  readonly from: Column
  readonly to: Column
}

/**
 * Converts values of a column whose type changed or whose limits became smaller. Entries are not rewritten: the
 * conversion happens whenever an entry is read (schema/layout.ts).
 *
 * A value becomes what the column would store if a client sent its text, and null if the column rejects the text. Texts
 * are never cut and numbers never rounded. Null stays null, and becomes an empty list in a column with MANY. The converter
 * never throws.
 */
export function converterTo({ from, to }: ColumnForms): Converter {
  const { check } = columnField(to)
  const isMany = kindOf(to) === 'integers'
  const isFromList = kindOf(from) === 'integers' && !isTexted(kindOf(to))
  return (value) => {
    const given = isMany || isFromList ? onlyElement(value) : value
    const checked =
      given === null ? undefined : check(isMany ? [given] : formOf({ from, to }, given))
    if (checked?.ok === true) return checked.value
    return isMany ? NO_IDS : null
  }
}

const NO_IDS: readonly JsonValue[] = []

/** The value, or the only element of a list; null if there is no such value. */
function onlyElement(value: JsonValue): JsonValue {
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value
  return typeof only === 'object' ? null : only
}

/** Whether an entry has no value: null, or an empty list. */
export function isNoValue(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Whether the original value can be recovered from the converted value. */
export function isKept({ from, to }: ColumnForms, value: JsonValue, converted: JsonValue): boolean {
  if ([kindOf(from), kindOf(to)].includes('integers'))
    return isNoValue(value) || String(value) === String(converted)
  if (converted === null) return value === null
  const isFromText = typeof value === 'string' && ['string', 'json'].includes(kindOf(from))
  const kind = kindOf(to)
  switch (kind) {
    case 'integer':
    case 'number':
    case 'decimal':
      // 007 may be a number, or an identifier with leading zeros.
      return isFromText ? String(converted) === value : amountOf(value) === amountOf(converted)
    case 'date':
      return value === converted || value === `${converted as string}T00:00:00.000Z`
    case 'date-time':
      return kindOf(from) === 'date' || value === converted || isInstant(value, converted)
    case 'strings':
    case 'point':
    case 'json':
      return kindOf(from) === 'string'
        ? isSameText(String(value), writeValue(kind, converted), converted)
        : kind === 'json' || JSON.stringify(value) === JSON.stringify(converted)
    default:
      return true
  }
}

/** Upper bound for the bytes that a converted value gains, except for a number with many zeros. */
export function growthBytes({ from, to }: ColumnForms): number {
  if (from.type === 'JSON' || to.type === 'JSON') return MAX_JSON_BYTES
  // Each quote of a JSON text has an escape.
  const texts = [from.values, to.values].map((values) => JSON.stringify(values) ?? '')
  return 80 + 2 * Buffer.byteLength(texts.join(''))
}

function kindOf(column: Column): FieldKind {
  return valueKind(column)
}

/** How a value is passed to the check of the column. */
function formOf({ from, to }: ColumnForms, value: JsonValue): unknown {
  const kind = kindOf(to)
  if (isTexted(kind)) return listForm({ from, to }, value)
  const fromKind = kindOf(from)
  const isText = kind === 'string' && isTexted(fromKind)
  const given = isText ? writeValue(fromKind, value) : value
  if (given === null || typeof given === 'object') return given
  switch (kind) {
    case 'integer':
    case 'number':
      return toNumber(given)
    case 'decimal':
      return toDigits(given)
    case 'boolean':
      return toBoolean(given)
    default:
      return String(given)
  }
}

/** A value for a SET, a JSON or a POINT column: a text is read as in a CSV file, other values are passed as JSON. */
function listForm({ from, to: { type, values = [] } }: ColumnForms, value: JsonValue): unknown {
  const { kind } = COLUMN_TYPES[type]
  if (!isTexted(kind) || typeof value === 'object') return value
  const text = String(value)
  if (kind === 'strings' && values.includes(text)) return [text]
  const isText = kindOf(from) === 'string' || kind === 'strings'
  return isText ? readValue(kind, text) : value
}

type Given = boolean | number | string

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
function isInstant(value: JsonValue, converted: JsonValue): boolean {
  const text = String(value)
  return [`${text}T00:00:00.000Z`, text.replace(/Z$/, '.000Z')].includes(String(converted))
}

const STRING_OR_BLANKS = /("(?:[^"\\]|\\.)*")|\s+/g

/** Whether a text says the same as the text of its value, except for blanks; or is the only element of a SET. */
function isSameText(text: string, written: string, converted: JsonValue): boolean {
  const isElement = Array.isArray(converted) && converted.length === 1 && converted[0] === text
  return isElement || text === written || text.replaceAll(STRING_OR_BLANKS, '$1') === written
}
