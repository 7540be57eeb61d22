// All-day entries are stored as midnights in UTC, so that a change of the calendar's zone moves no day. Every earlier
// version reads this form as that day (see span.ts), so entries have one form of time, one index and one format in
// the documents.

import type { EntryTimes } from './entry.ts'
import { buildRule, parseRule, withPart } from './rule.ts'
import { spanOf, untilText } from './span.ts'
import { DAY_MS, openClock } from './wall-clock.ts'

/** Converts times of an all-day entry that are not midnights in UTC to their days in the calendar's zone. */
export function withWholeDays<T extends EntryTimes>(entry: T, timeZone: string): T {
  if (!entry.all_day || hasWholeDays(entry)) return entry
  const span = spanOf(entry, openClock(timeZone))
  const until = untilText(span)
  return {
    ...entry,
    start_time: iso(span.startWall),
    end_time: entry.end_time === null ? null : iso(span.startWall + span.lengthMs),
    rrule:
      entry.rrule === null || until === undefined
        ? entry.rrule
        : buildRule(withPart(parseRule(entry.rrule), 'UNTIL', until)),
  }
}

function hasWholeDays({ start_time, end_time, rrule }: EntryTimes): boolean {
  const isDay = (time: string): boolean => Date.parse(time) % DAY_MS === 0
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
