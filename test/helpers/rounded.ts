// Converts a result of parseJson to that of JSON.parse: numbers that kept their text become doubles.

import { nearestNumber } from '../../lib/base/exact-number.ts'

export function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  const number = nearestNumber(value)
  if (typeof number === 'number') return number
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]))
}
