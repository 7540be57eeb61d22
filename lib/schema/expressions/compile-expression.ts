// Compiles an expression of CHECK or COMPUTED: finds its columns, checks its types, bounds its cost, and returns a function
// of a record. No code is generated; the function is a tree of closures.
//
// Logic has three values, as in SQL: a comparison with null is null, NOT null is null, AND and OR are null if the other
// side does not decide. Arithmetic is exact (exact-decimals.ts). Texts are compared by their code points, as UNIQUE does; a
// date is compared with a time as its first instant in UTC. A text literal that is compared with a date or a time is parsed
// as one.

import { closest } from '../message-text.ts'
import { show } from '../columns/tokens.ts'
import type { FieldKind, JsonObject } from '../values.ts'
import {
  add,
  type Decimal,
  divide,
  multiply,
  negate,
  remainder,
  toDecimal,
} from './exact-decimals.ts'
import { compileBetween, compileComparison, compileIn } from './expression-comparisons.ts'
import { buildCall } from './expression-functions.ts'
import { type Arithmetic, type Expression, parseExpression } from './expression-parser.ts'
import { failAt } from './expression-tokens.ts'
import {
  asNumber,
  type Operand,
  type Pair,
  readText,
  requireType,
  showValue,
  type TextCost,
  textLength,
  truth,
  type Value,
  type ValueType,
} from './operand.ts'

/** A column, or another field of an entry, as expressions read it. */
export interface ExpressionField {
  readonly name: string
  readonly kind: FieldKind | undefined
  /** Infinite without a limit. */
  readonly maxLength: number
}

export interface CompiledExpression {
  readonly type: ValueType
  /** Names of the columns, in the order of the text. */
  readonly columns: readonly string[]
  readonly nodes: number
  /** Characters of the longest texts that one evaluation reads. */
  readonly characters: number
  /** Never throws. */
  readonly run: (record: JsonObject) => Value
}

interface Compiler {
  readonly fields: ReadonlyMap<string, ExpressionField>
  readonly columns: Set<string>
  readonly cost: TextCost
}

/** Throws invalid-content with the position of the fault. Names are found in any case. */
export function compileExpression(
  text: string,
  fields: readonly ExpressionField[],
): CompiledExpression {
  const { whole, nodes } = parseExpression(text)
  const compiler: Compiler = {
    fields: new Map(fields.map((field) => [field.name.toLowerCase(), field])),
    columns: new Set(),
    cost: { characters: 0 },
  }
  const { type, run } = compile(whole, compiler)
  const { columns, cost } = compiler
  return { type, columns: [...columns], nodes, characters: cost.characters, run }
}

function compile(read: Expression, compiler: Compiler): Operand {
  const { at } = read
  switch (read.op) {
    case 'null':
      return { at, type: 'null', length: 0, run: () => null }
    case 'boolean':
      return { at, type: 'boolean', length: 0, run: () => read.value }
    case 'number':
      return numberLiteral(at, read.text)
    case 'text':
      return {
        at,
        type: 'text',
        length: read.text.length,
        literal: read.text,
        run: () => read.text,
      }
    case 'column':
      return compileColumn(at, read.text, compiler)
    case 'call': {
      const parts = read.parts.map((part) => compile(part, compiler))
      return buildCall({ name: read.name, at, parts, cost: compiler.cost })
    }
    case 'not':
    case 'negative':
    case 'isNull':
      return compileUnary(read.op, at, compile(read.part, compiler))
    case 'and':
    case 'or':
      return compileLogic(read.op, at, compilePair(read, compiler))
    case 'join':
      return compileJoin(at, compilePair(read, compiler), compiler.cost)
    case 'arithmetic':
      return compileArithmetic(read.sign, at, compilePair(read, compiler))
    case 'compare':
      return compileComparison(read.sign, at, compilePair(read, compiler), compiler.cost)
    case 'in': {
      const items = read.items.map((item) => compile(item, compiler))
      return compileIn(at, compile(read.part, compiler), items, compiler.cost)
    }
    case 'between': {
      const limits = [compile(read.least, compiler), compile(read.most, compiler)] as const
      return compileBetween(at, compile(read.part, compiler), limits, compiler.cost)
    }
  }
}

