// iCalendar files as bodies of entries: times in the zones of the file, recurrences that one rule cannot say, and files that
// are damaged or hostile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarFile } from '../../lib/calendar/calendar-file.ts'
import type { CalendarEntry } from '../../lib/calendar/entry.ts'
import { expandEntries } from '../../lib/calendar/occurrences.ts'
import { readPackedCalendar } from '../../lib/calendar/packed-calendar.ts'
import { WINDOWS_ZONES } from '../../lib/calendar/windows-zones.ts'
import { checkTimeZone } from '../../lib/shared/wall-clock.ts'
import { calendarFile, vevent, vtimezone } from './files.ts'

const BERLIN = 'Europe/Berlin'

function read(text: string | Uint8Array, timeZone = BERLIN) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return readCalendarFile({ bytes, timeZone, maxEvents: 20_000 })
}

/** Starts of all occurrences in the calendar, with the titles. */
function starts(text: string, { timeZone = BERLIN, limit = 50 } = {}): readonly string[] {
  const { events, refused } = read(text, timeZone)
  assert.deepEqual(refused, [])
  const ids = new Map(events.map(({ body }, at) => [body.uid, at + 1]))
  const iso = (time: string): string => new Date(time).toISOString()
  const entries = events.map(({ body, seriesUid, recurrenceId }, at) => ({
    ...body,
    calendar_entry_id: at + 1,
    start_time: iso(body.start_time),
    end_time: body.end_time === null ? null : iso(body.end_time),
    exdates: body.exdates.map(iso),
    rdates: body.rdates.map(iso),
    replaced: events
      .filter((other) => other.seriesUid === body.uid)
      .map((other) => iso(other.recurrenceId ?? '')),
    recurrence_of: ids.get(seriesUid ?? '') ?? null,
    recurrence_id: recurrenceId,
  })) as unknown as CalendarEntry[]
  const window = { fromMs: Date.parse('1990-01-01'), toMs: Date.parse('2060-01-01') }
  return expandEntries({ entries, timeZone, window, limit, maxSteps: 5_000_000 }).map(
    ({ start, entryId }) => `${start.slice(0, 16)} ${entries[entryId - 1]?.event_title}`,
  )
}

function refusals(text: string | Uint8Array, timeZone?: string): readonly string[] {
  const list = (found: unknown[]): string => found.filter((part) => (part ?? '') !== '').join(' ')
  return read(text, timeZone).refused.map(({ line, property, code, value }) =>
    list([line, property, code, value]),
  )
}

const WEEKLY = [
  'UID:w',
  'SUMMARY:W',
  'DTSTART;TZID=Europe/Berlin:20260302T180000',
  'DTEND;TZID=Europe/Berlin:20260302T190000',
]

test('a zone is a name of the database, a name of Windows, or the description in the file', () => {
  const event = (zone: string): string =>
    vevent('UID:a', 'SUMMARY:A', `DTSTART;TZID=${zone}:20260702T180000`)
  const summer = ['2026-07-02T16:00 A']
  assert.deepEqual(starts(calendarFile(event(BERLIN))), summer)
  assert.deepEqual(starts(calendarFile(event('W. Europe Standard Time'))), summer)
  assert.deepEqual(starts(calendarFile(event('/mozilla.org/20050126_1/Europe/Berlin'))), summer)
  const own = vtimezone('Office, 2nd floor', { winter: '+0300', summer: '+0430' })
  assert.deepEqual(starts(calendarFile(event('"Office, 2nd floor"'), own)), ['2026-07-02T13:30 A'])
  assert.deepEqual(refusals(calendarFile(event('Nowhere'))), ['7 DTSTART zone Nowhere'])
  // EST is a zone without daylight saving time in the database.
  const est = vtimezone('EST', { winter: '-0500', summer: '-0400' })
  assert.deepEqual(starts(calendarFile(est, event('EST'))), ['2026-07-02T22:00 A'])
})

