import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarEntry } from '../../lib/calendar/entry.ts'
import { makeEntry, occurrencesOf } from './entries.ts'

interface Case {
  readonly name: string
  readonly zone?: string
  readonly entry: Partial<CalendarEntry>
  readonly from: string
  readonly to: string
  /** Starts, or starts and ends as `start/end`, without seconds. */
  readonly expected: readonly string[]
}

const NO_END = { end_time: null }

const CASES: readonly Case[] = [
  {
    name: 'nine in Berlin stays nine when summer time begins',
    entry: { start_time: '2026-03-27T08:00:00.000Z', ...NO_END, rrule: 'FREQ=DAILY' },
    from: '2026-03-28',
    to: '2026-03-31',
    expected: ['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00'],
  },
  {
    name: 'nine in Berlin stays nine when summer time ends',
    entry: { start_time: '2026-10-24T07:00:00.000Z', ...NO_END, rrule: 'FREQ=DAILY;COUNT=3' },
    from: '2026-10-01',
    to: '2026-11-01',
    expected: ['2026-10-24T07:00', '2026-10-25T08:00', '2026-10-26T08:00'],
  },
  {
    name: 'the evening in New York stays when summer time begins',
    zone: 'America/New_York',
    entry: { start_time: '2026-03-07T00:30:00.000Z', ...NO_END, rrule: 'FREQ=DAILY' },
    from: '2026-03-07',
    to: '2026-03-11',
    expected: [
      '2026-03-07T00:30',
      '2026-03-08T00:30',
      '2026-03-08T23:30',
      '2026-03-09T23:30',
      '2026-03-10T23:30',
    ],
  },
  {
    name: 'half an hour of Lord Howe is half an hour',
    zone: 'Australia/Lord_Howe',
    entry: { start_time: '2026-04-02T22:00:00.000Z', ...NO_END, rrule: 'FREQ=DAILY;COUNT=4' },
    from: '2026-04-01',
    to: '2026-05-01',
    expected: ['2026-04-02T22:00', '2026-04-03T22:00', '2026-04-04T22:30', '2026-04-05T22:30'],
  },
  {
    name: 'UTC has no summer time',
    zone: 'UTC',
    entry: { start_time: '2026-03-28T09:00:00.000Z', ...NO_END, rrule: 'FREQ=DAILY;COUNT=3' },
    from: '2026-01-01',
    to: '2027-01-01',
    expected: ['2026-03-28T09:00', '2026-03-29T09:00', '2026-03-30T09:00'],
  },
  {
    name: 'a time that the clock skips is omitted',
    entry: { start_time: '2026-03-28T01:30:00.000Z', ...NO_END, rrule: 'FREQ=DAILY' },
    from: '2026-03-28',
    to: '2026-03-31',
    expected: ['2026-03-28T01:30', '2026-03-30T00:30'],
  },
  {
    name: 'the first of a repeated local time counts',
    entry: { start_time: '2026-10-24T00:30:00.000Z', ...NO_END, rrule: 'FREQ=DAILY' },
    from: '2026-10-24',
    to: '2026-10-27',
    expected: ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  },
  {
    name: 'an entry that starts in the second of two hours keeps its own start',
    entry: { start_time: '2026-10-25T01:30:00.000Z', ...NO_END, rrule: 'FREQ=DAILY' },
    from: '2026-10-24',
    to: '2026-10-27',
    expected: ['2026-10-25T01:30', '2026-10-26T01:30'],
  },
  {
    name: 'the 29th of February comes in leap years only',
    zone: 'UTC',
    entry: { start_time: '2024-02-29T12:00:00.000Z', ...NO_END, rrule: 'FREQ=YEARLY' },
    from: '2024-01-01',
    to: '2036-01-01',
    expected: ['2024-02-29T12:00', '2028-02-29T12:00', '2032-02-29T12:00'],
  },
  {
    name: 'the 31st skips the months without one',
    zone: 'UTC',
    entry: { start_time: '2026-01-31T12:00:00.000Z', ...NO_END, rrule: 'FREQ=MONTHLY' },
    from: '2026-02-01',
    to: '2026-08-01',
    expected: ['2026-03-31T12:00', '2026-05-31T12:00', '2026-07-31T12:00'],
  },
  {
    name: 'UNTIL in UTC includes its own moment and nothing later',
    zone: 'America/New_York',
    entry: {
      start_time: '2026-06-01T01:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=DAILY;UNTIL=20260603T010000Z',
    },
    from: '2026-01-01',
    to: '2027-01-01',
    expected: ['2026-06-01T01:00', '2026-06-02T01:00', '2026-06-03T01:00'],
  },
  {
    name: 'UNTIL as a date includes that local day',
    zone: 'America/New_York',
    entry: {
      start_time: '2026-06-01T01:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=DAILY;UNTIL=20260602',
    },
    from: '2026-01-01',
    to: '2027-01-01',
    expected: ['2026-06-01T01:00', '2026-06-02T01:00', '2026-06-03T01:00'],
  },
  {
    name: 'the last Friday of the month',
    zone: 'UTC',
    entry: { start_time: '2026-01-30T09:00:00.000Z', ...NO_END, rrule: 'FREQ=MONTHLY;BYDAY=-1FR' },
    from: '2026-02-01',
    to: '2026-06-01',
    expected: ['2026-02-27T09:00', '2026-03-27T09:00', '2026-04-24T09:00', '2026-05-29T09:00'],
  },
  {
    name: 'the last working day of the month by BYSETPOS',
    zone: 'UTC',
    entry: {
      start_time: '2026-01-30T09:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    },
    from: '2026-02-01',
    to: '2026-06-01',
    expected: ['2026-02-27T09:00', '2026-03-31T09:00', '2026-04-30T09:00', '2026-05-29T09:00'],
  },
  {
    name: 'the 20th Monday of the year, an example of the RFC',
    zone: 'America/New_York',
    entry: { start_time: '1997-05-19T13:00:00.000Z', ...NO_END, rrule: 'FREQ=YEARLY;BYDAY=20MO' },
    from: '1997-01-01',
    to: '2000-01-01',
    expected: ['1997-05-19T13:00', '1998-05-18T13:00', '1999-05-17T13:00'],
  },
  {
    name: 'the Monday of week 20, an example of the RFC',
    zone: 'America/New_York',
    entry: {
      start_time: '1997-05-12T13:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    },
    from: '1997-01-01',
    to: '2000-01-01',
    expected: ['1997-05-12T13:00', '1998-05-11T13:00', '1999-05-17T13:00'],
  },
  {
    name: 'the last day of a month by a daily rule',
    zone: 'UTC',
    entry: {
      start_time: '2026-01-31T09:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=DAILY;BYMONTHDAY=-1',
    },
    from: '2026-01-01',
    to: '2026-05-01',
    expected: ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00', '2026-04-30T09:00'],
  },
  {
    name: 'every other week counts from the start, windows or not',
    zone: 'UTC',
    entry: { start_time: '2026-01-06T09:00:00.000Z', ...NO_END, rrule: 'FREQ=WEEKLY;INTERVAL=2' },
    from: '2026-05-20',
    to: '2026-06-30',
    expected: ['2026-05-26T09:00', '2026-06-09T09:00', '2026-06-23T09:00'],
  },
  {
    name: 'the start of the entry is the first of COUNT even if the rule does not match it',
    zone: 'UTC',
    entry: {
      start_time: '2026-03-03T09:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=3',
    },
    from: '2026-01-01',
    to: '2027-01-01',
    expected: ['2026-03-03T09:00', '2026-03-09T09:00', '2026-03-16T09:00'],
  },
  {
    name: 'a COUNT of one is only the start',
    zone: 'UTC',
    entry: {
      start_time: '2026-03-03T09:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=1',
    },
    from: '2026-01-01',
    to: '2027-01-01',
    expected: ['2026-03-03T09:00'],
  },
  {
    name: 'COUNT is used up before the window',
    zone: 'UTC',
    entry: { start_time: '2026-03-02T09:00:00.000Z', ...NO_END, rrule: 'FREQ=DAILY;COUNT=5' },
    from: '2026-03-05',
    to: '2027-01-01',
    expected: ['2026-03-05T09:00', '2026-03-06T09:00'],
  },
  {
    name: 'a night shift keeps its length over a clock change',
    entry: {
      start_time: '2026-03-27T21:00:00.000Z',
      end_time: '2026-03-28T05:00:00.000Z',
      rrule: 'FREQ=DAILY;COUNT=3',
    },
    from: '2026-03-27',
    to: '2026-04-01',
    expected: [
      '2026-03-27T21:00/2026-03-28T05:00',
      '2026-03-28T21:00/2026-03-29T05:00',
      '2026-03-29T20:00/2026-03-30T04:00',
    ],
  },
  {
    name: 'a time that the clock skips does not count for COUNT',
    zone: 'America/New_York',
    entry: { start_time: '2026-03-07T07:30:00.000Z', ...NO_END, rrule: 'FREQ=DAILY;COUNT=3' },
    from: '2026-03-01',
    to: '2026-04-01',
    expected: ['2026-03-07T07:30', '2026-03-09T06:30', '2026-03-10T06:30'],
  },
  {
    name: 'COUNT is filled up over the skipped times of several years',
    zone: 'America/New_York',
    entry: {
      start_time: '2026-03-01T07:30:00.000Z',
      ...NO_END,
      rrule: 'FREQ=YEARLY;BYMONTH=3;BYDAY=1SU,2SU;COUNT=4',
    },
    from: '2028-01-01',
    to: '2040-04-01',
    expected: ['2028-03-05T07:30', '2029-03-04T07:30'],
  },
  {
    name: 'milliseconds of the start are kept',
    zone: 'UTC',
    entry: { start_time: '2026-03-02T09:00:00.250Z', ...NO_END, rrule: 'FREQ=DAILY;COUNT=2' },
    from: '2026-03-03T09:00:00.250Z',
    to: '2026-03-04',
    expected: ['2026-03-03T09:00:00.250Z'],
  },
  {
    name: 'an entry far before 1970 repeats too',
    zone: 'UTC',
    entry: { start_time: '1901-05-01T09:00:00.500Z', ...NO_END, rrule: 'FREQ=YEARLY' },
    from: '2026-01-01',
    to: '2027-01-01',
    expected: ['2026-05-01T09:00:00.500Z'],
  },
]

for (const { name, zone, entry, from, to, expected } of CASES) {
  test(name, () => {
    const window = { fromMs: Date.parse(from), toMs: Date.parse(to) }
    const found = occurrencesOf(makeEntry(entry), zone ?? 'Europe/Berlin', window, 100)
    const shown = found.map(({ start, end }) => (end === null ? start : `${start}/${end}`))
    assert.deepEqual(
      shown.map((item) => item.replaceAll(':00.000Z', '')),
      expected,
    )
  })
}

// One event from 08:00 to 09:00, and windows around it.
const WINDOWS = [
  { name: 'before it', from: '07:00', to: '08:00', overlaps: false },
  { name: 'into its beginning', from: '07:00', to: '08:01', overlaps: true },
  { name: 'within it', from: '08:10', to: '08:20', overlaps: true },
  { name: 'at its last minute', from: '08:59', to: '10:00', overlaps: true },
  { name: 'from its end', from: '09:00', to: '10:00', overlaps: false },
  { name: 'that is empty', from: '08:00', to: '08:00', overlaps: false },
]

for (const { name, from, to, overlaps } of WINDOWS) {
  test(`a window ${name} ${overlaps ? 'includes' : 'does not include'} the event`, () => {
    const window = { fromMs: at(from), toMs: at(to) }
    for (const rrule of [null, 'FREQ=WEEKLY'])
      assert.equal(occurrencesOf(makeEntry({ rrule }), 'UTC', window, 9).length, overlaps ? 1 : 0)
  })
}

test('an event without duration is in the window that begins at its start, and not in the window that ends there', () => {
  const entry = makeEntry({ end_time: null })
  const count = (from: string, to: string): number =>
    occurrencesOf(entry, 'UTC', { fromMs: at(from), toMs: at(to) }, 9).length
  assert.deepEqual([count('07:00', '08:00'), count('08:00', '09:00')], [0, 1])
})

test('events that are longer than the window and their own period are all found', () => {
  const entry = makeEntry({ end_time: '2026-03-05T08:00:00.000Z', rrule: 'FREQ=DAILY' })
  const window = { fromMs: Date.parse('2026-05-10T12:00Z'), toMs: Date.parse('2026-05-10T13:00Z') }
  assert.deepEqual(
    occurrencesOf(entry, 'UTC', window, 9).map(({ start }) => start.slice(0, 10)),
    ['2026-05-08', '2026-05-09', '2026-05-10'],
  )
})

test('occurrences before a given moment are omitted, wherever the window begins', () => {
  const entry = makeEntry({ end_time: '2026-03-05T08:00:00.000Z', rrule: 'FREQ=DAILY' })
  const window = { fromMs: Date.parse('2026-05-10'), toMs: Date.parse('2026-05-12') }
  const startsFromMs = Date.parse('2026-05-10T08:00Z')
  assert.deepEqual(
    occurrencesOf(entry, 'UTC', { ...window, startsFromMs }, 9).map(({ start }) => start),
    ['2026-05-10T08:00:00.000Z', '2026-05-11T08:00:00.000Z'],
  )
})

test('at most the earliest occurrences up to the limit are found', () => {
  const entry = makeEntry({ rrule: 'FREQ=DAILY', end_time: null })
  const window = { fromMs: Date.parse('2026-04-01'), toMs: Date.parse('2056-04-01') }
  const found = occurrencesOf(entry, 'UTC', window, 3)
  assert.deepEqual(
    found.map(({ start }) => start.slice(0, 10)),
    ['2026-04-01', '2026-04-02', '2026-04-03'],
  )
  assert.deepEqual(occurrencesOf(entry, 'UTC', window, 0), [])
})

function at(time: string): number {
  return Date.parse(`2026-03-02T${time}:00.000Z`)
}
