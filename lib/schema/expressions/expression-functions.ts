// The functions of expressions. Each is total: it returns null where it has no value.

import { MAX_FUNCTION_PARTS } from '../../shared/limits.ts'
import { closest } from '../message-text.ts'
import { show } from '../columns/tokens.ts'
import { characterCount } from '../text-length.ts'
import type { JsonObject } from '../values.ts'
import { type Decimal, round } from './exact-decimals.ts'
import { failAt } from './expression-tokens.ts'
import {
  type Operand,
  readText,
  requireType,
  showValue,
  type TextCost,
  textLength,
  type Value,
  type ValueType,
} from './operand.ts'

type Built = Pick<Operand, 'type' | 'length' | 'run'>

interface Call {
  readonly name: string
  readonly at: number
  readonly parts: readonly Operand[]
  readonly cost: TextCost
}

interface FunctionType {
  readonly least: number
  readonly most: number
  readonly build: (call: Call) => Built
}

/** A change of case can make three characters of one. */
const CASE_GROWTH = 3
const MAX_ROUND = 20

const FUNCTIONS: Readonly<Record<string, FunctionType>> = {
  length: { least: 1, most: 1, build: buildLength },
  lower: { least: 1, most: 1, build: (call) => buildText(call, (text) => text.toLowerCase()) },
  upper: { least: 1, most: 1, build: (call) => buildText(call, (text) => text.toUpperCase()) },
  trim: { least: 1, most: 1, build: (call) => buildText(call, (text) => text.trim()) },
  concat: { least: 1, most: MAX_FUNCTION_PARTS, build: buildConcat },
  coalesce: { least: 1, most: MAX_FUNCTION_PARTS, build: buildCoalesce },
  abs: { least: 1, most: 1, build: buildAbs },
  round: { least: 1, most: 2, build: buildRound },
  if: { least: 3, most: 3, build: buildIf },
}

/** Throws invalid-content for an unknown function and for parts of another type. */
export function buildCall(call: Call): Operand {
  const { name, at, parts } = call
  const type = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (type === undefined) return failAt(at, `there is no function ${show(name)}${hintOf(name)}`)
  const { least, most, build } = type
  if (parts.length < least || parts.length > most) {
    const count = least === most ? `${least}` : `${least} to ${most}`
    failAt(at, `${name} takes ${count} values, not ${parts.length}`)
  }
  return { at, ...build(call) }
}

function hintOf(name: string): string {
  const near = closest(name, Object.keys(FUNCTIONS))
  return near === undefined
    ? `; known functions: ${Object.keys(FUNCTIONS).join(', ')}`
    : `; did you mean ${near}?`
}

function buildLength({ parts }: Call): Built {
  const [part] = parts as readonly [Operand]
  requireType(part, 'text', 'length')
  return {
    type: 'number',
    length: 0,
    run: (record) => {
      const value = part.run(record)
      return typeof value === 'string' ? { digits: BigInt(characterCount(value)), scale: 0 } : null
    },
  }
}

function buildText({ name, parts, cost }: Call, change: (text: string) => string): Built {
  const [part] = parts as readonly [Operand]
  requireType(part, 'text', name)
  readText(part, cost)
  return {
    type: 'text',
    length: part.length * (name === 'trim' ? 1 : CASE_GROWTH),
    run: (record) => {
      const value = part.run(record)
      return typeof value === 'string' ? change(value) : null
    },
  }
}

/** Null is the empty text. */
function buildConcat({ parts, cost }: Call): Built {
  for (const part of parts) readText(part, cost)
  return {
    type: 'text',
    length: parts.reduce((sum, part) => sum + textLength(part, 'concat'), 0),
    run: (record) =>
      parts
        .map((part) => part.run(record))
        .map((value) => (value === null ? '' : showValue(value)))
        .join(''),
  }
}

function buildCoalesce({ name, parts }: Call): Built {
  return {
    ...commonType(name, parts),
    run: (record) => {
      for (const part of parts) {
        const value = part.run(record)
        if (value !== null) return value
      }
      return null
    },
  }
}

function buildIf({ name, parts }: Call): Built {
  const [condition, then, otherwise] = parts as readonly [Operand, Operand, Operand]
  requireType(condition, 'boolean', name)
  return {
    ...commonType(name, [then, otherwise]),
    run: (record) => (condition.run(record) === true ? then : otherwise).run(record),
  }
}

function commonType(
  name: string,
  parts: readonly Operand[],
): { readonly type: ValueType; readonly length: number } {
  const type = parts.find((part) => part.type !== 'null')?.type ?? 'null'
  for (const part of parts) requireType(part, type, `${name}, with values of one type,`)
  return { type, length: Math.max(...parts.map((part) => part.length)) }
}

function buildAbs({ parts }: Call): Built {
  return ofNumber(parts, 'abs', ({ digits, scale }) => ({
    digits: digits < 0n ? -digits : digits,
    scale,
  }))
}

function buildRound({ parts }: Call): Built {
  const [, places] = parts
  const literal = places?.literal ?? '0'
  if (
    (places !== undefined && places.type !== 'number') ||
    !/^\d{1,2}$/.test(literal) ||
    Number(literal) > MAX_ROUND
  )
    failAt(places?.at ?? 1, `the decimals of round must be a number from 0 to ${MAX_ROUND}`)
  return ofNumber(parts, 'round', (value) => round(value, Number(literal)))
}

function ofNumber(
  parts: readonly Operand[],
  name: string,
  change: (value: Decimal) => Decimal,
): Built {
  const [part] = parts as readonly [Operand]
  requireType(part, 'number', name)
  return {
    type: 'number',
    length: 0,
    run(record: JsonObject): Value {
      const value = part.run(record)
      return typeof value === 'object' && value !== null ? change(value) : null
    },
  }
}
