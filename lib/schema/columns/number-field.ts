// The kinds of field that number columns consist of: each within limits, and exact wherever JSON numbers are not.

import { nearestNumber, textOfNumber } from '../../base/exact-number.ts'
import { accept, type Access, type Field, field, type Options, refuse } from '../field.ts'
import { parseScalar, writeDecimal } from '../field-value.ts'

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
 * A whole number, given as a number or a string. A value beyond 2^53 is returned as a string of digits, because
 * many JSON parsers would round the number.
 */
export function wholeNumber<A extends Access>(
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
export function finiteNumber<A extends Access>(
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
export function decimal<A extends Access>(access: A, options: DecimalOptions): Field<string, A> {
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
