// The dates of a series around one occurrence: its place in the series, its exceptions, and how a move changes them.

import { parseRule } from '../../../shared/recurrence-rule.ts'
import { type Clock, DAY_MS } from '../../../shared/wall-clock.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import { timeFields, wallOf } from './event-times.ts'
import type { EventBody, EventRecord, Events, Occurrence } from './events.ts'

export interface SeriesWork {
  readonly events: Events
  readonly clock: Clock
  readonly fetched: Fetched<EventRecord>
  /** The affected occurrence. */
  readonly at: Occurrence
}

export type Shift = (time: string) => string

/** Moves a date of the series like its start; undefined if the change moves no times. */
export function shiftOf(
  { fetched, clock }: SeriesWork,
  from: number,
  body: EventBody,
): Shift | undefined {
  const { start_time: start, all_day: isNewAllDay } = body
  if (typeof start !== 'string') return undefined
  const isAllDay = isNewAllDay === true
  const delta = wallOf({ start_time: start, all_day: isAllDay }, clock) - from
  return (time) => {
    const wall = wallOf({ start_time: time, all_day: fetched.record.all_day }, clock)
    const startWall = wall + delta
    return timeFields({ startWall, endWall: startWall, isAllDay }, clock).start_time
  }
}

/** The dates of a series after a change; a single event has none. */
export function exceptionsIn(
  { exdates, rdates, rrule }: EventRecord,
  shift: Shift | undefined,
  body: EventBody,
): EventBody {
  if (rrule === null || (exdates.length === 0 && rdates.length === 0)) return {}
  if (body['rrule'] === null) return { exdates: [], rdates: [] }
  return shift === undefined ? {} : { exdates: exdates.map(shift), rdates: rdates.map(shift) }
}

/** The place of the occurrence in its series: a day for all-day series. */
export function placeOf({ at, clock }: SeriesWork): string {
  return timeFields({ ...at, endWall: at.startWall }, clock).start_time
}

/** The start of this occurrence in the form of the stored dates. */
export function dayOrTime(work: SeriesWork): string {
  return new Date(placeOf(work)).toISOString()
}

const YEAR_MS = 366 * DAY_MS
/** Longest window that the server searches. */
const WINDOW_MS = 5 * YEAR_MS
/** Number of occurrences before this one that COUNT counts: also excluded and replaced ones, but not further dates. */
export async function countBefore(work: SeriesWork): Promise<number> {
  const { events, fetched, at } = work
  const { entryId, start } = at
  const { rrule, start_time: first, exdates, rdates } = fetched.record
  if (!parseRule(rrule ?? '').has('COUNT')) return 0
  const isBefore = (time: string): boolean => time < dayOrTime(work)
  const replaced = (await events.replacing(entryId)).map((each) => each.recurrence_id ?? '')
  const dates = [...exdates, ...replaced].filter(isBefore).length - rdates.filter(isBefore).length
  let count = dates
  const endMs = Date.parse(start)
  // Starts one day earlier, because all-day events may be stored as midnight UTC.
  for (let fromMs = Date.parse(first) - DAY_MS; fromMs < endMs; fromMs += WINDOW_MS) {
    const toMs = Math.min(fromMs + WINDOW_MS, endMs)
    const found = await events.occurrences({ fromMs, toMs, entryId, most: 20_000 })
    const inWindow = found.filter(({ start_time: each }) => Date.parse(each) >= fromMs)
    count += inWindow.filter((each) => each.start_time < start).length
  }
  return count
}
