// Parses feeds with ical.js, which shares no code with the writer of the feeds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import ICAL from 'ical.js'
import type { CalendarEntry, FeedCalendar } from '../../lib/calendar/entry.ts'
import { buildFeed, cpuMs, makeCalendar, makeEntry } from './entries.ts'

const LONG = 'Grüße, „Anführung“; 日本語 🎉 and \\ backslashes\n'.repeat(40)

test('an entry is written as RFC 5545 requires', () => {
  const entry = makeEntry({ location: 'Room 1, left', rrule: 'FREQ=WEEKLY;BYDAY=MO' })
  const lines = buildFeed(makeCalendar(), [entry]).split('\r\n')
  const event = lines.slice(lines.indexOf('BEGIN:VEVENT'))
  assert.deepEqual(event, [
    'BEGIN:VEVENT',
    'UID:calendar-3-entry-7@7b0f2a8e-0000-4000-8000-000000000001',
    'DTSTAMP:20260206T111213Z',
    'CREATED:20260105T100000Z',
    'LAST-MODIFIED:20260206T111213Z',
    'DTSTART;TZID=Europe/Berlin:20260302T090000',
    'DTEND;TZID=Europe/Berlin:20260302T100000',
    'RRULE:FREQ=WEEKLY;BYDAY=MO',
    'SUMMARY:Meeting',
    'LOCATION:Room 1\\, left',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('all-day events are written as dates, and end on the day after', () => {
  const entry = makeEntry({
    all_day: true,
    start_time: '2026-03-27T23:00:00.000Z',
    end_time: '2026-03-29T22:00:00.000Z',
    rrule: 'FREQ=YEARLY;UNTIL=20300101T000000Z;BYHOUR=3',
  })
  const text = buildFeed(makeCalendar(), [entry])
  assert.match(text, /\r\nDTSTART;VALUE=DATE:20260328\r\nDTEND;VALUE=DATE:20260330\r\n/)
  assert.match(text, /\r\nRRULE:FREQ=YEARLY;UNTIL=20300101\r\n/)
})

test('an all-day event that was sent as a date has this date in every zone', () => {
  const entry = makeEntry({
    all_day: true,
    start_time: '2026-03-29T00:00:00.000Z',
    end_time: '2026-03-30T00:00:00.000Z',
  })
  for (const time_zone of ['America/New_York', 'UTC', 'Europe/Berlin', 'Pacific/Kiritimati']) {
    const text = buildFeed(makeCalendar({ time_zone }), [entry])
    assert.match(text, /\r\nDTSTART;VALUE=DATE:20260329\r\nDTEND;VALUE=DATE:20260330\r\n/)
  }
})

test('an UNTIL that is a date becomes the end of that day in UTC', () => {
  const entry = makeEntry({ rrule: 'FREQ=DAILY;UNTIL=20260630' })
  assert.match(buildFeed(makeCalendar(), [entry]), /UNTIL=20260630T215959Z\r\n/)
})

test('an event without duration has no end', () => {
  const none = buildFeed(makeCalendar(), [makeEntry({ end_time: null })])
  const same = buildFeed(makeCalendar(), [makeEntry({ end_time: '2026-03-02T08:00:00.000Z' })])
  assert.doesNotMatch(none + same, /DTEND/)
})

test('a calendar in UTC writes its times with a Z and defines no zone', () => {
  const text = buildFeed(makeCalendar({ time_zone: 'UTC' }), [makeEntry({})])
  assert.match(text, /\r\nDTSTART:20260302T080000Z\r\n/)
  assert.doesNotMatch(text, /VTIMEZONE|TZID/)
})

test('lines end with CRLF, have at most 75 bytes and split no character', () => {
  const text = buildFeed(makeCalendar({ name: LONG }), [
    makeEntry({ event_title: LONG, description: LONG, location: '🎉'.repeat(100) }),
  ])
  assert.ok(text.endsWith('END:VCALENDAR\r\n'))
  assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/)
  const sizes = text.split('\r\n').map((line) => Buffer.byteLength(line))
  assert.equal(Math.max(...sizes), 75)
  assert.doesNotMatch(text, /\ufffd/)
})

const TEXTS = [
  'a, b; c',
  'one\ntwo\n\nthree',
  'C:\\new\\temp',
  '日本語 🎉 ü',
  ' edges ',
  '\\n',
  LONG,
]

for (const text of TEXTS) {
  test(`the text ${JSON.stringify(text.slice(0, 30))} is read back unchanged`, () => {
    const entry = makeEntry({ event_title: text, location: text, description: text })
    const event = readEvent(buildFeed(makeCalendar(), [entry]))
    assert.deepEqual([event.summary, event.location, event.description], [text, text, text])
  })
}

test('any title is kept, without its control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
      const feed = buildFeed(makeCalendar({ name: title }), [makeEntry({ event_title: title })])
      const expected = title
        .toWellFormed()
        .replace(/\r\n|\r/g, '\n')
        .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      assert.equal(readEvent(feed).summary, expected)
      const names = readCalendar(feed)
        .getAllProperties()
        .map(({ name }) => name)
      assert.deepEqual(names, ['version', 'prodid', 'name', 'x-wr-calname', 'x-wr-timezone'])
    }),
    { numRuns: 500 },
  )
})

