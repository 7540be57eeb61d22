// The times of events on the clock of their calendar, and in the form of the API.

import { type Clock, DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import type { EventFields, EventRecord, Occurrence } from './events.ts'

export function occurrenceOf(record: EventRecord, clock: Clock): Occurrence {
  const { start_time: start, end_time: end, all_day: isAllDay } = record
  const times = isAllDay ? daysOf(record, clock) : timesOf({ start, end }, clock)
  return {
    entryId: record.calendar_entry_id,
    title: record.event_title,
    location: record.location,
    isAllDay,
    isRecurring: record.rrule !== null,
    start,
    modified: record.date_modified,
    ...times,
  }
}

function timesOf(
  { start, end }: { readonly start: string; readonly end: string | null },
  clock: Clock,
) {
  const startWall = clock.wallOf(Date.parse(start))
  // When the clock is set back in between, the end can show an earlier time than the start.
  const endWall = end === null ? startWall : clock.wallOf(Date.parse(end))
  return { startWall, endWall: Math.max(startWall, endWall) }
}

/**
 * The wall time of an all-day event. As on the server, midnight UTC stands for its UTC date, and other instants for
 * their date on the calendar's clock.
 */
export function dayWallOf(text: string, clock: Clock): number {
  const ms = Date.parse(text)
  return ms % DAY_MS === 0 ? ms : clock.wallOf(ms)
}

/** The start on the calendar's clock. */
export function wallOf(
  { start_time: start, all_day: isAllDay }: Pick<EventFields, 'start_time' | 'all_day'>,
  clock: Clock,
): number {
  return isAllDay ? startOfDay(dayWallOf(start, clock)) : clock.wallOf(Date.parse(start))
}

function daysOf({ start_time: start, end_time: end }: EventFields, clock: Clock) {
  const startWall = startOfDay(dayWallOf(start, clock))
  const length = end === null ? DAY_MS : dayWallOf(end, clock) - dayWallOf(start, clock)
  return { startWall, endWall: startWall + Math.max(1, Math.ceil(length / DAY_MS)) * DAY_MS }
}

export interface Times {
  readonly startWall: number
  readonly endWall: number
  readonly isAllDay: boolean
}

/** All-day events are sent as dates, which are the same in every time zone. */
export function timeFields({ startWall, endWall, isAllDay }: Times, clock: Clock) {
  const text = (wall: number): string =>
    isAllDay
      ? new Date(wall).toISOString().slice(0, 10)
      : new Date(clock.instantOf(wall)).toISOString()
  const end = endWall > startWall ? text(endWall) : null
  return { start_time: text(startWall), end_time: end, all_day: isAllDay }
}
