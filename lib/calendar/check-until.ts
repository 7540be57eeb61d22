// Refuses rules whose UNTIL lies before their start.

import type { EntryTimes } from './entry.ts'
import { parseRule } from './rule.ts'
import { spanOf } from './span.ts'
import { openClock } from './wall-clock.ts'

/** Expects a rule that checkRrule accepts. A date means that day on the clock of the zone. */
export function endsBeforeStart(entry: EntryTimes, timeZone: string): boolean {
  if (entry.rrule === null || !parseRule(entry.rrule).has('UNTIL')) return false
  const { untilMs, untilWall, startMs, startWall } = spanOf(entry, openClock(timeZone))
  return (
    (untilMs !== undefined && untilMs < startMs) ||
    (untilWall !== undefined && untilWall < startWall)
  )
}
