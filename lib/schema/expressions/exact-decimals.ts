// Exact arithmetic with decimals. A result that needs more than 100 digits before the point has no value (null); digits
// after the 100th decimal are rounded.

import { writeDecimal } from '../field-value.ts'

/** The number digits / 10 ** scale. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** More than the 65 of N, and few enough for a product to take 2 µs. */
const MAX_DIGITS = 100
const QUOTIENT_SCALE = 20
const MAX_WHOLE = 10n ** 100n
/** Numbers below need no further check of their size. */
const SMALL = 10n ** 60n

/** From a JSON number or its text; undefined for anything else. */
export function toDecimal(value: number | string): Decimal | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return { digits: BigInt(value), scale: 0 }
  const written = writeDecimal(String(value))
  if (written === undefined) return undefined
  const [whole = '', decimals = ''] = written.split('.')
  return { digits: BigInt(whole + decimals), scale: decimals.length }
}

/** With as many decimals as the number has: 2.50. */
export function showDecimal({ digits, scale }: Decimal): string {
  if (scale === 0) return digits.toString()
  const isNegative = digits < 0n
  const text = (isNegative ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  return `${isNegative ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`
}

export function compareDecimals(left: Decimal, right: Decimal): number {
  const [a, b] = aligned(left, right)
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function add(left: Decimal, right: Decimal): Decimal | null {
  const [a, b, scale] = aligned(left, right)
  return bounded({ digits: a + b, scale })
}

export function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale }
}

export function multiply(left: Decimal, right: Decimal): Decimal | null {
  return bounded({ digits: left.digits * right.digits, scale: left.scale + right.scale })
}

/** The quotient is rounded to 20 decimals, or to those of the operands if they have more. Null if the divisor is 0. */
export function divide(left: Decimal, right: Decimal): Decimal | null {
  if (right.digits === 0n) return null
  const scale = Math.max(QUOTIENT_SCALE, left.scale, right.scale)
  // One more decimal than kept would round twice, so the remainder decides.
  const dividend = left.digits * 10n ** BigInt(scale + right.scale - left.scale)
  return bounded(withoutSpareZeros({ digits: roundedQuotient(dividend, right.digits), scale }))
}

/** The remainder has the sign of the dividend, as in SQL. Null if the divisor is 0. */
export function remainder(left: Decimal, right: Decimal): Decimal | null {
  if (right.digits === 0n) return null
  const [a, b, scale] = aligned(left, right)
  return bounded({ digits: a % b, scale })
}

/** Rounds half away from zero to this number of decimals, and never adds decimals. */
export function round(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value
  return { digits: roundedQuotient(value.digits, 10n ** BigInt(value.scale - scale)), scale }
}

function aligned(left: Decimal, right: Decimal): readonly [bigint, bigint, number] {
  if (left.scale === right.scale) return [left.digits, right.digits, left.scale]
  const scale = Math.max(left.scale, right.scale)
  return [
    left.digits * 10n ** BigInt(scale - left.scale),
    right.digits * 10n ** BigInt(scale - right.scale),
    scale,
  ]
}

function bounded(value: Decimal): Decimal | null {
  const { digits } = value
  if (value.scale <= MAX_DIGITS && digits < SMALL && digits > -SMALL) return value
  const kept = round(value, MAX_DIGITS)
  const most = MAX_WHOLE * 10n ** BigInt(kept.scale)
  return kept.digits < most && kept.digits > -most ? kept : null
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const rest = dividend % divisor
  const isHalf = (rest < 0n ? -rest : rest) * 2n >= (divisor < 0n ? -divisor : divisor)
  if (!isHalf) return quotient
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n
}

function withoutSpareZeros(value: Decimal): Decimal {
  let { digits, scale } = value
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n
    scale -= 1
  }
  return { digits, scale }
}
