// Edits of a schema text by the positions of its tokens.

import { type ColumnTokens, quoted, type Token } from '../../../shared/schema-tokens.ts'

export interface Edit {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** Applies edits from last to first, so that positions stay valid. */
export function apply(text: string, edits: readonly Edit[]): string {
  const sorted = edits.toSorted((a, b) => b.start - a.start || b.end - a.end)
  let result = text
  for (const { start, end, by } of sorted) result = result.slice(0, start) + by + result.slice(end)
  return result
}

/** Removes adjacent tokens. */
export function span(piece: ColumnTokens, [first, ...others]: readonly [Token, ...Token[]]): Edit {
  return { ...without(piece, first), end: (others.at(-1) ?? first).end }
}

/** Includes the preceding blanks. */
export function without(piece: ColumnTokens, token: Token): Edit {
  const before = piece[piece.indexOf(token) - 1]
  return { start: before?.end ?? token.start, end: token.end, by: '' }
}

/** A value as it is written in a schema. */
export function written(value: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(value) ? value : quoted(value)
}
