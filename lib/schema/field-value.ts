// Values by the kind of their field: accepted values in a qry, comparison, and index keys.
//
// Every kind has one canonical form in which equal values are equal by ===: date-times in UTC with
// milliseconds, decimals without superfluous zeros, and integers as numbers, or as digits if a number would be
// rounded. Strings compare by their UTF-8 bytes, like keys, so that the order does not depend on the use of an
// index.

import type { FieldKind, JsonValue, KeyPart } from './values.ts'
import { parseDate, parseDay } from './date.ts'

export type Scalar = boolean | number | string

const ACCEPTED: Readonly<Record<FieldKind, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  decimal: 'a decimal number of at most 400 digits',
  boolean: 'true, false, 1 or 0',
  date: 'a date: YYYY-MM-DD, RFC 3339, or seconds since 1970',
  'date-time': 'a time: RFC 3339, YYYY-MM-DD, or seconds since 1970',
  uuid: 'a UUID, such as 0198c1a2-7b3c-7def-8123-456789abcdef',
  strings: 'a text that the list must contain',
  json: 'a text, a number, true or false',
  point: 'null, $near or $within',
  integers: 'a whole number that the list must contain',
}

/** Kinds whose canonical form is a string that sorts correctly. */
const TEXT_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'string',
  'date',
  'date-time',
  'uuid',
  'strings',
])

/** Kinds of lists: a condition is true if it is true for one element, and the index has one row for each element. */
const LIST_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>(['integers', 'strings'])

export function isListKind(kind: FieldKind | undefined): boolean {
  return kind !== undefined && LIST_KINDS.has(kind)
}

/** Describes the values that a field of this kind is compared with. */
export function acceptedValue(kind: FieldKind): string {
  return ACCEPTED[kind]
}

/** A value from outside in canonical form; undefined if it is not valid for the kind. */
export function parseScalar(kind: FieldKind, value: Scalar): Scalar | undefined {
  switch (kind) {
    case 'string':
    case 'strings':
      return typeof value === 'boolean' ? undefined : String(value)
    case 'integer':
    case 'integers':
      return parseInteger(value)
    case 'number':
      return parseNumber(value)
    case 'decimal':
      return parseDecimal(value)
    case 'boolean':
      return parseBoolean(value)
    case 'date':
      return parseDay(value)
    case 'date-time':
      return parseDate(value)
    case 'uuid':
      return parseUuid(value)
    case 'json':
      return value
    case 'point':
      return undefined
  }
}

/** A stored value in canonical form; null if there is no value. */
export function readScalar(kind: FieldKind, value: JsonValue | undefined): Scalar | null {
  if (value === undefined || value === null || typeof value === 'object') return null
  if (typeof value === 'string' && TEXT_KINDS.has(kind)) return value
  if (typeof value === 'number' && kind !== 'decimal' && !TEXT_KINDS.has(kind)) return value
  return parseScalar(kind, value) ?? null
}

/**
 * The index key part for a stored value. Decimals and integers beyond 2^53 are rounded, which keeps their order
 * but not their equality: see isExactKind.
 */
export function toKeyPart(kind: FieldKind, value: JsonValue | undefined): KeyPart {
  const scalar = readScalar(kind, value)
  return typeof scalar === 'string' && !TEXT_KINDS.has(kind) ? Number(scalar) : scalar
}

/** Whether values with the same index key part are always equal. */
export function isExactKind(kind: FieldKind, value: Scalar): boolean {
  return kind !== 'decimal' && (typeof value === 'string') === TEXT_KINDS.has(kind)
}

/** Negative, 0 or positive. Both values are in canonical form. */
export function compareScalars(kind: FieldKind, left: Scalar, right: Scalar): number {
  if (typeof left !== 'string' || typeof right !== 'string') return compareMixed(left, right)
  if (kind === 'decimal') return compareDecimals(left, right)
  if (TEXT_KINDS.has(kind)) return compareTexts(left, right)
  return compareMixed(left, right)
}

