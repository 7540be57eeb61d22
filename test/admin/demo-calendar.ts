// The calendar of a museum in March 2026, when daylight saving time begins.

import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'

export const HOSTILE_EVENT = '<img src=x onerror="document.title=1">\u2068"'

const EVENTS: readonly object[] = [
  event('Guided tour', '2026-03-03T11:00', '2026-03-03T12:00', {
    rrule: 'FREQ=WEEKLY;BYDAY=TU,SA',
    location: 'Meeting point: foyer',
  }),
  event('Team meeting', '2026-03-02T09:00', '2026-03-02T10:00', {
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    location: 'Room 2',
  }),
  event('Board', '2026-03-18T09:30', '2026-03-18T11:30', { location: 'Library' }),
  event('Call with the printer', '2026-03-18T10:00', '2026-03-18T10:30'),
  event('Delivery of the frames', '2026-03-18T10:15', '2026-03-18T12:00'),
  event('Workshop for schools', '2026-03-18T14:00', '2026-03-18T16:30', { location: 'Studio' }),
  event('Lecture: light in Dutch painting', '2026-03-19T19:00', '2026-03-19T21:00', {
    location: 'Great hall',
    description: 'With a glass of wine afterwards.',
  }),
  event('Night of museums', '2026-03-21T18:00', '2026-03-22T02:00'),
  event(HOSTILE_EVENT, '2026-03-20T15:00', '2026-03-20T16:00'),
  event('W'.repeat(250), '2026-03-17T15:00', '2026-03-17T16:00'),
  whole('Spring exhibition is hung', '2026-03-16', '2026-03-20'),
  whole('Spring exhibition opens', '2026-03-21', '2026-03-22'),
  whole('Closed: first Monday', '2026-03-02', '2026-03-03', { rrule: 'FREQ=MONTHLY;BYDAY=1MO' }),
]

function event(title: string, from: string, to: string, more: object = {}): object {
  return { event_title: title, start_time: berlin(from), end_time: berlin(to), ...more }
}

function whole(title: string, from: string, to: string, more: object = {}): object {
  return { event_title: title, start_time: from, end_time: to, all_day: true, ...more }
}

/** Before daylight saving time begins on the 29th. */
function berlin(time: string): string {
  return `${time}:00+01:00`
}

/** Creates the first calendar of the site. */
export async function addDemoCalendar(server: TestServer): Promise<any> {
  const calendar = await make(server, 'calendar', {
    name: 'Programme',
    parent_category_id: 1,
    time_zone: 'Europe/Berlin',
    table_schema: "guide C(80), tickets I, audience ENUM('everybody','members')",
  })
  const { status, text } = await server.call('POST', calendar.module_url, { json: EVENTS })
  if (status !== 201) throw new Error(text)
  return calendar
}

/** As Outlook and Google write: a Windows name with its own rules, a canceled and a moved occurrence. */
export const FOREIGN = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//EN
BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:course@example.org
SUMMARY:Course
DTSTART;TZID=W. Europe Standard Time:20260302T180000
DTEND;TZID=W. Europe Standard Time:20260302T200000
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE;TZID=W. Europe Standard Time:20260316T180000
ATTENDEE:mailto:a@example.org
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT15M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:course@example.org
RECURRENCE-ID;TZID=Europe/Berlin:20260309T180000
SUMMARY:Course moved
DTSTART:20260310T180000Z
DURATION:PT1H
END:VEVENT
BEGIN:VEVENT
UID:day@example.org
SUMMARY:Holiday
DTSTART;VALUE=DATE:20260403
DTEND;VALUE=DATE:20260404
END:VEVENT
BEGIN:VEVENT
UID:far@example.org
SUMMARY:Far away
RECURRENCE-ID;TZID=America/New_York:20260309T180000
DTSTART;TZID=America/New_York:20260309T190000
END:VEVENT
BEGIN:VEVENT
UID:far@example.org
SUMMARY:Far
DTSTART;TZID=America/New_York:20260302T180000
RRULE:FREQ=WEEKLY
END:VEVENT
END:VCALENDAR
`
