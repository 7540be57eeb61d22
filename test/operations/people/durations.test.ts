// Durations are seconds, or a number with a unit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CmsError } from '../../../lib/base/errors.ts'
import { parseDuration } from '../../../lib/operations/people/api-keys.ts'

const YEARS = 100 * 365

const DURATIONS: readonly (readonly [value: unknown, seconds: number])[] = [
  ['90s', 90],
  ['90', 90],
  [90, 90],
  [' 15m ', 900],
  ['12h', 43_200],
  ['30d', 2_592_000],
  ['0', 0],
  [`${YEARS}d`, YEARS * 86_400],
]

const REFUSED = ['', 'd', '1w', '-1', '1.5h', '1 h', '1H', '1d2h', 'x1d', -1, 1.5, true, null, {}]

test('a duration is a number of seconds or has a unit, up to a hundred years', () => {
  for (const [value, seconds] of DURATIONS)
    assert.equal(parseDuration(value, 'ends'), seconds, String(value))
})

test('an invalid duration is refused with the name of its field', () => {
  for (const value of [...REFUSED, undefined, `${YEARS + 1}d`, '1234567890'])
    assert.throws(
      () => parseDuration(value, 'ends'),
      (error) =>
        error instanceof CmsError &&
        error.code === 'invalid-content' &&
        error.facts.errors?.[0]?.pointer === '/ends',
      JSON.stringify(value),
    )
})
