// Replacements of numbers, texts and patterns. Prose is not mutated: texts of three words or more,
// and texts for people, for example the detail of an error or a description.

import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateExpression,
} from 'typescript/unstable/ast/is'
import type { Replacement } from './operators.ts'

const PROSE = /\p{L}+[ ,.:]+\p{L}+[ ,.:]+\p{L}+/u

/** Fields with texts for people. */
const PROSE_FIELDS = new Set([
  'description',
  'detail',
  'examples',
  'explanation',
  'message',
  'summary',
  'title',
])

/** Functions whose text arguments are for people. */
const PROSE_CALLS = new Set(['CmsError', 'Error', 'RangeError', 'TypeError'])

export function literalReplacementsOf(node: Node, source: SourceFile): readonly Replacement[] {
  const start = node.getStart(source)
  return textsFor(node, source).map((text) => ({ start, end: node.end, text }))
}

function textsFor(node: Node, source: SourceFile): readonly string[] {
  const text = node.getText(source)
  if (isNumericLiteral(node)) return [String(Number(text.replaceAll('_', '')) + 1)]
  if (isRegularExpressionLiteral(node)) return patternTexts(text)
  const isText =
    isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isTemplateExpression(node)
  if (!isText || PROSE.test(text) || isRead(node)) return []
  return [/^(['"`])\1$/.test(text) ? "'mutant'" : "''"]
}

/** Whether the text is for people. */
function isRead(node: Node): boolean {
  const { parent } = node
  if (parent === undefined || isObjectLiteralExpression(node)) return false
  if (isPropertyAssignment(parent)) {
    const { name } = parent
    if (isIdentifier(name) && PROSE_FIELDS.has(name.text)) return true
  }
  if (isNewExpression(parent) || isCallExpression(parent)) {
    const { expression: called } = parent
    if (isIdentifier(called) && PROSE_CALLS.has(called.text)) return true
  }
  return isRead(parent)
}

/** Removes an anchor, a flag or a bound, or negates a class, at each possible place. */
function patternTexts(text: string): readonly string[] {
  const end = text.lastIndexOf('/')
  const pattern = text.slice(1, end)
  const flags = text.slice(end + 1)
  const patterns = [
    ...(pattern.startsWith('^') ? [pattern.slice(1)] : []),
    ...(/(?<!\\)\$$/.test(pattern) ? [pattern.slice(0, -1)] : []),
    ...eachReplaced(pattern, { from: /(?<!\\)\[\^/g, to: '[' }),
    ...eachReplaced(pattern, { from: /(?<!\\)\[(?!\^)/g, to: '[^' }),
    ...eachReplaced(pattern, { from: /(?<=[\])\w])\+/g, to: '*' }),
    ...eachReplaced(pattern, { from: /(?<=[\])\w.])\*/g, to: '+' }),
    ...eachReplaced(pattern, { from: /\\d/g, to: '\\D' }),
    ...eachReplaced(pattern, { from: /\\s/g, to: '\\S' }),
  ].map((changed) => `/${changed}/${flags}`)
  return flags.includes('i') ? [...patterns, `/${pattern}/${flags.replace('i', '')}`] : patterns
}

interface Exchange {
  readonly from: RegExp
  readonly to: string
}

function eachReplaced(text: string, { from, to }: Exchange): readonly string[] {
  return [...text.matchAll(from)].map(
    ({ index, 0: found }) => `${text.slice(0, index)}${to}${text.slice(index + found.length)}`,
  )
}
