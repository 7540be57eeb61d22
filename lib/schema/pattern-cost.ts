// Estimates the cost of a regular expression before it is compiled.

interface PatternCost {
  /** Instructions of the program. A match takes at most this many steps per character of the text. */
  readonly instructions: number
  /** Work to parse character classes, in units of about 30 µs. */
  readonly classes: number
}

/** Flags, a run in \Q…\E, an escape, a class, a repetition, or any single character. */
const TOKEN =
  /\(\?[\w-]*\)|\\Q([\s\S]*?)(?:\\E|$)|\\(?:[pP](?:\{[^}]*\}|.)|x\{[^}]*\}|[\s\S])|\[\^?\]?(?:\[:[\s\S]*?:\]|\\[\s\S]|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|[\s\S]/gu
const QUANTIFIERS: ReadonlySet<string> = new Set(['*', '+', '?'])
const IGNORES_CASE = /\(\?[\w-]*i/

interface Group {
  size: number
  /** Size of the element that a following quantifier repeats. */
  last: number
}

/**
 * Estimates the cost of a pattern from its text. re2js limits a program only after building it, and needs
 * seconds and a gigabyte to build what 4 KB of text can describe. Both numbers are upper bounds.
 */
export function patternCost(pattern: string, ignoresCase: boolean): PatternCost {
  const isFolded = ignoresCase || IGNORES_CASE.test(pattern)
  const open: Group[] = []
  let group: Group = { size: 0, last: 0 }
  let classes = 0
  const add = (size: number): void => {
    group.size += size
    group.last = size
  }
  const close = (outer: Group): void => {
    const { size } = group
    group = outer
    add(size + 2)
  }

  for (const [token, quoted, least, most] of pattern.matchAll(TOKEN)) {
    // A quantifier after flags repeats the element before the flags.
    if (token.startsWith('(?')) continue
    if (least !== undefined) repeat(group, Number(least), Number(most ?? 0))
    else if (token === '(') {
      open.push(group)
      group = { size: 0, last: 0 }
    } else if (token === ')') {
      const outer = open.pop()
      if (outer !== undefined) close(outer)
    } else if (QUANTIFIERS.has(token)) repeat(group, 0, 1)
    else add(token === '|' ? 2 : Math.max(quoted?.length ?? 0, 1))
    if (token.length > 1) classes += classCost(token, isFolded)
  }
  for (const outer of open.toReversed()) close(outer)
  return { instructions: group.size, classes }
}

/** Each optional copy takes one more instruction. */
function repeat(group: Group, least: number, most: number): void {
  const optional = Math.max(most - least, 0)
  const repeated = Math.max(group.last * least + (group.last + 1) * optional, group.last) + 1
  group.size += repeated - group.last
  group.last = repeated
}

const NAMED = 10
/** Cost of most of Unicode with the other case of each character. */
const FOLDED_RANGE = 120
const RANGE = /(\\x\{[^}]*\}|\\[\s\S]|[\s\S])-(\\x\{[^}]*\}|\\[\s\S]|[^\]])/gu

/** Measured with re2js 2.10: a named class takes up to 0.3 ms, a case-folded range 3.7 ms. */
function classCost(token: string, isFolded: boolean): number {
  const named = token.match(/\\[pP]/g)?.length ?? 0
  if (!token.startsWith('[')) return named * NAMED
  const ranges = isFolded ? Array.from(token.matchAll(RANGE), rangeCost) : []
  return ranges.reduce((sum, cost) => sum + cost, 1 + named * NAMED)
}

function rangeCost([, from = '', to = '']: readonly string[]): number {
  if (from.startsWith('\\') || to.startsWith('\\')) return FOLDED_RANGE
  const width = (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0)
  return Math.min(FOLDED_RANGE, Math.ceil(Math.max(width, 1) / 1_000))
}
