// When an entry happens, on the clock of its calendar: its start, its length, and its rule in the form
// that goes with them. Expansion and feeds both start from here, so that they agree.

//
// A whole day is stored as its midnight in UTC (whole-days.ts). Earlier versions also stored other
// instants, as 2026-03-29T00:00:00+01:00 was sent: such an instant is its date in the zone of the calendar.

import type { EntryTimes } from './entry.ts'
import { hasSet, parseRule, parseUntil, type RuleParts, TIME_PARTS } from './rule.ts'
import { type Clock, compactDate, compactTime, DAY_MS, startOfDay } from './wall-clock.ts'

export interface Span {
  readonly isAllDay: boolean
  /** As a wall time: of a whole day its midnight, else in whole seconds like everything in a rule. */
  readonly startWall: number
  /** The instant of it; of a time that comes twice the one that is stored. */
  readonly startMs: number
  /** Days of wall time for whole days, else exact time: RFC 5545 section 3.8.5.3. 0 without an end. */
  readonly lengthMs: number
  readonly rule: RuleParts | undefined
  /** The last moment of a rule with UNTIL: of whole days a wall time, else an instant. */
  readonly untilWall: number | undefined
  readonly untilMs: number | undefined
}

export function spanOf(entry: EntryTimes, clock: Clock): Span {
  const startMs = Date.parse(entry.start_time)
  const endMs = entry.end_time === null ? undefined : Date.parse(entry.end_time)
  const rule = entry.rrule === null ? undefined : parseRule(entry.rrule)

  if (!entry.all_day) {
    const startWall = wholeSeconds(clock.wallOf(startMs))
    const start = wholeSeconds(startMs)
    const lengthMs = (endMs ?? startMs) - startMs
    const untilMs = untilInstant(rule, clock)
    return {
      isAllDay: false,
      startWall,
      startMs: start,
      lengthMs,
      rule,
      untilMs,
      untilWall: undefined,
    }
  }

  // As many days as the length needs: midnight to midnight, 00:00 to 23:59 and no end are one day.
  const wallOf = (ms: number): number => (ms % DAY_MS === 0 ? ms : clock.wallOf(ms))
  const startWall = startOfDay(wallOf(startMs))
  const wallLength = endMs === undefined ? 0 : wallOf(endMs) - wallOf(startMs)
  return {
    isAllDay: true,
    startWall,
    startMs: clock.instantOf(startWall),
    lengthMs: Math.max(1, Math.ceil(wallLength / DAY_MS)) * DAY_MS,
    rule: rule === undefined ? undefined : withoutTimes(rule),
    untilWall: untilDate(rule, wallOf),
    untilMs: undefined,
  }
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000
}

/** UNTIL must be a date for whole days, and a time in UTC for times: RFC 5545 section 3.3.10. */
export function untilText({ untilWall, untilMs }: Span): string | undefined {
  if (untilWall !== undefined) return compactDate(untilWall)
  return untilMs === undefined ? undefined : `${compactTime(untilMs)}Z`
}

/** A date means that whole day, up to the second before the first one of the next. */
function untilInstant(rule: RuleParts | undefined, clock: Clock): number | undefined {
  const text = rule?.get('UNTIL') ?? ''
  const ms = parseUntil(text)
  if (ms === undefined || text.includes('T')) return ms
  return Math.min(clock.instantOf(ms + DAY_MS) - 1_000, LAST_MS)
}

/** The last second that a rule can name. */
const LAST_MS = Date.parse('9999-12-31T23:59:59Z')

function untilDate(
  rule: RuleParts | undefined,
  wallOf: (ms: number) => number,
): number | undefined {
  const ms = parseUntil(rule?.get('UNTIL') ?? '')
  return ms === undefined ? undefined : startOfDay(wallOf(ms))
}

/** Whole days have no times (RFC 5545 section 3.3.10), nor positions in a set that is gone. */
function withoutTimes(rule: RuleParts): RuleParts {
  const dates = new Map([...rule].filter(([name]) => !TIME_PARTS.includes(name)))
  if (!hasSet(dates)) dates.delete('BYSETPOS')
  return dates
}
