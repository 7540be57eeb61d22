// Matches patterns with long texts in a worker. A match cannot be stopped from inside, so the worker is ended at the
// deadline.

import { CmsError } from '../base/errors.ts'
import type { MatchPattern } from './match-pattern.ts'
import type { Pool } from './pool.ts'

/** For one text. A megabyte takes about 50 ms, unless pattern and text are built to be slow. */
const DEADLINE_MS = 2_000

/** Throws bad-qry when the match takes too long. */
export function buildMatchElsewhere(pool: Pool): (asked: MatchPattern) => Promise<boolean> {
  return (asked) => {
    const fault = (): CmsError =>
      new CmsError(
        'bad-qry',
        `The regular expression takes more than ${DEADLINE_MS / 1_000} s on a text of ${asked.text.length} characters. Use smaller repeat counts in {…}, or narrow the search with more conditions.`,
      )
    return pool.run('matchPattern', asked, { deadline: { ms: DEADLINE_MS, fault } })
  }
}
