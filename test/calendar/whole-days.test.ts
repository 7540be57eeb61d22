// Whole days are dates in the calendar's zone, independent of the stored instants.

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
    name: 'whole days keep their local date over a clock change',
    entry: {
      all_day: true,
      start_time: '2026-03-27T23:00:00.000Z',
      end_time: '2026-03-28T23:00:00.000Z',
      rrule: 'FREQ=DAILY;COUNT=3',
    },
    from: '2026-03-01',
    to: '2026-04-01',
    expected: [
      '2026-03-27T23:00/2026-03-28T23:00',
      '2026-03-28T23:00/2026-03-29T22:00',
      '2026-03-29T22:00/2026-03-30T22:00',
    ],
  },
  {
    name: 'a whole day that ends a minute before midnight is one day',
    zone: 'UTC',
    entry: {
      all_day: true,
      start_time: '2026-03-02T00:00:00.000Z',
      end_time: '2026-03-02T23:59:00.000Z',
    },
    from: '2026-03-01',
    to: '2026-04-01',
    expected: ['2026-03-02T00:00/2026-03-03T00:00'],
  },
  {
    name: 'whole days until noon of the second are two',
    zone: 'UTC',
    entry: {
      all_day: true,
      start_time: '2026-03-02T00:00:00.000Z',
      end_time: '2026-03-03T12:00:00.000Z',
    },
    from: '2026-03-01',
    to: '2026-04-01',
    expected: ['2026-03-02T00:00/2026-03-04T00:00'],
  },
  {
    name: 'a whole day without an end lasts until midnight',
    zone: 'UTC',
    entry: { all_day: true, start_time: '2026-03-02T00:00:00.000Z', ...NO_END },
    from: '2026-03-02T23:00:00Z',
    to: '2026-04-01',
    expected: ['2026-03-02T00:00'],
  },
  {
    name: 'whole days have no times even if the rule has',
    zone: 'UTC',
    entry: {
      all_day: true,
      start_time: '2026-03-02T00:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=DAILY;COUNT=2;BYHOUR=9,17;BYSETPOS=2',
    },
    from: '2026-03-01',
    to: '2026-04-01',
    expected: ['2026-03-02T00:00', '2026-03-03T00:00'],
  },
  {
    name: 'whole days with UNTIL as a time end on its local date',
    entry: {
      all_day: true,
      start_time: '2026-06-01T22:00:00.000Z',
      ...NO_END,
      rrule: 'FREQ=DAILY;UNTIL=20260602T230000Z',
    },
    from: '2026-06-01',
    to: '2026-07-01',
    expected: ['2026-06-01T22:00', '2026-06-02T22:00'],
  },
  {
    name: 'a date is that date in New York',
    zone: 'America/New_York',
    entry: { all_day: true, start_time: '2026-03-29T00:00:00.000Z', ...NO_END },
    from: '2026-03-01',
    to: '2026-04-30',
    expected: ['2026-03-29T04:00'],
  },
  {
    name: 'dates have the same number of days in New York',
    zone: 'America/New_York',
    entry: {
      all_day: true,
      start_time: '2026-03-07T00:00:00.000Z',
      end_time: '2026-03-09T00:00:00.000Z',
      rrule: 'FREQ=MONTHLY;UNTIL=20260407T000000Z',
    },
    from: '2026-03-01',
    to: '2026-06-30',
    expected: ['2026-03-07T05:00/2026-03-09T04:00', '2026-04-07T04:00/2026-04-09T04:00'],
  },
  {
    name: 'dates have the same number of days in Berlin over a clock change',
    entry: {
      all_day: true,
      start_time: '2026-03-29T00:00:00.000Z',
      end_time: '2026-03-30T00:00:00.000Z',
    },
    from: '2026-03-01',
    to: '2026-04-30',
    expected: ['2026-03-28T23:00/2026-03-29T22:00'],
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
