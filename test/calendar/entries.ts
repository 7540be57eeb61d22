// Entries, calendars and a stopwatch for the tests of this folder.

import type { CalendarEntry, FeedCalendar } from '../../lib/calendar/entry.ts'
import { buildFeed as build } from '../../lib/calendar/feed.ts'
import {
  type Occurrence,
  occurrencesOf as openOccurrences,
  type Window,
} from '../../lib/calendar/occurrences.ts'
import { openClock } from '../../lib/shared/wall-clock.ts'
import { openExpansionBudget } from '../../lib/calendar/expansion-budget.ts'

export function makeEntry(fields: Partial<CalendarEntry>): CalendarEntry {
  return {
    calendar_entry_id: 7,
    event_title: 'Meeting',
    start_time: '2026-03-02T08:00:00.000Z',
    end_time: '2026-03-02T09:00:00.000Z',
    all_day: false,
    location: null,
    description: null,
    rrule: null,
    exdates: [],
    rdates: [],
    recurrence_of: null,
    recurrence_id: null,
    uid: null,
    date_added: '2026-01-05T10:00:00.000Z',
    date_modified: '2026-02-06T11:12:13.456Z',
    ...fields,
  }
}

export function makeCalendar(fields: Partial<FeedCalendar> = {}): FeedCalendar {
  return {
    site_id: '7b0f2a8e-0000-4000-8000-000000000001',
    calendar_id: 3,
    name: 'Team',
    time_zone: 'Europe/Berlin',
    description: null,
    ...fields,
  }
}

/** CPU time of this process. Other processes do not affect CPU time, unlike wall-clock time. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The first occurrences in a window, up to this number, without a bound on work. */
export function occurrencesOf(
  entry: CalendarEntry,
  timeZone: string,
  window: Window,
  limit: number,
): readonly Pick<Occurrence, 'start' | 'end'>[] {
  const budget = openExpansionBudget({ maxSteps: Number.POSITIVE_INFINITY })
  const found: Pick<Occurrence, 'start' | 'end'>[] = []
  for (const { start, end } of openOccurrences(
    { entry, clock: openClock(timeZone), budget },
    window,
  )) {
    if (found.length === limit) break
    found.push({ start, end })
  }
  return found
}

export function buildFeed(calendar: FeedCalendar, entries: readonly CalendarEntry[]): string {
  return build({ calendar, entries })
}
