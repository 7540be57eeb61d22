// When an entry happens, on the clock of its calendar: its start, its length, and its rule in the form
// that goes with them. Expansion and feeds both start from here, so that they agree.

//
// Whole days are dates, but stored are instants. One that is midnight in UTC stands for its date there:
// that is what a client gave as 2026-03-29. Any other stands for its date in the zone of the calendar,
// which is how 2026-03-29T00:00:00+01:00 is the same day in Berlin. The only instant that this misreads
// is a time of day west of Greenwich, like 20:00 in New York, that happens to be midnight in UTC.

import type { EntryTimes } from './entry.ts'
import { hasSet, parseRule, parseUntil, type RuleParts, TIME_PARTS } from './rule.ts'
import { type Clock, compactDate, compactTime, DAY_MS, startOfDay } from './wall-clock.ts'

export interface Span {
  readonly isAllDay: boolean
  /** As a wall time: of a whole day its midnight, else in whole seconds like everything in a rule. */
  readonly startWall: number
  /** Days of wall time for whole days, else exact time: RFC 5545 section 3.8.5.3. 0 without an end. */
  readonly lengthMs: number
  readonly rule: RuleParts | undefined
  /** The last moment of a rule with UNTIL, as a wall time. */
  readonly untilWall: number | undefined
}

export function spanOf(entry: EntryTimes, clock: Clock): Span {
  const startMs = Date.parse(entry.start_time)
  const endMs = entry.end_time === null ? undefined : Date.parse(entry.end_time)
  const rule = entry.rrule === null ? undefined : parseRule(entry.rrule)

  if (!entry.all_day) {
    const untilWall = untilOf(rule, clock.wallOf)
    const startWall = Math.floor(clock.wallOf(startMs) / 1_000) * 1_000
    return { isAllDay: false, startWall, lengthMs: (endMs ?? startMs) - startMs, rule, untilWall }
  }

  // As many days as the length needs: midnight to midnight, 00:00 to 23:59 and no end are one day.
  const wallOf = (ms: number): number => (ms % DAY_MS === 0 ? ms : clock.wallOf(ms))
  const wall = wallOf(startMs)
  const wallLength = endMs === undefined ? 0 : wallOf(endMs) - wall
  return {
    isAllDay: true,
    startWall: startOfDay(wall),
    lengthMs: Math.max(1, Math.ceil(wallLength / DAY_MS)) * DAY_MS,
    rule: rule === undefined ? undefined : withoutTimes(rule),
    untilWall: untilOf(rule, wallOf),
  }
}

/** UNTIL must be a date for whole days, and a time in UTC for times: RFC 5545 section 3.3.10. */
export function untilText(span: Span, clock: Clock): string | undefined {
  if (span.untilWall === undefined) return undefined
  if (span.isAllDay) return compactDate(span.untilWall)
  return `${compactTime(clock.instantOf(span.untilWall))}Z`
}

/** A date means that whole day. */
function untilOf(rule: RuleParts | undefined, wallOf: (ms: number) => number): number | undefined {
  const text = rule?.get('UNTIL') ?? ''
  const ms = parseUntil(text)
  if (ms === undefined) return undefined
  return text.includes('T') ? wallOf(ms) : ms + DAY_MS - 1_000
}

/** Whole days have no times (RFC 5545 section 3.3.10), nor positions in a set that is gone. */
function withoutTimes(rule: RuleParts): RuleParts {
  const dates = new Map([...rule].filter(([name]) => !TIME_PARTS.includes(name)))
  if (!hasSet(dates)) dates.delete('BYSETPOS')
  return dates
}