function compilePair(
  { left, right }: { readonly left: Expression; readonly right: Expression },
  compiler: Compiler,
): Pair {
  return [compile(left, compiler), compile(right, compiler)]
}

function numberLiteral(at: number, text: string): Operand {
  const value = toDecimal(text)
  if (value === undefined) return failAt(at, `${show(text)} has too many digits`)
  return { at, type: 'number', length: 0, literal: text, run: () => value }
}

const TYPES: Readonly<Partial<Record<FieldKind, ValueType>>> = {
  string: 'text',
  uuid: 'text',
  integer: 'number',
  number: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'time',
}

const UUID_LENGTH = 36

function compileColumn(at: number, written: string, { fields, columns }: Compiler): Operand {
  const field = fields.get(written.toLowerCase())
  if (field === undefined) {
    const near = closest(
      written,
      Array.from(fields.values(), ({ name }) => name),
    )
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    return failAt(at, `there is no column ${show(written)}${hint}`)
  }
  const { name, kind } = field
  const type = kind && TYPES[kind]
  if (type === undefined)
    return failAt(at, `the column ${show(name)} has a type that expressions cannot read`)
  columns.add(name)
  const length = kind === 'uuid' ? UUID_LENGTH : field.maxLength
  return { at, type, length, column: name, run: readerOf(name, type) }
}

function readerOf(name: string, type: ValueType): Operand['run'] {
  if (type === 'number')
    return (record) => {
      const value = record[name]
      if (typeof value !== 'number' && typeof value !== 'string') return null
      return toDecimal(value) ?? null
    }
  return (record) => {
    const value = record[name]
    return typeof value === 'string' || typeof value === 'boolean' ? value : null
  }
}

function compileUnary(op: 'not' | 'negative' | 'isNull', at: number, part: Operand): Operand {
  if (op === 'isNull') return truth(at, (record) => part.run(record) === null)
  if (op === 'not') {
    requireType(part, 'boolean', 'NOT')
    return truth(at, (record) => {
      const value = part.run(record)
      return typeof value === 'boolean' ? !value : null
    })
  }
  requireType(part, 'number', '-')
  return {
    at,
    type: 'number',
    length: 0,
    run: (record) => {
      const value = asNumber(part.run(record))
      return value === null ? null : negate(value)
    },
  }
}

function compileLogic(op: 'and' | 'or', at: number, [left, right]: Pair): Operand {
  requireType(left, 'boolean', op.toUpperCase())
  requireType(right, 'boolean', op.toUpperCase())
  const decides = op === 'or'
  return truth(at, (record) => {
    const first = left.run(record)
    if (first === decides) return decides
    const second = right.run(record)
    if (second === decides) return decides
    return first === null || second === null ? null : !decides
  })
}

/** Unlike concat, a null makes the whole text null. */
function compileJoin(at: number, [left, right]: Pair, cost: TextCost): Operand {
  const length = textLength(left, '||') + textLength(right, '||')
  readText(left, cost)
  readText(right, cost)
  return {
    at,
    type: 'text',
    length,
    run: (record) => {
      const [first, second] = [left.run(record), right.run(record)]
      return first === null || second === null ? null : showValue(first) + showValue(second)
    },
  }
}

const OPERATIONS: Readonly<Record<Arithmetic, (left: Decimal, right: Decimal) => Decimal | null>> =
  {
    '+': add,
    '-': (left, right) => add(left, negate(right)),
    '*': multiply,
    '/': divide,
    '%': remainder,
  }

function compileArithmetic(sign: Arithmetic, at: number, [left, right]: Pair): Operand {
  requireType(left, 'number', sign)
  requireType(right, 'number', sign)
  const operation = OPERATIONS[sign]
  return {
    at,
    type: 'number',
    length: 0,
    run: (record) => {
      const first = asNumber(left.run(record))
      const second = asNumber(right.run(record))
      return first === null || second === null ? null : operation(first, second)
    },
  }
}