test('every zone of Windows is known', () => {
  for (const [name, zone] of WINDOWS_ZONES) assert.equal(checkTimeZone(zone), undefined, name)
})

test('a series of Outlook repeats as in its zone, also before the present rules began', () => {
  const zone = vtimezone('W. Europe Standard Time', { winter: '+0100', summer: '+0200' })
  const times = 'DTSTART;TZID=W. Europe Standard Time:19950911T090000'
  const { events } = read(calendarFile(zone, vevent('UID:a', times, 'RRULE:FREQ=YEARLY')))
  assert.deepEqual(
    [events[0]?.body.rrule, events[0]?.body.start_time],
    ['FREQ=YEARLY', '1995-09-11T07:00:00.000Z'],
  )
})

test('a series in another time zone becomes the list of its starts, or is refused', () => {
  const series = (rule: string): string =>
    calendarFile(
      vevent(
        'UID:a',
        'SUMMARY:A',
        'DTSTART;TZID=America/New_York:20260304T090000',
        `RRULE:${rule}`,
      ),
    )
  assert.deepEqual(starts(series('FREQ=WEEKLY;COUNT=5')), [
    '2026-03-04T14:00 A',
    '2026-03-11T13:00 A',
    '2026-03-18T13:00 A',
    '2026-03-25T13:00 A',
    '2026-04-01T13:00 A',
  ])
  for (const rule of ['FREQ=WEEKLY', 'FREQ=DAILY;COUNT=1002', 'FREQ=DAILY;UNTIL=20300101'])
    assert.deepEqual(refusals(series(rule)), ['7 DTSTART seriesZone America/New_York'])
  assert.deepEqual(refusals(series('FREQ=WEEKLY'), 'America/Toronto'), [])
})

test('several rules and excluding rules are one series if its dates can be listed', () => {
  const both = ['RRULE:FREQ=WEEKLY;COUNT=3', 'RRULE:FREQ=MONTHLY;COUNT=2']
  const three = ['2026-03-02T17:00 W', '2026-03-09T17:00 W', '2026-03-16T17:00 W']
  assert.deepEqual(starts(calendarFile(vevent(...WEEKLY, ...both))), [
    ...three,
    '2026-04-02T16:00 W',
  ])
  const one = ['RRULE:FREQ=WEEKLY', 'RRULE:FREQ=MONTHLY;COUNT=2']
  assert.deepEqual(starts(calendarFile(vevent(...WEEKLY, ...one)), { limit: 7 }).slice(4), [
    '2026-03-30T16:00 W',
    '2026-04-02T16:00 W',
    '2026-04-06T16:00 W',
  ])
  const without = ['RRULE:FREQ=WEEKLY;COUNT=4', 'EXRULE:FREQ=WEEKLY;INTERVAL=2']
  assert.deepEqual(
    refusals(calendarFile(vevent(...WEEKLY, 'RRULE:FREQ=WEEKLY', 'RRULE:FREQ=DAILY'))),
    ['7 DTSTART rules'],
  )
  const bounded = ['RRULE:FREQ=WEEKLY', 'EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2']
  assert.deepEqual(starts(calendarFile(vevent(...WEEKLY, ...bounded)), { limit: 2 }), [
    '2026-03-09T17:00 W',
    '2026-03-23T17:00 W',
  ])
  assert.deepEqual(starts(calendarFile(vevent(...WEEKLY, ...without))), [
    '2026-03-09T17:00 W',
    '2026-03-23T17:00 W',
  ])
  assert.deepEqual(starts(calendarFile(vevent(...WEEKLY, 'RRULE:'))), ['2026-03-02T17:00 W'])
})

