// Parses an expression of CHECK or COMPUTED by recursive descent. The operators bind as in SQL, from the weakest to the
// strongest:
//
//   or          := and { OR and }
//   and         := not { AND not }
//   not         := NOT not | comparison
//   comparison  := joined [ ( = | <> | != | < | <= | > | >= ) joined
//                         | IS [ NOT ] NULL | [ NOT ] IN "(" or { "," or } ")" | [ NOT ] BETWEEN joined AND joined ]
//   joined      := sum { "||" sum }
//   sum         := product { ( + | - ) product }
//   product     := signed { ( * | / | % ) signed }
//   signed      := - signed | value
//   value       := number | text | TRUE | FALSE | NULL | column | function "(" [ or { "," or } ] ")" | "(" or ")"

import { EXPRESSION_WORDS } from '../../shared/expression-scan.ts'
import {
  MAX_EXPRESSION_CHARACTERS,
  MAX_EXPRESSION_DEPTH,
  MAX_EXPRESSION_NODES,
} from '../../shared/limits.ts'
import { show } from '../columns/tokens.ts'
import { type ExpressionToken, failAt, splitExpression } from './expression-tokens.ts'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
export type Arithmetic = '+' | '-' | '*' | '/' | '%'

/** A parsed expression; `at` is the position of its operator or its first character. */
export type Expression = { readonly at: number } & (
  | { readonly op: 'number' | 'text' | 'column'; readonly text: string }
  | { readonly op: 'boolean'; readonly value: boolean }
  | { readonly op: 'null' }
  | { readonly op: 'call'; readonly name: string; readonly parts: readonly Expression[] }
  | { readonly op: 'not' | 'negative' | 'isNull'; readonly part: Expression }
  | { readonly op: 'and' | 'or' | 'join'; readonly left: Expression; readonly right: Expression }
  | {
      readonly op: 'arithmetic'
      readonly sign: Arithmetic
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly op: 'compare'
      readonly sign: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly op: 'in'; readonly part: Expression; readonly items: readonly Expression[] }
  | {
      readonly op: 'between'
      readonly part: Expression
      readonly least: Expression
      readonly most: Expression
    }
)

interface Reader {
  readonly tokens: readonly ExpressionToken[]
  next: number
  nodes: number
  depth: number
}

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

/** The digits of a product are those of both sides. */
const PRODUCT_WEIGHT = 5

interface ParsedExpression {
  readonly whole: Expression
  /** Values and operators; a product counts several times. */
  readonly nodes: number
}

/** Throws invalid-content with the position of the first fault. Time is linear in the text. */
export function parseExpression(text: string): ParsedExpression {
  if (text.length > MAX_EXPRESSION_CHARACTERS)
    failAt(1, `an expression may have at most ${MAX_EXPRESSION_CHARACTERS} characters`)
  const reader: Reader = { tokens: splitExpression(text), next: 0, nodes: 0, depth: 0 }
  const whole = readOr(reader)
  const rest = peek(reader)
  if (rest.kind !== 'end') failAt(rest.at, `${show(rest.text)} is not allowed here`)
  return { whole, nodes: reader.nodes }
}

function readOr(reader: Reader): Expression {
  let left = readAnd(reader)
  for (let at = takeWord(reader, 'OR'); at > 0; at = takeWord(reader, 'OR'))
    left = node(reader, { op: 'or', at, left, right: readAnd(reader) })
  return left
}

function readAnd(reader: Reader): Expression {
  let left = readNot(reader)
  for (let at = takeWord(reader, 'AND'); at > 0; at = takeWord(reader, 'AND'))
    left = node(reader, { op: 'and', at, left, right: readNot(reader) })
  return left
}

function readNot(reader: Reader): Expression {
  const at = takeWord(reader, 'NOT')
  if (at === 0) return readComparison(reader)
  return node(reader, { op: 'not', at, part: deeper(reader, readNot) })
}

function readComparison(reader: Reader): Expression {
  const left = readJoined(reader)
  const { kind, text, at } = peek(reader)
  const sign = kind === 'sign' ? COMPARISONS.get(text) : undefined
  if (sign !== undefined) {
    reader.next += 1
    return node(reader, { op: 'compare', at, sign, left, right: readJoined(reader) })
  }
  if (takeWord(reader, 'IS') > 0) {
    const isNot = takeWord(reader, 'NOT') > 0
    if (takeWord(reader, 'NULL') === 0) failAt(peek(reader).at, 'IS needs NULL or NOT NULL')
    return negated(reader, isNot, { op: 'isNull', at, part: left })
  }
  const isNot = takeWord(reader, 'NOT') > 0
  if (takeWord(reader, 'IN') > 0)
    return negated(reader, isNot, { op: 'in', at, part: left, items: readList(reader) })
  if (takeWord(reader, 'BETWEEN') > 0) {
    const least = readJoined(reader)
    if (takeWord(reader, 'AND') === 0) failAt(peek(reader).at, 'BETWEEN needs AND: BETWEEN 1 AND 9')
    const most = readJoined(reader)
    return negated(reader, isNot, { op: 'between', at, part: left, least, most })
  }
  if (isNot) failAt(peek(reader).at, 'NOT needs IN or BETWEEN here')
  return left
}

