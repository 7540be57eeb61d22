// Comparisons in expressions: = <> < <= > >=, IN, BETWEEN. Each operand is evaluated once, so that nested comparisons take
// linear time.

import { show } from '../columns/tokens.ts'
import { parseDate, parseDay } from '../date.ts'
import { compareScalars } from '../field-value.ts'
import { compareDecimals } from './exact-decimals.ts'
import type { Comparison } from './expression-parser.ts'
import { failAt } from './expression-tokens.ts'
import {
  type Operand,
  type Pair,
  readText,
  type TextCost,
  truth,
  TYPE_NAMES,
  type Value,
  type ValueType,
} from './operand.ts'

const TESTS: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
}

export function compileComparison(
  sign: Comparison,
  at: number,
  pair: Pair,
  cost: TextCost,
): Operand {
  const { left, right, compare } = prepare(pair, cost)
  const test = TESTS[sign]
  return truth(at, (record) => tested(compare(left.run(record), right.run(record)), test))
}

/** Null if no value is equal and one of them is unknown. */
export function compileIn(
  at: number,
  part: Operand,
  items: readonly Operand[],
  cost: TextCost,
): Operand {
  if (items.length === 0) failAt(at, 'IN needs at least one value')
  const values = items.map((item) => prepareWith(part, item, cost))
  return truth(at, (record) => {
    const wanted = part.run(record)
    let isUnknown = false
    for (const { right, compare } of values) {
      const isSame = tested(compare(wanted, right.run(record)), TESTS['='])
      if (isSame === true) return true
      isUnknown ||= isSame === null
    }
    return isUnknown ? null : false
  })
}

export function compileBetween(
  at: number,
  part: Operand,
  [least, most]: Pair,
  cost: TextCost,
): Operand {
  const [low, high] = [prepareWith(part, least, cost), prepareWith(part, most, cost)]
  return truth(at, (record) => {
    const value = part.run(record)
    const isAbove = tested(low.compare(value, low.right.run(record)), TESTS['>='])
    const isBelow = tested(high.compare(value, high.right.run(record)), TESTS['<='])
    if (isAbove === false || isBelow === false) return false
    return isAbove === null || isBelow === null ? null : true
  })
}

interface Prepared {
  readonly left: Operand
  readonly right: Operand
  /** Negative, 0 or positive; null if one side is null. */
  readonly compare: (left: Value, right: Value) => number | null
}

/** Throws if the two cannot be compared. A text literal that is compared with a date or a time is parsed as one. */
function prepare([first, second]: Pair, cost: TextCost): Prepared {
  const [left, right] = [readDate(first, second.type), readDate(second, first.type)]
  for (const { type, at } of [left, right])
    if (type === 'null') failAt(at, 'a comparison with NULL is never true; write IS NULL')
  const isMixed = isTime(left) && isTime(right) && left.type !== right.type
  if (left.type !== right.type && !isMixed)
    failAt(right.at, `${TYPE_NAMES[left.type]} and ${TYPE_NAMES[right.type]} cannot be compared`)
  readText(left, cost)
  readText(right, cost)
  return { left, right, compare: isMixed ? compareTimes : compareValues }
}

/** The left side keeps its value for all comparisons. */
function prepareWith(part: Operand, other: Operand, cost: TextCost): Prepared {
  const prepared = prepare([part, other], cost)
  if (prepared.left !== part)
    failAt(part.at, 'a date must not stand here as a text; write a column')
  return prepared
}

function tested(difference: number | null, test: (difference: number) => boolean): boolean | null {
  return difference === null ? null : test(difference)
}

function compareValues(left: Value, right: Value): number | null {
  if (left === null || right === null) return null
  if (typeof left === 'object' && typeof right === 'object') return compareDecimals(left, right)
  if (typeof left !== 'string' || typeof right !== 'string') return Number(left) - Number(right)
  return compareScalars('string', left, right)
}

function compareTimes(left: Value, right: Value): number | null {
  return compareValues(toTime(left), toTime(right))
}

/** The first instant of a day. */
function toTime(value: Value): Value {
  return typeof value === 'string' && value.length === DAY_LENGTH ? `${value}T00:00:00.000Z` : value
}

const DAY_LENGTH = 10

function isTime({ type }: Operand): boolean {
  return type === 'date' || type === 'time'
}

function readDate(operand: Operand, other: ValueType): Operand {
  const { literal, at, type } = operand
  if (literal === undefined || type !== 'text' || (other !== 'date' && other !== 'time'))
    return operand
  const isDay = other === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(literal)
  const value = isDay ? parseDay(literal) : parseDate(literal)
  if (value === undefined)
    return failAt(
      at,
      `${show(literal)} is not a date; write '2026-01-31' or '2026-01-31T12:00:00Z'`,
    )
  return { at, type: isDay ? 'date' : 'time', length: 0, run: () => value }
}
