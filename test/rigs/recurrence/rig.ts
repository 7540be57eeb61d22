// Compares the server's expansion of a rule with a plain implementation.

import assert from 'node:assert/strict'
import { checkRrule } from '../../../lib/calendar/check-rule.ts'
import { makeEntry, occurrencesOf } from '../../calendar/entries.ts'
import { expandPlainly } from '../../calendar/plain-expander.ts'
import { openRandom } from '../random.ts'
import { type MadeEntry, makeEntryOf } from './maker.ts'

/**
 * Makes an entry from the seed and compares it. Returns the number of occurrences, or undefined if
 * the rule is refused.
 */
export function compareSeed(seed: number): number | undefined {
  const made = makeEntryOf(openRandom(seed))
  const fault = checkRrule(made.rrule)
  if (fault === undefined) return compare(made, `seed ${seed}: ${tell(made)}`)

  if (/more than 24 times a day/.test(fault)) return undefined
  // The only other reason to refuse a valid rule.
  assert.match(fault, /never happen/, `seed ${seed}: ${made.rrule}`)
  const plain = expandPlainly(made, made.toMs)
  assert.ok(plain.length < 2, `seed ${seed}: ${made.rrule} was refused, but does happen`)
  return undefined
}

function compare(made: MadeEntry, what: string): number {
  const { rrule, startMs, zone, isAllDay, fromMs, toMs } = made
  const start_time = new Date(startMs).toISOString()
  const entry = makeEntry({ start_time, end_time: null, rrule, all_day: isAllDay })
  const window = { fromMs, toMs, startsFromMs: fromMs }
  const found = occurrencesOf(entry, zone, window, 1e6).map((item) => item.start)
  const plain = expandPlainly(made, toMs)
    .filter((ms) => ms >= fromMs)
    .map((ms) => new Date(ms).toISOString())
  assert.deepEqual(found, plain, what)
  return found.length
}

function tell({ rrule, startMs, zone, isAllDay, fromMs, toMs }: MadeEntry): string {
  const [start, from, to] = [startMs, fromMs, toMs].map((ms) => new Date(ms).toISOString())
  return `${rrule} in ${zone}, ${isAllDay ? 'whole days ' : ''}from ${start}, between ${from} and ${to}`
}
