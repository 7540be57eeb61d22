// Compares two forms of a column: are all values of the first also values of the second?

import { integerRange } from './column-field.ts'
import { type Column, valueKind } from './column.ts'
import { isFormatted } from './formatted-text.ts'
import { impliesRules, longestOfType } from './rule-step.ts'

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
    case 'strings':
      return holdsValues(outer, inner)
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
  return outer.values === undefined
    ? longestOfType(inner) <= longestOfType(outer)
    : holdsValues(outer, inner)
}

function holdsValues(outer: Column, inner: Column): boolean {
  return inner.values?.every((value) => outer.values?.includes(value)) ?? false
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
