// Matches that may take long: patterns, and many conditions on a large record. The work may yield between two conditions,
// and a pattern that takes many steps for a text is matched in a worker.

import { type Match, matches, type RegexMatch, valueOf } from '../../schema/match.ts'
import { readScalar } from '../../schema/field-value.ts'
import type { JsonObject } from '../../schema/values.ts'
import { CmsError } from '../../base/errors.ts'
import type { Pause } from '../../schema/time-slicing.ts'
import type { MatchPattern } from '../../workers/match-pattern.ts'

/**
 * Limit of instructions × characters for a match on the main thread. The limit takes up to 10 ms, because re2js creates a
 * state of its automaton for nearly each character of an adversarial text.
 */
const MAX_STEPS = 20_000
/** Limit of conditions × bytes compared without yielding. */
const MAX_COMPARED_BYTES = 256 * 1024

/** Matches a pattern outside of the main thread; throws if the match takes too long. */
export type MatchElsewhere = (asked: MatchPattern) => Promise<boolean>

/** Milliseconds that one search may wait for its patterns. A page ends earlier: see search.ts. */
const MAX_WAIT_MS = 10_000

/** Throws bad-qry if the texts of one search have together taken too long. */
export function withinBudget(elsewhere: MatchElsewhere): MatchElsewhere {
  let leftMs = MAX_WAIT_MS
  return async (asked) => {
    if (leftMs <= 0)
      throw new CmsError(
        'bad-qry',
        `The regular expressions of this search take more than ${MAX_WAIT_MS / 1_000} s. Narrow the search with more conditions, or omit count and orderStr.`,
      )
    const began = performance.now()
    const isMatch = await elsewhere(asked)
    leftMs -= performance.now() - began
    return isMatch
  }
}

/** Cost of a match for each record. */
export interface MatchCost {
  readonly conditions: number
  readonly hasPatterns: boolean
}

export function matchCost(match: Match | undefined): MatchCost {
  if (match === undefined) return { conditions: 0, hasPatterns: false }
  switch (match.op) {
    case 'and':
    case 'or': {
      const costs = match.parts.map(matchCost)
      return {
        conditions: costs.reduce((sum, { conditions }) => sum + conditions, 0),
        hasPatterns: costs.some(({ hasPatterns }) => hasPatterns),
      }
    }
    case 'not':
      return matchCost(match.part)
    default:
      return { conditions: 1, hasPatterns: match.op === 'regex' }
  }
}

export function isSlow({ conditions, hasPatterns }: MatchCost, sizeBytes: number): boolean {
  return hasPatterns || (conditions > 1 && conditions * sizeBytes > MAX_COMPARED_BYTES)
}

export function* matchesSlowly(
  match: Match,
  record: JsonObject,
  elsewhere: MatchElsewhere | undefined,
): Generator<Pause, boolean> {
  switch (match.op) {
    case 'and':
    case 'or': {
      const isDecided = match.op === 'or'
      for (const part of match.parts)
        if ((yield* matchesSlowly(part, record, elsewhere)) === isDecided) return isDecided
      return !isDecided
    }
    case 'not':
      return !(yield* matchesSlowly(match.part, record, elsewhere))
    case 'regex':
      return yield* matchesPattern(match, record, elsewhere)
    default: {
      yield
      return matches(match, record)
    }
  }
}

function* matchesPattern(
  match: RegexMatch,
  record: JsonObject,
  elsewhere: MatchElsewhere | undefined,
): Generator<Pause, boolean> {
  const { field, pattern, ignoresCase, size } = match
  const value = readScalar(field.kind, valueOf(record, field.name))
  const length = typeof value === 'string' ? value.length : 0
  if (typeof value !== 'string' || elsewhere === undefined || size * length <= MAX_STEPS) {
    yield
    return matches(match, record)
  }
  let isMatch = false
  yield elsewhere({ pattern, ignoresCase, text: value }).then((answer) => {
    isMatch = answer
  })
  return isMatch
}
