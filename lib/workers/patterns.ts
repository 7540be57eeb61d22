// Patterns over long texts are matched in a worker. A match cannot be stopped from inside, so the worker is ended when
// the deadline has passed.

import { CmsError } from '../base/errors.ts'
import type { MatchPattern } from './match-pattern.ts'
import type { Pool } from './pool.ts'

/** For one text. A megabyte takes some 50 ms, unless the pattern and the text are made for each other. */
const DEADLINE_MS = 2_000

/** Throws bad-qry when the match takes too long. */
export function buildMatchElsewhere(pool: Pool): (asked: MatchPattern) => Promise<boolean> {
  return (asked) => {
    const fault = (): CmsError =>
      new CmsError(
        'bad-qry',
        `The regular expression takes more than ${DEADLINE_MS / 1_000} s for a text of ${asked.text.length} characters. Repeat less in {…}, or narrow the search by further conditions.`,
      )
    return pool.run('matchPattern', asked, { deadline: { ms: DEADLINE_MS, fault } })
  }
}