test('a lone surrogate becomes the replacement character', () => {
  const feed = buildFeed(makeCalendar(), [makeEntry({ event_title: 'a\ud83cb' })])
  assert.equal(readEvent(feed).summary, 'a\ufffdb')
})

test('no text of a calendar can add a line', () => {
  const evil = 'x\r\nBEGIN:VEVENT\nATTACH:http://evil.example\rEND:VEVENT'
  const text = buildFeed(makeCalendar({ name: evil, description: evil }), [
    makeEntry({ event_title: evil, location: evil, description: evil }),
  ])
  assert.equal(text.match(/^BEGIN:VEVENT/gm)?.length, 1)
  assert.doesNotMatch(text, /^ATTACH/m)
})

const ZONES: readonly (readonly [string, string])[] = [
  ['Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['America/New_York', '2026-03-08T06:30:00.000Z'],
  ['America/New_York', '2005-03-20T12:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00.000Z'],
  ['Asia/Kolkata', '2026-04-04T15:15:00.000Z'],
  ['Asia/Calcutta', '2026-04-04T15:15:00.000Z'],
  ['US/Eastern', '2026-11-02T12:00:00.000Z'],
  ['America/Vancouver', '2026-12-02T12:00:00.000Z'],
  ['Africa/Casablanca', '2026-07-02T12:00:00.000Z'],
  ['Africa/Cairo', '2026-10-30T12:00:00.000Z'],
  ['Asia/Gaza', '2027-04-02T12:00:00.000Z'],
  ['Europe/London', '1970-06-01T12:00:00.000Z'],
  ['UTC', '2026-03-29T01:30:00.000Z'],
]

for (const [zone, start] of ZONES) {
  test(`a parser computes the correct instants of ${zone} around ${start}`, () => {
    for (let hours = -72; hours <= 72; hours += 12) {
      const startMs = Date.parse(start) + hours * 3_600_000
      const times = {
        start_time: new Date(startMs).toISOString(),
        end_time: new Date(startMs + 5_400_000).toISOString(),
      }
      const event = readEvent(buildFeed(makeCalendar({ time_zone: zone }), [makeEntry(times)]))
      assert.equal(event.startDate.toJSDate().toISOString(), times.start_time)
      assert.equal(event.endDate.toJSDate().toISOString(), times.end_time)
    }
  })
}

test('a zone is written with rules, and earlier changes one by one', () => {
  const zoneOf = (start_time: string): string =>
    buildFeed(makeCalendar({ time_zone: 'America/New_York' }), [makeEntry({ start_time })])
  for (const [start, observances] of [
    ['2026-03-02T08:00:00.000Z', 2],
    // The offset at the start, two changes in each of three years, and the two rules.
    ['2005-03-02T08:00:00.000Z', 9],
  ] as const) {
    const text = zoneOf(start)
    assert.equal(text.match(/^RRULE:FREQ=YEARLY/gm)?.length, 2)
    assert.equal(text.match(/^TZOFFSETTO/gm)?.length, observances)
  }
})

test('a calendar without entries is a calendar with its zone', () => {
  const calendar = readCalendar(buildFeed(makeCalendar(), []))
  assert.deepEqual(
    calendar.getAllSubcomponents().map(({ name }) => name),
    ['vtimezone'],
  )
})

test('ten thousand entries are written, the same bytes each time', () => {
  const entries: readonly CalendarEntry[] = Array.from({ length: 10_000 }, (_, index) =>
    makeEntry({
      calendar_entry_id: index + 1,
      start_time: new Date(1.75e12 + index * 3_600_000).toISOString(),
      end_time: null,
      rrule: 'FREQ=WEEKLY',
      description: LONG.slice(0, 500),
    }),
  )
  const calendar: FeedCalendar = makeCalendar()
  const startedAt = cpuMs()
  const text = buildFeed(calendar, entries)
  assert.ok(cpuMs() - startedAt < 5_000)
  assert.equal(new Set(text.match(/^UID:.*/gm)).size, 10_000)
  assert.equal(buildFeed(calendar, entries), text)
})

function readCalendar(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text))
}

function readEvent(text: string): ICAL.Event {
  const event = readCalendar(text).getFirstSubcomponent('vevent')
  assert.ok(event !== null)
  return new ICAL.Event(event)
}
