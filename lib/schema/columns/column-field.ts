// Builds the field of the entries of a module for a column: check, search and documentation of its values.

import { nearestNumber, textOfNumber } from '../../base/exact-number.ts'
import { MAX_DIGITS, MAX_LENGTH, type TypeCode } from '../../shared/column-types.ts'
import { parseScalar, writeDecimal } from '../field-value.ts'
import { counted } from '../message-text.ts'
import {
  accept,
  type Access,
  boolean,
  choice,
  date,
  dateTime,
  type Field,
  field,
  type Options,
  refuse,
  string,
  text,
} from '../field.ts'
import { type Column, type ColumnDefault, isNow } from './column.ts'

interface Range {
  readonly minimum: bigint
  readonly maximum: bigint
}

const BITS: Readonly<Partial<Record<TypeCode, bigint>>> = { I1: 8n, I2: 16n, I8: 64n }
const OTHER_BITS = 32n

/**
 * A column is required if it is NOTNULL without a default and without its own number (AUTO): the client must
 * send a value. With a default or AUTO, null means that value. In a column that may have no value, null is a
 * value.
 */
export function columnField(column: Column): Field {
  const { default: initial } = column
  const isGiven = column.isRequired && initial === undefined && column.isAuto === undefined
  const own = withKeyWords(buildField(column, isGiven ? 'required' : 'optional'), column)
  const built = { ...own, keepsNull: !column.isRequired }
  return initial === undefined ? built : withDefault(built, initial)
}

/** The lowest and the highest value of an integer column. */
export function integerRange({ type, isUnsigned }: Column): Range {
  const bits = BITS[type] ?? OTHER_BITS
  return isUnsigned
    ? { minimum: 0n, maximum: 2n ** bits - 1n }
    : { minimum: -(2n ** (bits - 1n)), maximum: 2n ** (bits - 1n) - 1n }
}

function buildField(column: Column, access: Access): Field {
  switch (column.type) {
    case 'C':
    case 'C2':
      return characters(column, access)
    case 'X':
    case 'X2':
    case 'XL':
    case 'B':
      return text(access, { description: 'Text of any length; not indexed.' })
    case 'I':
    case 'I1':
    case 'I2':
    case 'I4':
    case 'I8':
    case 'R':
      return integerField(column, access)
    case 'F':
      return finiteNumber(access, {
        description: 'A number, rounded to the nearest IEEE double.',
        isUnsigned: column.isUnsigned,
      })
    case 'N':
      return decimalField(column, access)
    case 'L':
      return boolean(access, {
        description: 'True or false; 1 and 0 are also accepted, even as strings.',
      })
    case 'D':
      return date(access, {
        description:
          'A day, YYYY-MM-DD. A date-time keeps its day as written, regardless of its offset.',
      })
    case 'T':
    case 'TS':
      return dateTime(access, {
        description:
          'A time, returned in UTC with milliseconds. Further decimals of a second are cut off; with Prefer: handling=strict they are rejected.',
      })
    case 'ENUM':
      return choice(access, column.values ?? [], { description: 'One of the values listed.' })
  }
}

function characters({ size: maxLength = MAX_LENGTH }: Column, access: Access): Field {
  const description = `Text of at most ${counted(maxLength, 'character')}.`
  return string(access, { description, maxLength })
}

function integerField(column: Column, access: Access): Field {
  const range = integerRange(column)
  const words = `A whole number from ${range.minimum} to ${range.maximum}`
  const description =
    column.type === 'I8' ? `${words}; beyond 2^53 as a string of digits.` : `${words}.`
  return wholeNumber(access, { ...range, description })
}

function decimalField({ size, scale, isUnsigned }: Column, access: Access): Field {
  const limits =
    size === undefined
      ? ''
      : ` of at most ${counted(size, 'digit')}, ${scale ?? 0} of them decimals`
  const description = `A decimal number${limits}: a string, which keeps its decimals. A JSON number is also accepted.`
  return decimal(access, { description, digits: size ?? MAX_DIGITS, scale, isUnsigned })
}

const UNIQUE = 'Unique among all entries.'

const EXACT =
  ' Texts are compared exactly: abc differs from ABC, and a letter with its accent in one character (NFC) differs from ' +
  'the same letter in two (NFD).'

function withKeyWords(built: Field, { type, isUnique, isAuto }: Column): Field {
  const isText = type === 'C' || type === 'C2'
  const words = [
    built.schema['description'],
    ...(isAuto === undefined ? [] : ['Default: the next number.']),
    ...(isUnique === undefined ? [] : [isText ? UNIQUE + EXACT : UNIQUE]),
  ]
  return { ...built, schema: { ...built.schema, description: words.join(' ') } }
}