function negated(reader: Reader, isNot: boolean, part: Expression): Expression {
  const read = node(reader, part)
  return isNot ? node(reader, { op: 'not', at: part.at, part: read }) : read
}

function readJoined(reader: Reader): Expression {
  let left = readSum(reader)
  for (let at = takeSign(reader, '||'); at > 0; at = takeSign(reader, '||'))
    left = node(reader, { op: 'join', at, left, right: readSum(reader) })
  return left
}

function readSum(reader: Reader): Expression {
  return readArithmetic(reader, ['+', '-'], readProduct)
}

function readProduct(reader: Reader): Expression {
  return readArithmetic(reader, ['*', '/', '%'], readSigned)
}

function readArithmetic(
  reader: Reader,
  signs: readonly Arithmetic[],
  readPart: (reader: Reader) => Expression,
): Expression {
  let left = readPart(reader)
  for (;;) {
    const { kind, text, at } = peek(reader)
    const sign = kind === 'sign' ? signs.find((item) => item === text) : undefined
    if (sign === undefined) return left
    reader.next += 1
    left = node(reader, { op: 'arithmetic', at, sign, left, right: readPart(reader) })
    if (sign !== '+' && sign !== '-') reader.nodes += PRODUCT_WEIGHT - 1
  }
}

function readSigned(reader: Reader): Expression {
  const at = takeSign(reader, '-')
  if (at === 0) return readValue(reader)
  return node(reader, { op: 'negative', at, part: deeper(reader, readSigned) })
}

function readValue(reader: Reader): Expression {
  const token = peek(reader)
  const { kind, text, at } = token
  reader.next += 1
  if (kind === 'number' || kind === 'text') return node(reader, { op: kind, at, text })
  if (kind === 'quoted') return node(reader, { op: 'column', at, text })
  if (kind === 'sign' && text === '(') {
    const inside = deeper(reader, readOr)
    if (takeSign(reader, ')') === 0) failAt(peek(reader).at, 'a closing parenthesis is missing')
    return inside
  }
  if (kind === 'end') failAt(at, 'a value is missing at the end')
  if (kind === 'sign') failAt(at, `${show(text)} is not allowed here; a value is missing`)
  return readWord(reader, token)
}

function readWord(reader: Reader, { text, at }: ExpressionToken): Expression {
  const word = text.toUpperCase()
  if (word === 'NULL') return node(reader, { op: 'null', at })
  if (word === 'TRUE' || word === 'FALSE')
    return node(reader, { op: 'boolean', at, value: word === 'TRUE' })
  if (EXPRESSION_WORDS.has(word))
    failAt(
      at,
      `${show(text)} is not allowed here; a column of this name is written in quotes, "${text}"`,
    )
  const { kind, text: sign } = peek(reader)
  if (kind !== 'sign' || sign !== '(') return node(reader, { op: 'column', at, text })
  return node(reader, { op: 'call', at, name: text.toLowerCase(), parts: readList(reader) })
}

/** Values in parentheses. */
function readList(reader: Reader): readonly Expression[] {
  if (takeSign(reader, '(') === 0) failAt(peek(reader).at, 'an opening parenthesis is missing')
  if (takeSign(reader, ')') > 0) return []
  const items: Expression[] = []
  do items.push(deeper(reader, readOr))
  while (takeSign(reader, ',') > 0)
  if (takeSign(reader, ')') === 0)
    failAt(peek(reader).at, 'a comma or a closing parenthesis is missing')
  return items
}

function deeper(reader: Reader, read: (reader: Reader) => Expression): Expression {
  reader.depth += 1
  if (reader.depth > MAX_EXPRESSION_DEPTH)
    failAt(peek(reader).at, `an expression may be nested at most ${MAX_EXPRESSION_DEPTH} deep`)
  const part = read(reader)
  reader.depth -= 1
  return part
}

function node(reader: Reader, read: Expression): Expression {
  reader.nodes += 1
  if (reader.nodes > MAX_EXPRESSION_NODES)
    failAt(read.at, `an expression may have at most ${MAX_EXPRESSION_NODES} values and operators`)
  return read
}

function peek({ tokens, next }: Reader): ExpressionToken {
  return tokens[next] ?? { kind: 'end', text: '', at: 1 }
}

/** The position of the word, which is taken; 0 if another token follows. */
function takeWord(reader: Reader, word: string): number {
  const { kind, text, at } = peek(reader)
  if (kind !== 'name' || text.toUpperCase() !== word) return 0
  reader.next += 1
  return at
}

function takeSign(reader: Reader, sign: string): number {
  const { kind, text, at } = peek(reader)
  if (kind !== 'sign' || text !== sign) return 0
  reader.next += 1
  return at
}