test('rules without an end that differ in one list are one rule with both lists', () => {
  const read = (...rules: readonly string[]) =>
    calendarFile(vevent(...WEEKLY, ...rules.map((rule) => `RRULE:${rule}`)))
  const three = read(
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,MO',
    'INTERVAL=2;FREQ=WEEKLY;BYDAY=FR',
  )
  assert.deepEqual(starts(three, { limit: 4 }), [
    '2026-03-02T17:00 W',
    '2026-03-04T17:00 W',
    '2026-03-06T17:00 W',
    '2026-03-16T17:00 W',
  ])
  assert.deepEqual(starts(read('FREQ=WEEKLY', 'FREQ=WEEKLY'), { limit: 2 }), [
    '2026-03-02T17:00 W',
    '2026-03-09T17:00 W',
  ])
  for (const [one, other] of [
    ['FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=WE'],
    ['FREQ=WEEKLY;BYDAY=MO', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE'],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1', 'FREQ=MONTHLY;BYDAY=WE;BYSETPOS=1'],
  ] as const)
    assert.deepEqual(refusals(read(one, other)), ['7 DTSTART rules'])
})

test('further dates may have a length of their own or lie before the start', () => {
  const periods =
    'RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260304T180000/PT1H,20260305T180000/20260305T203000'
  const { events } = read(calendarFile(vevent(...WEEKLY, periods)))
  assert.deepEqual(
    events.map(({ body }) => [body.start_time, body.end_time, body.uid]),
    [
      ['2026-03-02T17:00:00.000Z', '2026-03-02T18:00:00.000Z', 'w'],
      ['2026-03-05T17:00:00.000Z', '2026-03-05T19:30:00.000Z', 'w#2026-03-05T17:00:00.000Z'],
    ],
  )
  const before = ['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20260210T180000']
  assert.deepEqual(starts(calendarFile(vevent(...WEEKLY, ...before))), [
    '2026-02-10T17:00 W',
    '2026-03-02T17:00 W',
    '2026-03-09T17:00 W',
  ])
})

test('exceptions are dates, times of the series or times in UTC, and canceled occurrences', () => {
  const series = vevent(
    ...WEEKLY,
    'RRULE:FREQ=WEEKLY;COUNT=6',
    'EXDATE;VALUE=DATE:20260309',
    'EXDATE:20260316T180000',
    'EXDATE:20260323T170000Z',
  )
  const cancelled = vevent(
    'UID:w',
    'RECURRENCE-ID;VALUE=DATE:20260330',
    'DTSTART:20260330T180000',
    'STATUS:CANCELLED',
  )
  assert.deepEqual(starts(calendarFile(series, cancelled)), [
    '2026-03-02T17:00 W',
    '2026-04-06T16:00 W',
  ])
})

test('an event that replaces the only occurrence makes a series of it', () => {
  const moved = vevent(
    'UID:w',
    'SUMMARY:M',
    'RECURRENCE-ID:20260302T170000Z',
    'DTSTART:20260303T100000Z',
  )
  assert.deepEqual(starts(calendarFile(moved, vevent(...WEEKLY))), ['2026-03-03T10:00 M'])
})