function withDefault(built: Field, initial: ColumnDefault): Field {
  if (!isNow(initial)) return { ...built, schema: { ...built.schema, default: initial }, initial }
  return {
    ...built,
    get initial() {
      const now = built.check(new Date().toISOString())
      return now.ok ? now.value : null
    },
  }
}

interface WholeOptions<T> extends Options<T> {
  readonly minimum: bigint
  readonly maximum: bigint
}

interface NumberOptions<T> extends Options<T> {
  readonly isUnsigned: boolean
}

interface DecimalOptions extends NumberOptions<string> {
  readonly digits: number
  /** Number of decimals among the digits; undefined: any. */
  readonly scale: number | undefined
}

/**
 * Field kinds for numbers within limits.
 * A whole number, given as a number or a string. A value beyond 2^53 is returned as a string of digits, because
 * many JSON parsers would round the number.
 */
function wholeNumber<A extends Access>(
  access: A,
  options: WholeOptions<number | string>,
): Field<number | string, A> {
  const { minimum, maximum } = options
  const isBig = maximum > BigInt(Number.MAX_SAFE_INTEGER)
  const words = `must be a whole number from ${minimum} to ${maximum}`
  const schema = isBig
    ? {
        type: ['integer', 'string'],
        pattern: minimum < 0n ? '^[+-]?\\d{1,19}$' : '^\\+?\\d{1,20}$',
      }
    : { type: 'integer', minimum: Number(minimum), maximum: Number(maximum) }

  return field(access, schema, 'integer', options, (sent) => {
    const whole = parseWhole(textOfNumber(sent) ?? sent)
    if (whole === undefined || BigInt(whole) < minimum || BigInt(whole) > maximum)
      return refuse(isBig ? `${words}, beyond 2^53 as a string of digits` : words)
    return accept(whole)
  })
}

/** A JSON number or a text, rounded to the nearest IEEE double. */
function finiteNumber<A extends Access>(
  access: A,
  options: NumberOptions<number>,
): Field<number, A> {
  const { isUnsigned } = options
  const schema = { type: 'number', ...(isUnsigned && { minimum: 0 }) }
  return field(access, schema, 'number', options, (sent) => {
    const value = nearestNumber(sent)
    const isGiven = typeof value === 'number' || typeof value === 'string'
    const number = isGiven ? parseScalar('number', value) : undefined
    if (typeof number !== 'number') return refuse('must be a number')
    return isUnsigned && number < 0 ? refuse('must not be below 0') : accept(number)
  })
}

/**
 * A decimal number, given as a number or a string and always returned as a string: a JSON number 12.50 would
 * lose its zero, and many digits would be rounded. It keeps the given decimals, as far as the column has room
 * for them; values are compared, searched and sorted as numbers.
 */
function decimal<A extends Access>(access: A, options: DecimalOptions): Field<string, A> {
  const schema = { type: 'string', pattern: DECIMAL.source }
  return field(access, schema, 'decimal', options, (sent) => {
    const value = textOfNumber(sent) ?? sent
    const isGiven = typeof value === 'number' || typeof value === 'string'
    const written = isGiven ? writeDecimal(String(value)) : undefined
    const plain = written === undefined ? undefined : parseScalar('decimal', written)
    if (written === undefined || plain === undefined) return refuse('must be a decimal number')
    const fault = decimalFault(String(plain), options)
    return fault === undefined ? accept(withoutSpareZeros(written, options)) : refuse(fault)
  })
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Removes trailing zeros for which the column has no room. */
function withoutSpareZeros(written: string, { digits, scale }: DecimalOptions): string {
  const [whole = '', decimals = ''] = written.split('.')
  const wholeDigits = whole.replace(/^-?0?/, '').length
  const kept = decimals.slice(0, scale ?? digits - wholeDigits)
  return kept === '' ? whole : `${whole}.${kept}`
}

function decimalFault(
  plain: string,
  { digits, scale, isUnsigned }: DecimalOptions,
): string | undefined {
  if (isUnsigned && plain.startsWith('-')) return 'must not be below 0'

  const [whole = '', decimals = ''] = plain.replace('-', '').split('.')
  const wholeDigits = whole === '0' ? 0 : whole.length
  if (scale === undefined) {
    const isLong = wholeDigits + decimals.length > digits
    return isLong ? `may have at most ${digits} digits` : undefined
  }
  if (wholeDigits > digits - scale)
    return `may have at most ${digits - scale} digits before the point`
  return decimals.length > scale ? `may have at most ${scale} decimals` : undefined
}

/** A number, or digits beyond 2^53. */
function parseWhole(value: unknown): number | string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const whole = parseScalar('integer', value)
  return typeof whole === 'boolean' ? undefined : whole
}
