// Finds the literal prefix that every match of a pattern has.

import type { RegexMatch } from '../../schema/match.ts'

const LITERAL = /^(?:\\([^\p{L}\p{N}])|([^\\^$.|?*+()[\]{}]))([?*+{])?/u

/** The literal text after a leading `^`. */
export function literalStart({ pattern, ignoresCase }: RegexMatch): string {
  if (ignoresCase || !pattern.startsWith('^') || pattern.includes('|')) return ''

  let text = ''
  let at = 1
  for (;;) {
    const found = LITERAL.exec(pattern.slice(at))
    // A quantifier may make the last character optional.
    if (found === null || found[3] !== undefined) return text
    text += found[1] ?? found[2] ?? ''
    at += found[0].length
  }
}
