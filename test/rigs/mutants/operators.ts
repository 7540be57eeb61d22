// Replacements of code. A replacement is omitted if another one has the same effect: the only
// statement of an `if` is not removed, because the condition becomes false. `await` stays, because
// the linter and the types reject a missing `await`.

import type { BinaryExpression, CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isBreakOrContinueStatement,
  isCallExpression,
  isConditionalExpression,
  isDeleteExpression,
  isAwaitExpression,
  isExpressionStatement,
  isFalseLiteral,
  isForStatement,
  isIdentifier,
  isIfStatement,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isThrowStatement,
  isTrueLiteral,
  isWhileStatement,
} from 'typescript/unstable/ast/is'
import { literalReplacementsOf } from './literals.ts'

export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '=',
}

const OTHER_METHOD: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
}

/** Methods that return their object, shortened or reordered. */
const PASSING_METHODS = new Set(['trim', 'filter', 'slice', 'subarray', 'toSorted', 'toReversed'])

/** Returns the replacements of this node, or of a part that is no node. */
export function replacementsOf(node: Node, source: SourceFile): readonly Replacement[] {
  const texts = [
    ...conditionTexts(node),
    ...(isBinaryExpression(node) ? binaryTexts(node, source) : []),
    ...unaryTexts(node, source),
    ...(isCallExpression(node) ? callTexts(node, source) : []),
    ...(isArrayLiteralExpression(node) && node.elements.length > 0 ? ['[]'] : []),
    ...statementTexts(node),
  ]
  return [
    ...texts.map((text) => ({ start: node.getStart(source), end: node.end, text })),
    ...partReplacements(node, source),
    ...literalReplacementsOf(node, source),
  ]
}

function conditionTexts(node: Node): readonly string[] {
  if (isTrueLiteral(node)) return ['false']
  if (isFalseLiteral(node)) return ['true']
  const { parent } = node
  if (parent === undefined) return []
  const isCondition =
    ((isIfStatement(parent) || isWhileStatement(parent)) && parent.expression === node) ||
    ((isConditionalExpression(parent) || isForStatement(parent)) && parent.condition === node)
  if (!isCondition) return []
  return isForStatement(parent) || isWhileStatement(parent) ? ['false'] : ['true', 'false']
}

function binaryTexts(node: BinaryExpression, source: SourceFile): readonly string[] {
  const left = node.left.getText(source)
  const right = node.right.getText(source)
  const operator = node.operatorToken.getText(source)
  if (operator === '??') return [left]
  const other = OTHER_OPERATOR[operator]
  return other === undefined ? [] : [`${left} ${other} ${right}`]
}

function unaryTexts(node: Node, source: SourceFile): readonly string[] {
  if (!isPrefixUnaryExpression(node) && !isPostfixUnaryExpression(node)) return []
  const text = node.getText(source)
  if (text.includes('++')) return [text.replace('++', '--')]
  if (text.includes('--')) return [text.replace('--', '++')]
  return [node.operand.getText(source)]
}

function callTexts(node: CallExpression, source: SourceFile): readonly string[] {
  const called = node.expression
  if (!isPropertyAccessExpression(called)) return []
  const object = called.expression.getText(source)
  const name = called.name.getText(source)
  if (PASSING_METHODS.has(name)) return [object]
  const other = OTHER_METHOD[name]
  if (other === undefined) return []
  const rest = source.text.slice(called.name.end, node.end)
  return [
    `${source.text.slice(node.getStart(source), called.name.getStart(source))}${other}${rest}`,
  ]
}

function statementTexts(node: Node): readonly string[] {
  if (isBlock(node)) return isWorthEmptying(node) ? ['{}'] : []
  if (!isRemovable(node) || isDoneByCondition(node)) return []
  // An empty block replaces the statement, because without semicolons the next line may begin with
  // a bracket.
  return ['{}']
}

/**
 * A block of a single statement is emptied by removing the statement; the block of an `if` is
 * skipped by its condition.
 */
function isWorthEmptying(node: Node): boolean {
  if (!isBlock(node) || node.statements.length === 0 || isDoneByCondition(node)) return false
  const [only, second] = node.statements
  return second !== undefined || only === undefined || !isRemovable(only)
}

function isRemovable(node: Node): boolean {
  if (isReturnStatement(node) || isThrowStatement(node) || isBreakOrContinueStatement(node))
    return true
  if (!isExpressionStatement(node)) return false
  const { expression } = node
  const done = isAwaitExpression(expression) ? expression.expression : expression
  return (
    isCallExpression(done) ||
    isBinaryExpression(done) ||
    isDeleteExpression(done) ||
    isPrefixUnaryExpression(done) ||
    isPostfixUnaryExpression(done)
  )
}

/** Whether the node is the whole body of an `if` without `else`. */
function isDoneByCondition(node: Node): boolean {
  const { parent } = node
  if (isIfStatement(parent))
    return parent.thenStatement === node && parent.elseStatement === undefined
  return isBlock(parent) && parent.statements.length === 1 && isDoneByCondition(parent)
}

/** Replaces `?.` with `.`, and a returned value with undefined. */
function partReplacements(node: Node, source: SourceFile): readonly Replacement[] {
  const parts: Replacement[] = []
  if (isPropertyAccessExpression(node) && node.questionDotToken !== undefined) {
    const { questionDotToken: token } = node
    parts.push({ start: token.getStart(source), end: token.end, text: '.' })
  }
  const value = returnedBy(node)
  if (value !== undefined && !(isIdentifier(value) && value.text === 'undefined'))
    parts.push({ start: value.getStart(source), end: value.end, text: 'undefined' })
  return parts
}

function returnedBy(node: Node): Node | undefined {
  if (isReturnStatement(node)) return node.expression
  return isArrowFunction(node) && !isBlock(node.body) ? node.body : undefined
}
