// Splits an expression of CHECK or COMPUTED into tokens, with an end token and the faults of the server.

import { CmsError } from '../../base/errors.ts'
import { type ExpressionPart, scanExpression } from '../../shared/expression-scan.ts'
import { show } from '../columns/tokens.ts'

export interface ExpressionToken {
  readonly kind: ExpressionPart['kind'] | 'end'
  /** Without quotes. */
  readonly text: string
  /** The position of the first character, from 1. */
  readonly at: number
}

/** Linear time. Throws invalid-content at the first character that begins no token. */
export function splitExpression(text: string): readonly ExpressionToken[] {
  const { parts, fault } = scanExpression(text)
  if (fault !== undefined) {
    const sign = text.charAt(fault)
    const isQuote = sign === "'" || sign === '"' || sign === '`'
    failAt(fault + 1, `${show(sign)} is ${isQuote ? 'never closed' : 'not allowed here'}`)
  }
  const tokens = parts.map(({ kind, text: part, start }) => ({ kind, text: part, at: start + 1 }))
  return [...tokens, { kind: 'end', text: '', at: text.length + 1 }]
}

/** Throws invalid-content with the position in the expression. */
export function failAt(at: number, detail: string): never {
  throw new CmsError('invalid-content', `at character ${at}: ${detail}`)
}