function parseInteger(value: Scalar): Scalar | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : undefined
  // 1.00 and 1e3 are also whole numbers.
  const plain = parseDecimal(value)
  if (plain === undefined || plain.includes('.')) return undefined
  const number = Number(plain)
  return Number.isSafeInteger(number) ? number : plain
}

function parseNumber(value: Scalar): number | undefined {
  if (typeof value === 'boolean' || (typeof value === 'string' && !DECIMAL.test(value)))
    return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number + 0 : undefined
}

const MAX_DIGITS = 400
/** At least one digit on either side of the point: 5. and .5 are numbers. */
const DECIMAL = /^([+-]?)(?=\.?\d)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?$/

/** Most numbers need no normalization. */
const NORMAL = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/

/** 12.50 → 12.5, 1e-3 → 0.001, -0 → 0. Undefined beyond 400 digits, which do not fit into a key. */
function parseDecimal(value: Scalar): string | undefined {
  const written = typeof value === 'boolean' ? undefined : writeDecimal(String(value))
  if (written === undefined) return undefined
  return written.includes('.') ? withoutEndZeros(written) : written
}

/** 1.500 → 1.5, 1.0 → 1. A regular expression would take quadratic time on long runs of zeros. */
function withoutEndZeros(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '0') end -= 1
  if (text.charAt(end - 1) === '.') end -= 1
  return text.slice(0, end)
}

/**
 * Normalizes a number but keeps its decimals: removes the exponent, the plus sign and leading zeros. +012.50 →
 * 12.50, .5 → 0.5, 5. → 5, 1.50e1 → 15.0. Undefined unless there are at most 400 digits on each side of the
 * point.
 */
export function writeDecimal(value: string): string | undefined {
  if (NORMAL.test(value)) return value
  const found = DECIMAL.exec(value)
  if (found === null) return undefined

  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  const point = whole.length + Number(exponent)
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, '0')
  const head = digits.slice(0, Math.max(0, point)).replace(/^0+/, '') || '0'
  const tail = digits.slice(Math.max(0, point))
  const text = tail === '' ? head : `${head}.${tail}`
  const spareZeros = tail === '' ? 0 : text.length - withoutEndZeros(text).length
  if (head.length > MAX_DIGITS || tail.length - spareZeros > MAX_DIGITS) return undefined
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Lower case, in which RFC 9562 says to write a UUID; both cases are the same identifier. */
function parseUuid(value: Scalar): string | undefined {
  const text = String(value).toLowerCase()
  return UUID.test(text) ? text : undefined
}

function parseBoolean(value: Scalar): boolean | undefined {
  const text = String(value)
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

/**
 * Compares numbers, booleans, and integers of which some are digits: JavaScript compares them exactly with a
 * BigInt.
 */
function compareMixed(left: Scalar, right: Scalar): number {
  const a = typeof left === 'string' ? BigInt(left) : Number(left)
  const b = typeof right === 'string' ? BigInt(right) : Number(right)
  if (a === b) return 0
  return a < b ? -1 : 1
}

function compareDecimals(left: string, right: string): number {
  const isNegative = left.startsWith('-')
  if (isNegative !== right.startsWith('-')) return isNegative ? -1 : 1
  if (isNegative) return compareDecimals(right.slice(1), left.slice(1))

  const [leftWhole = '', leftFraction = ''] = left.split('.')
  const [rightWhole = '', rightFraction = ''] = right.split('.')
  if (leftWhole.length !== rightWhole.length) return leftWhole.length - rightWhole.length
  if (leftWhole !== rightWhole) return leftWhole < rightWhole ? -1 : 1
  if (leftFraction === rightFraction) return 0
  return leftFraction < rightFraction ? -1 : 1
}

/**
 * Compares in UTF-8 order. UTF-16 order differs only for surrogates, which sort above the rest of the plane
 * only in UTF-8.
 */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a === b) continue
    return a < 0xd800 && b < 0xd800 ? a - b : Buffer.compare(Buffer.from(left), Buffer.from(right))
  }
  return left.length - right.length
}
