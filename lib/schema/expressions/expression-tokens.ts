// Splits an expression of CHECK or COMPUTED into tokens:
//
//   12  0.5  .5           numbers
//   'it''s'               text
//   price  "in"           names of columns; quotes are needed for words of the language
//   + - * / % ( ) ,       signs
//   = <> != < <= > >= ||

import { CmsError } from '../../base/errors.ts'
import { show } from '../columns/tokens.ts'

export interface ExpressionToken {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'sign' | 'end'
  /** Without quotes. */
  readonly text: string
  /** The position of the first character, from 1. */
  readonly at: number
}

const BLANKS = /\s*/y
const TOKEN =
  /(?<number>\d+(?:\.\d*)?|\.\d+)|'(?<text>[^']*(?:''[^']*)*)'|"(?<quoted>[^"]*)"|`(?<ticked>[^`]*)`|(?<name>[A-Za-z_]\w*)|(?<sign><=|>=|<>|!=|\|\||[-+*/%(),=<>])/y

/** Linear time. Throws invalid-content at the first character that begins no token. */
export function splitExpression(text: string): readonly ExpressionToken[] {
  const tokens: ExpressionToken[] = []
  let at = skip(text, 0)
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) failAt(at + 1, `${show(text.charAt(at))} cannot stand here`)
    tokens.push({ ...tokenOf(found.groups ?? {}), at: at + 1 })
    at = skip(text, at + found[0].length)
  }
  return [...tokens, { kind: 'end', text: '', at: text.length + 1 }]
}

/** Throws invalid-content with the position in the expression. */
export function failAt(at: number, detail: string): never {
  throw new CmsError('invalid-content', `at character ${at}: ${detail}`)
}

function skip(text: string, at: number): number {
  BLANKS.lastIndex = at
  return at + (BLANKS.exec(text)?.[0].length ?? 0)
}

function tokenOf(
  groups: Readonly<Record<string, string | undefined>>,
): Omit<ExpressionToken, 'at'> {
  const { number, text, quoted, ticked, name, sign = '' } = groups
  if (number !== undefined) return { kind: 'number', text: number }
  if (text !== undefined) return { kind: 'text', text: text.replaceAll("''", "'") }
  if (name !== undefined) return { kind: 'name', text: name }
  const column = quoted ?? ticked
  return column === undefined ? { kind: 'sign', text: sign } : { kind: 'quoted', text: column }
}
