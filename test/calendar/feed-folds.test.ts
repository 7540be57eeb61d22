// Local times that occur twice when clocks go back. Subscribers find the same instants as the server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { buildFeed, makeCalendar, makeEntry, occurrencesOf } from './entries.ts'

/** A zone, and an instant in the second pass of its repeated local time. */
const FOLDS = [
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', 3_600_000],
  ['America/New_York', '2026-11-01T06:30:00.000Z', 3_600_000],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00.000Z', 1_800_000],
] as const
const iso = (ms: number): string => new Date(ms).toISOString()

for (const [zone, second, sizeMs] of FOLDS) {
  const secondMs = Date.parse(second)
  test(`an end and a start in the repeated hour are written in UTC in ${zone}`, () => {
    const first = iso(secondMs - sizeMs)
    for (const [start_time, end_time] of [
      [first, second],
      [iso(secondMs - 600_000), iso(secondMs + 600_000)],
      [second, iso(secondMs + 3 * 3_600_000)],
    ] as const) {
      const [event] = readEvents(
        buildFeed(makeCalendar({ time_zone: zone }), [makeEntry({ start_time, end_time })]),
      )
      assert.equal(event?.startDate.toJSDate().toISOString(), start_time)
      assert.equal(event?.endDate.toJSDate().toISOString(), end_time)
    }
  })

  for (const rrule of [
    'FREQ=DAILY;COUNT=4',
    'FREQ=WEEKLY;COUNT=12',
    'FREQ=YEARLY;COUNT=3',
    'FREQ=DAILY;BYMINUTE=15,30,45;COUNT=5',
  ]) {
    test(`${rrule} from the repeated hour in ${zone} is expanded in the same way by a subscriber`, () => {
      const times = { start_time: second, end_time: iso(secondMs + 900_000) }
      const entry = makeEntry({ ...times, rrule })
      const toMs = Date.parse('2031-01-01')
      const ours = occurrencesOf(entry, zone, { fromMs: 0, toMs }, 100)
      const theirs = expand(buildFeed(makeCalendar({ time_zone: zone }), [entry]))
      assert.deepEqual(theirs, ours)
      assert.ok(ours.length > 2)
    })
  }
}

function readEvents(text: string): readonly ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
}

function expand(text: string): readonly unknown[] {
  const [series, ...exceptions] = readEvents(text)
  assert.ok(series !== undefined)
  for (const exception of exceptions) series.relateException(exception)
  const times = series.iterator()
  const found: { start: string; end: string }[] = []
  for (let time = times.next(); time !== null && time !== undefined; time = times.next()) {
    const { startDate, endDate } = series.getOccurrenceDetails(time)
    found.push({
      start: startDate.toJSDate().toISOString(),
      end: endDate.toJSDate().toISOString(),
    })
  }
  return found
}
