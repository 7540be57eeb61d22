// Bounds the regular expressions of one qry.

import { patternCost } from './pattern-cost.ts'
import { refuse } from './qry-text.ts'

/** Limits for all patterns of one qry together. */
const MAX_PATTERN_LENGTH = 4_096
const MAX_PATTERN_INSTRUCTIONS = 2_000
const MAX_PATTERN_CLASSES = 400

/** Totals of the patterns of a qry that were parsed so far. */
export interface PatternTotals {
  length: number
  instructions: number
  classes: number
}

interface GivenPattern {
  readonly pattern: string
  readonly ignoresCase: boolean
  readonly path: string
}

/** Adds the pattern to the totals. Called before the pattern is compiled, because compiling is the expensive part. */
export function requireSmallPattern(
  { pattern, ignoresCase, path }: GivenPattern,
  totals: PatternTotals,
): void {
  totals.length += pattern.length
  if (totals.length > MAX_PATTERN_LENGTH)
    refuse(
      path,
      `is too long: all patterns of a qry together may have ${MAX_PATTERN_LENGTH} characters`,
    )

  const { instructions, classes } = patternCost(pattern, ignoresCase)
  totals.instructions += instructions
  totals.classes += classes
  if (totals.instructions > MAX_PATTERN_INSTRUCTIONS)
    refuse(
      path,
      `is too large: the patterns of this qry compile to up to ${totals.instructions} instructions, but only ${MAX_PATTERN_INSTRUCTIONS} are allowed; reduce the repetitions in {…}`,
    )
  if (totals.classes > MAX_PATTERN_CLASSES)
    refuse(path, 'has too many character classes, such as \\p{L} or [b-\\x{FFFF}]; use fewer')
}
