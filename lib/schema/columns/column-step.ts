// Compares two forms of a column: are all values of the first also values of the second?

import { MAX_LENGTH } from '../../shared/column-types.ts'
import { parseScalar } from '../field-value.ts'
import type { JsonValue } from '../values.ts'
import { columnField, integerRange } from './column-field.ts'
import { type Column, valueKind } from './column.ts'
import { isFormatted, MAX_FORMATTED } from './formatted-text.ts'
import { impliesRules } from './rule-step.ts'

/** narrower: some values may not fit; other: a different type, so values are converted. */
export type Step = 'same' | 'wider' | 'narrower' | 'other'

export function stepBetween(from: Column, to: Column): Step {
  if (kindOf(from) !== kindOf(to)) return fitsNumberKind(from, to) ? 'wider' : 'other'
  if (!holdsAll(to, from)) return 'narrower'
  const isSame = holdsAll(from, to) && (to.isRequired || !from.isRequired)
  return isSame ? 'same' : 'wider'
}

/** Whether unchanged values have the same index keys in both columns. */
export function sharesIndex(from: Column, to: Column): boolean {
  const numbers = ['integer', 'number', 'decimal']
  return (
    kindOf(from) === kindOf(to) || (numbers.includes(kindOf(from)) && numbers.includes(kindOf(to)))
  )
}

// Every whole number is a number and a decimal; but I8 exceeds 2^53, where numbers are rounded.
function fitsNumberKind(from: Column, to: Column): boolean {
  if (kindOf(from) !== 'integer' || !keepsSign(to, from) || !impliesRules(from, to)) return false
  if (kindOf(to) === 'number') return from.type !== 'I8'
  return kindOf(to) === 'decimal' && integerDigits(from) <= wholeDigits(to)
}

/** Whether every value of the inner column is a value of the outer column; both have the same kind. */
function holdsAll(outer: Column, inner: Column): boolean {
  return holdsTypes(outer, inner) && impliesRules(inner, outer)
}

function holdsTypes(outer: Column, inner: Column): boolean {
  switch (kindOf(outer)) {
    case 'string':
      return holdsTexts(outer, inner)
    case 'integer':
      return holdsRange(outer, inner)
    case 'number':
      return keepsSign(outer, inner)
    case 'decimal':
      return keepsSign(outer, inner) && holdsDigits(outer, inner)
    default:
      return true
  }
}

function holdsTexts(outer: Column, inner: Column): boolean {
  if (isFormatted(outer.type)) return inner.type === outer.type
  if (outer.values === undefined) return maxLength(inner) <= maxLength(outer)
  return inner.values?.every((value) => outer.values?.includes(value)) ?? false
}

function maxLength({ type, size = MAX_LENGTH, values = [] }: Column): number {
  switch (type) {
    case 'C':
    case 'C2':
      return size
    case 'ENUM':
      return Math.max(...values.map((value) => [...value].length))
    case 'X':
    case 'X2':
    case 'XL':
    case 'B':
    case 'MD':
    case 'HTML':
      return Number.POSITIVE_INFINITY
    case 'EMAIL':
    case 'URL':
    case 'COLOR':
      return MAX_FORMATTED[type]
    case 'I':
    case 'I1':
    case 'I2':
    case 'I4':
    case 'I8':
    case 'R':
    case 'F':
    case 'N':
    case 'L':
    case 'D':
    case 'T':
    case 'TS':
    case 'UUID':
      // Not texts, so length does not limit them.
      return Number.POSITIVE_INFINITY
  }
}

function holdsRange(outer: Column, inner: Column): boolean {
  const [outside, inside] = [integerRange(outer), integerRange(inner)]
  return outside.minimum <= inside.minimum && inside.maximum <= outside.maximum
}

function holdsDigits(outer: Column, inner: Column): boolean {
  if (outer.size === undefined || inner.size === undefined) return outer.size === undefined
  return wholeDigits(inner) <= wholeDigits(outer) && (inner.scale ?? 0) <= (outer.scale ?? 0)
}

function keepsSign(outer: Column, inner: Column): boolean {
  return inner.isUnsigned || !outer.isUnsigned
}

function wholeDigits({ size, scale = 0 }: Column): number {
  return size === undefined ? Number.POSITIVE_INFINITY : size - scale
}

function integerDigits(column: Column): number {
  return String(integerRange(column).maximum).length
}

function kindOf(column: Column): string {
  return valueKind(column)
}

export type Converter = (value: JsonValue) => JsonValue

/**
 * Converts values of a column whose type changed or whose limits became smaller. Entries are not rewritten: the
 * conversion happens whenever an entry is read (schema/layout.ts).
 *
 * A value becomes what the column would store if a client sent its text, and null if the column rejects it.
 * Texts are never cut and numbers never rounded.
 * Never throws. Null stays null, and becomes an empty list in a column with MANY.
 */
export function converterTo(column: Column): Converter {
  const { check } = columnField(column)
  const formOf = FORMS[kindOf(column)] ?? String
  const isMany = column.references?.isMany === true

  return (value) => {
    const given = onlyElement(value)
    const checked = given === null ? undefined : check(isMany ? [given] : formOf(given))
    if (checked?.ok === true) return checked.value
    return isMany ? NO_IDS : null
  }
}

const NO_IDS: readonly JsonValue[] = []

/** The value, or the only element of a list; null if there is no such value. */
function onlyElement(value: JsonValue): Given | null {
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value
  return typeof only === 'object' ? null : only
}

/** Whether an entry has no value: null, or an empty list. */
export function isNoValue(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Whether the original value can be recovered from the converted value. */
export function isKept(
  { from, to }: { readonly from: Column; readonly to: Column },
  value: JsonValue,
  converted: JsonValue,
): boolean {
  if (Array.isArray(value) || Array.isArray(converted))
    return isNoValue(value) || String(value) === String(converted)
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
