// The typed parts of a compiled expression.

import { show } from '../columns/tokens.ts'
import type { JsonObject } from '../values.ts'
import { type Decimal, showDecimal } from './exact-decimals.ts'
import { failAt } from './expression-tokens.ts'

/** `null` is the type of the word NULL only. */
export type ValueType = 'number' | 'text' | 'boolean' | 'date' | 'time' | 'null'

/** Dates and times have their stored form (schema/field-value.ts). */
export type Value = Decimal | string | boolean | null

/** A part of an expression that was checked once; `run` never throws. */
export interface Operand {
  readonly at: number
  readonly type: ValueType
  /** The most characters of a text; infinite without a limit. */
  readonly length: number
  /** The text of a literal, which may stand for a date. */
  readonly literal?: string
  /** The name of the column, if the operand is only a column. */
  readonly column?: string
  readonly run: (record: JsonObject) => Value
}

/** Characters of the longest number. */
const NUMBER_LENGTH = 802

export const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  date: 'a date',
  time: 'a time',
  null: 'NULL',
}

/** Sums the characters that one evaluation may read. */
export interface TextCost {
  characters: number
}

/** Throws unless the operand has this type. NULL has every type. */
export function requireType(operand: Operand, type: ValueType, user: string): void {
  if (operand.type === type || operand.type === 'null') return
  failAt(operand.at, `${user} needs ${TYPE_NAMES[type]}, not ${TYPE_NAMES[operand.type]}`)
}

/** Adds the text of the operand to the cost. Throws if its length has no limit. */
export function readText(operand: Operand, cost: TextCost): void {
  if (operand.type !== 'text') return
  if (operand.length === Number.POSITIVE_INFINITY) {
    const { column = '' } = operand
    failAt(
      operand.at,
      `the text ${show(column)} has no limit, so only IS NULL and length() can read it; add LENGTH to the column`,
    )
  }
  cost.characters += operand.length
}

/** The characters of a text, a number or a date; throws for other types. */
export function textLength(operand: Operand, user: string): number {
  switch (operand.type) {
    case 'text':
      return operand.length
    case 'number':
      return NUMBER_LENGTH
    case 'date':
    case 'time':
    case 'null':
      return 24
    case 'boolean':
      return failAt(operand.at, `${user} needs a text, a number or a date, not true or false`)
  }
}

export function showValue(value: Exclude<Value, null>): string {
  return typeof value === 'object' ? showDecimal(value) : String(value)
}

export type Pair = readonly [Operand, Operand]

/** An operand of type boolean; null is unknown. */
export function truth(at: number, run: (record: JsonObject) => boolean | null): Operand {
  return { at, type: 'boolean', length: 0, run }
}

export function asNumber(value: Value): Decimal | null {
  return typeof value === 'object' ? value : null
}