test('a change of this and all following events splits the series', () => {
  const change = (...more: readonly string[]): string =>
    vevent(
      'UID:w',
      'SUMMARY:F',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260316T180000',
      ...more,
    )
  const later = change('DTSTART;TZID=Europe/Berlin:20260316T200000', 'DURATION:PT30M')
  const once = vevent(
    'UID:w',
    'SUMMARY:O',
    'RECURRENCE-ID;TZID=Europe/Berlin:20260323T180000',
    'DTSTART:20260324T100000Z',
  )
  const expected = [
    '2026-03-02T17:00 W',
    '2026-03-09T17:00 W',
    '2026-03-16T19:00 F',
    '2026-03-24T10:00 O',
    '2026-03-30T18:00 F',
  ]
  for (const rule of ['FREQ=WEEKLY;COUNT=5', 'FREQ=WEEKLY', 'FREQ=WEEKLY;UNTIL=20260330T160000Z'])
    assert.deepEqual(
      starts(calendarFile(vevent(...WEEKLY, `RRULE:${rule}`), later, once), { limit: 5 }),
      expected,
      rule,
    )
  const { events } = read(calendarFile(vevent(...WEEKLY, 'RRULE:FREQ=WEEKLY;COUNT=5'), later))
  assert.deepEqual(
    events.map(({ body }) => [body.uid, body.rrule, body.end_time]),
    [
      ['w', 'FREQ=WEEKLY;UNTIL=20260316T165959Z', '2026-03-02T18:00:00.000Z'],
      ['w#2026-03-16T17:00:00.000Z', 'FREQ=WEEKLY;COUNT=3', '2026-03-16T19:30:00.000Z'],
    ],
  )
  const otherDay = change('DTSTART;TZID=Europe/Berlin:20260317T180000')
  assert.deepEqual(
    starts(calendarFile(vevent(...WEEKLY, 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4'), otherDay)).slice(
      2,
    ),
    ['2026-03-17T17:00 F', '2026-03-24T17:00 F'],
  )
  const endless = vevent(...WEEKLY, 'RRULE:FREQ=WEEKLY;BYDAY=MO')
  assert.deepEqual(refusals(calendarFile(endless, otherDay)), [
    '15 DTSTART range',
    '14 RECURRENCE-ID series',
  ])
  const ended = change('DTSTART;TZID=Europe/Berlin:20260316T180000', 'STATUS:CANCELLED')
  assert.deepEqual(starts(calendarFile(endless, ended)), expected.slice(0, 2))
})

test('of several versions of an event the newest is read', () => {
  const version = (sequence: number): string =>
    vevent(...WEEKLY, `SEQUENCE:${sequence}`, `DESCRIPTION:${sequence}`)
  const text = calendarFile(version(3), version(10), version(2))
  assert.equal(read(text).events[0]?.body.description, '10')
  assert.deepEqual(refusals(text), ['4 duplicate 12', '20 duplicate 12'])
})

test('a fault refuses its event and names line and property', () => {
  const cases: readonly [string, string][] = [
    ['DTSTART:20260230T100000', '7 DTSTART time 20260230T100000'],
    ['DTSTART;VALUE=DATE:20260203T100000', '7 DTSTART time 20260203T100000'],
    ['DTSTART:20260203T100000\nDTEND;VALUE=DATE:20260204', '8 DTEND end'],
    ['DTSTART;TZID=Europe/Berlin:20260203T100000\nDTEND:20260203T110000', '8 DTEND end'],
    ['DTSTART:20260203T100000\nDURATION:PT', '8 DURATION time PT'],
    ['DTSTART:20260203T100000\nthis is no property', '8 line'],
    ['DTSTART:20260203T100000\nLOCATION:a\u0000b', '8 LOCATION characters'],
    ['LOCATION:nowhere', '4 noStart'],
  ]
  for (const [lines, expected] of cases) {
    const text = calendarFile(vevent('UID:a', 'SUMMARY:A', lines), vevent(...WEEKLY))
    assert.deepEqual(refusals(text), [expected])
    assert.equal(read(text).events.length, 1)
  }
  const [first] = read(
    calendarFile(vevent('UID:a', 'DTSTART:20260203T100000', 'RRULE:FREQ=HOURLY')),
  ).refused
  assert.match(first?.detail ?? '', /^The rule FREQ must be DAILY or less frequent; list the hours/)
})

test('a file that is no calendar is refused with its line', () => {
  const cases: readonly [string | Uint8Array, RegExp][] = [
    ['', /no BEGIN:VCALENDAR/],
    ['no calendar', /line 1 is not a property/],
    ['BEGIN:VCARD\nEND:VCARD\n', /no BEGIN:VCALENDAR/],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n', /line 2 begins VEVENT, which has no END/],
    ['BEGIN:VCALENDAR\nEND:VEVENT\n', /line 2 has END:VEVENT, and VCALENDAR of line 1 is open/],
    ['BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR', /line 2 has the version 1\.0/],
    ['BEGIN:A\n'.repeat(100_000), /line 9 nests components more than 8 deep/],
    [Buffer.from(calendarFile(vevent('SUMMARY:Grüße')), 'latin1'), /line 5 is not UTF-8/],
    ['\n'.repeat(500_001), /more than 500,000 lines/],
  ]
  for (const [text, expected] of cases) assert.throws(() => read(text), expected)
})

test('folded lines, escapes, a byte order mark and empty lines are read as in RFC 5545', () => {
  const text = calendarFile(
    vevent(
      'UID:a',
      'DTSTART:20260203T100000Z',
      'SUMMARY;X-A="b:c;d":Comma\\, semi\\; back\\\\slash',
      '',
      'DESCRIPTION:one\\ntw',
      ' o\\N',
      '\tthree',
      'GEO:1;2',
      'X-OWN:1',
    ),
    'BEGIN:VTODO\nEND:VTODO',
  )
  const { events, ignored } = read(`\ufeff${text}`)
  assert.equal(events[0]?.body.event_title, 'Comma, semi; back\\slash')
  assert.equal(events[0]?.body.description, 'one\ntwo\nthree')
  assert.deepEqual(ignored, [
    { name: 'GEO', count: 1 },
    { name: 'VTODO', count: 1 },
  ])
})

test('hostile files take bounded work', () => {
  const long = 'x'.repeat(10_000_000)
  assert.equal(
    read(calendarFile(vevent('UID:a', 'DTSTART:20260203', `DESCRIPTION:${long}`))).events[0]?.body
      .description?.length,
    long.length,
  )
  assert.deepEqual(
    refusals(
      calendarFile(vevent('UID:a', 'DTSTART:20260203', `DESCRIPTION;${'A=b;'.repeat(500_000)}`)),
    ),
    ['7 line'],
  )
  // Each rule examines days up to the year 9999.
  const sparse = 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;UNTIL=99991231'
  const event = (at: number): string =>
    vevent(`UID:${at}`, 'DTSTART;TZID=Asia/Tokyo:20260203T100000', sparse)
  assert.deepEqual(refusals(calendarFile(event(1))), ['4 rules'])
  const many = Array.from({ length: 100 }, (_, at) => event(at))
  assert.throws(() => read(calendarFile(...many)), /take more work than one request may cause/)
  const zones = Array.from({ length: 102 }, (_, at) =>
    vevent(`UID:${at}`, `DTSTART;TZID=Z${at}:20260203T100000`),
  )
  assert.throws(() => read(calendarFile(...zones)), /more than 100 time zones/)
  const bomb = vtimezone('B', { winter: '+0100', summer: '+0200' }).replaceAll(
    'FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'FREQ=DAILY',
  )
  assert.deepEqual(
    refusals(calendarFile(bomb, vevent('UID:a', 'DTSTART;TZID=B:20260203T100000'))),
    ['21 DTSTART zone B'],
  )
})

test('the packed events of a file are the same events, series first', () => {
  const events = Array.from({ length: 600 }, (_, at) => [
    ...(at === 0 ? [vevent('UID:s', 'DTSTART:20260204', 'RECURRENCE-ID:20260203')] : []),
    vevent(`UID:${at}`, 'DTSTART:20260203', `DESCRIPTION:${'x'.repeat(at * 10)}`),
  ]).flat()
  const text = calendarFile(...events, vevent('UID:s', 'DTSTART:20260203', 'RRULE:FREQ=DAILY'))
  const input = { bytes: Buffer.from(text), timeZone: BERLIN, maxEvents: 20_000 }
  const { series, replacing, ...file } = readPackedCalendar(input)
  const { events: plain, ...rest } = read(text)
  assert.deepEqual(file, rest)
  assert.deepEqual([series.length > 10, replacing.length], [true, 1])
  const isAlone = ({ seriesUid }: (typeof plain)[number]): boolean => seriesUid === null
  assert.deepEqual(
    [...series, ...replacing].flatMap((list) => JSON.parse(list) as unknown[]),
    [...plain.filter(isAlone), ...plain.filter((event) => !isAlone(event))],
  )
})
