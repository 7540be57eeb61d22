// Imports of iCalendar files with as many events as a file may have, as dry runs, which write nothing.

import { LIMITS } from '../../../lib/config/limits.ts'
import { calendarFile, vevent } from '../../calendar/files.ts'
import type { Ask, Asks } from './ask.ts'

export const CALENDAR_FILE_ASKS: Asks = {
  'POST /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)': [
    importOf('many events', () => ['DTSTART:20260131T120000Z', 'DESCRIPTION:x']),
    importOf('rules in another time zone', () => [
      'DTSTART;TZID=Asia/Tokyo:20260131T120000',
      'RRULE:FREQ=DAILY;COUNT=3',
    ]),
    importOf('refused events', () => ['DTSTART:tomorrow']),
  ],
}

function importOf(what: string, lines: () => readonly string[]): Ask {
  const body = (): string => {
    const events = Array.from({ length: LIMITS.maxCalendarEntries }, (_, at) =>
      vevent(`UID:${at}`, ...lines()),
    )
    return calendarFile(...events)
  }
  return {
    what,
    path: ({ calendar }) => `${calendar.url}.ics?dry_run=true`,
    call: () => ({ body: body(), headers: { 'content-type': 'text/calendar' } }),
  }
}
