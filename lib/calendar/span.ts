// The times of an entry on the clock of its calendar: start, length and the matching form of its rule. Expansion and
// feeds both use it, so that they agree.
//
// A whole day is stored as its midnight in UTC. Earlier versions also stored other instants, as sent, like
// 2026-03-29T00:00:00+01:00. These instants stand for their dates in the calendar's zone.

import type { EntryTimes } from './entry.ts'
import {
  buildRule,
  hasSet,
  parseRule,
  parseUntil,
  type RuleParts,
  TIME_PARTS,
  withPart,
} from '../shared/recurrence-rule.ts'
import {
  type Clock,
  compactDate,
  compactTime,
  DAY_MS,
  openClock,
  startOfDay,
} from '../shared/wall-clock.ts'

export interface Span {
  readonly isAllDay: boolean
  /** Wall time of the start: midnight for a whole day, otherwise in whole seconds, like everything in a rule. */
  readonly startWall: number
  /** Instant of the start; for an ambiguous wall time, the stored instant. */
  readonly startMs: number
  /** Wall-clock days for whole days, otherwise exact time: RFC 5545 section 3.8.5.3. 0 without an end. */
  readonly lengthMs: number
  readonly rule: RuleParts | undefined
  /** The end given by UNTIL: a wall time for whole days, otherwise an instant. */
  readonly untilWall: number | undefined
  readonly untilMs: number | undefined
  /** Starts that do not take place: wall times for whole days, otherwise instants in whole seconds. */
  readonly excluded: ReadonlySet<number>
  /** Further starts in the same form, ascending. */
  readonly added: readonly number[]
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
      ...exceptionsOf(entry, wholeSeconds),
    }
  }

  // Rounds the length up to days: midnight to midnight, 00:00 to 23:59 and no end all give one day.
  const wallOf = (ms: number): number => dayWallOf(ms, clock)
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
    ...exceptionsOf(entry, (ms) => startOfDay(wallOf(ms))),
  }
}

/** A midnight in UTC stands for its day, another instant for its day in the calendar's zone. */
function dayWallOf(ms: number, clock: Clock): number {
  return ms % DAY_MS === 0 ? ms : clock.wallOf(ms)
}

function exceptionsOf(
  { exdates, rdates, replaced }: EntryTimes,
  startOf: (ms: number) => number,
): Pick<Span, 'excluded' | 'added'> {
  const read = (times: readonly string[] | null | undefined): number[] =>
    (times ?? []).map((time) => startOf(Date.parse(time)))
  return {
    excluded: new Set([...read(exdates), ...read(replaced)]),
    added: [...new Set(read(rdates))],
  }
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000
}

/** UNTIL must be a date for whole days, and a UTC time otherwise: RFC 5545 section 3.3.10. */
export function untilText({ untilWall, untilMs }: Span): string | undefined {
  if (untilWall !== undefined) return compactDate(untilWall)
  return untilMs === undefined ? undefined : `${compactTime(untilMs)}Z`
}

/** A date includes that whole day, up to one second before the next day begins. */
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

/** Rules of whole days have no time parts (RFC 5545 section 3.3.10), and no BYSETPOS without a set. */
function withoutTimes(rule: RuleParts): RuleParts {
  const dates = new Map([...rule].filter(([name]) => !TIME_PARTS.includes(name)))
  if (!hasSet(dates)) dates.delete('BYSETPOS')
  return dates
}

/**
 * Converts times of an all-day entry that are not midnights in UTC to their days in the calendar's zone.
 *
 * All-day entries are stored as midnights in UTC, so that a change of the calendar's zone moves no day. Every earlier
 * version reads a midnight as that day, so entries have one form of time, one index and one format in the documents.
 */
export function withWholeDays<T extends EntryTimes>(entry: T, timeZone: string): T {
  if (!entry.all_day || hasWholeDays(entry)) return entry
  const clock = openClock(timeZone)
  const span = spanOf(entry, clock)
  const until = untilText(span)
  const { exdates, rdates } = entry
  const days = (times: readonly string[]): readonly string[] => [
    ...new Set(times.map((time) => iso(startOfDay(dayWallOf(Date.parse(time), clock))))),
  ]
  return {
    ...entry,
    ...(exdates && { exdates: days(exdates) }),
    ...(rdates && { rdates: days(rdates) }),
    start_time: iso(span.startWall),
    end_time: entry.end_time === null ? null : iso(span.startWall + span.lengthMs),
    rrule:
      entry.rrule === null || until === undefined
        ? entry.rrule
        : buildRule(withPart(parseRule(entry.rrule), 'UNTIL', until)),
  }
}

function hasWholeDays({ start_time, end_time, rrule, exdates, rdates }: EntryTimes): boolean {
  const isDay = (time: string): boolean => Date.parse(time) % DAY_MS === 0
  if (![...(exdates ?? []), ...(rdates ?? [])].every(isDay)) return false
  const hasTime = /UNTIL=\d{8}T/i.test(rrule ?? '')
  return isDay(start_time) && (end_time === null || isDay(end_time)) && !hasTime
}

/** The instant at which a day, YYYY-MM-DD, begins in a zone. */
export function beginningOfDay(day: string, timeZone: string): number {
  return openClock(timeZone).instantOf(Date.parse(day))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
