// Subscribers see the same occurrences as the server: ical.js expands the feed and finds the same times over
// two years. The rules match all starts, because readers disagree about starts that do not match. Cases that
// ical.js 2.2.1 expands wrongly are in occurrences.test.ts instead: 29 February, BYWEEKNO, the 20th Monday of
// a year, and BYMONTHDAY=-1 with DAILY.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import type { CalendarEntry } from '../../lib/calendar/entry.ts'
import type { Window } from '../../lib/calendar/occurrences.ts'
import { checkRrule } from '../../lib/calendar/check-rule.ts'
import { buildFeed, makeCalendar, makeEntry, occurrencesOf } from './entries.ts'

const FIRST_DAY = '2026-01-01'
const LAST_DAY = '2028-01-01'
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']

// Each entry starts at 09:00 local time on a day that matches its rule.
const RULES: readonly (readonly [string, string])[] = [
  ['2026-01-05', 'FREQ=DAILY'],
  ['2026-01-05', 'FREQ=DAILY;INTERVAL=3'],
  ['2026-01-05', 'FREQ=DAILY;COUNT=400'],
  ['2026-01-05', 'FREQ=DAILY;UNTIL=20270331T230000Z'],
  ['2026-01-05', 'FREQ=DAILY;UNTIL=20270331'],
  ['2026-03-01', 'FREQ=DAILY;BYMONTH=3,10'],
  ['2026-01-05', 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR'],
  ['2026-01-13', 'FREQ=DAILY;BYMONTHDAY=13,14'],
  ['2026-01-05', 'FREQ=WEEKLY'],
  ['2026-01-05', 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=100'],
  ['2026-01-06', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU'],
  ['2026-01-06', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU'],
  ['2026-01-31', 'FREQ=MONTHLY'],
  ['2026-01-30', 'FREQ=MONTHLY;BYDAY=-1FR'],
  ['2026-01-13', 'FREQ=MONTHLY;BYDAY=2TU;COUNT=12'],
  ['2026-01-31', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  ['2026-01-15', 'FREQ=MONTHLY;BYMONTHDAY=15,30'],
  ['2026-02-13', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
  ['2026-01-30', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
  ['2026-01-01', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,3'],
  ['2026-01-05', 'FREQ=MONTHLY;INTERVAL=5;BYDAY=1MO,-1MO'],
  ['2024-02-28', 'FREQ=YEARLY'],
  ['2026-01-05', 'FREQ=YEARLY;COUNT=2'],
  ['2026-03-29', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
  ['2026-06-01', 'FREQ=YEARLY;BYMONTH=6,7;BYMONTHDAY=1,31'],
  ['2026-04-10', 'FREQ=YEARLY;BYYEARDAY=100,200'],
  ['2026-11-26', 'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
  ['2026-05-01', 'FREQ=MONTHLY;INTERVAL=2;UNTIL=20270901T120000Z'],
  ['2026-01-05', 'FREQ=YEARLY;INTERVAL=2;BYMONTH=1,2;BYDAY=MO'],
  ['2026-01-05', 'FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30'],
  ['2026-01-05', 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9,10'],
]

for (const [date, rrule] of RULES) {
  test(`${rrule} is expanded in the same way by a subscriber`, () => {
    assert.equal(checkRrule(rrule), undefined)
    for (const zone of ZONES) {
      for (const all_day of [false, true]) {
        if (all_day && rrule.includes('BYHOUR')) continue
        const entry = makeEntry({ ...localTimes({ date, zone, all_day }), all_day, rrule })
        const ours = occurrencesOf(entry, zone, windowOf(zone), 10_000)
        const theirs = expand(entry, zone)
        assert.deepEqual(all_day ? ours.map((item) => datesOf(item, zone)) : ours, theirs)
        assert.ok(ours.length > 0)
      }
    }
  })
}

for (const all_day of [false, true]) {
  test(`exceptions of ${all_day ? 'days' : 'times'} are read in the same way by a subscriber`, () => {
    for (const zone of ZONES) {
      const date = '2026-01-05'
      const at = (day: string): string => localTimes({ date: day, zone, all_day }).start_time
      const exceptions = {
        exdates: ['2026-01-05', '2026-03-30', '2027-01-04', '2026-02-03'].map(at),
        // ical.js doubles a date on which the rule also has an occurrence.
        rdates: ['2026-01-07', '2026-07-04'].map(at),
      }
      const times = { ...localTimes({ date, zone, all_day }), all_day, ...exceptions }
      const entry = makeEntry({ ...times, rrule: 'FREQ=WEEKLY;COUNT=60' })
      const ours = occurrencesOf(entry, zone, windowOf(zone), 10_000)
      assert.equal(ours.length, 60 - 3 + 2)
      const theirs = expand(entry, zone)
      assert.deepEqual(all_day ? ours.map((item) => datesOf(item, zone)) : ours, theirs)
    }
  })
}

/** Two years, from midnight to midnight in the zone. */
function windowOf(zone: string): Window {
  const midnight = (day: string): number => Date.parse(toInstant(Date.parse(day), zone))
  return { fromMs: midnight(FIRST_DAY), toMs: midnight(LAST_DAY) }
}

interface Start {
  readonly date: string
  readonly zone: string
  readonly all_day: boolean
}

/** 09:00 to 10:30 or the whole day, in local time of the zone. */
function localTimes({
  date,
  zone,
  all_day,
}: Start): Pick<CalendarEntry, 'start_time' | 'end_time'> {
  const startMs = Date.parse(`${date}T${all_day ? '00' : '09'}:00:00Z`)
  const endMs = startMs + (all_day ? 86_400_000 : 5_400_000)
  return { start_time: toInstant(startMs, zone), end_time: toInstant(endMs, zone) }
}

function toInstant(wallMs: number, zone: string): string {
  const guess = wallMs - offsetOf(wallMs, zone)
  return new Date(wallMs - offsetOf(guess, zone)).toISOString()
}

/** Computed only by Intl. */
function offsetOf(ms: number, zone: string): number {
  return Date.parse(`${localText(ms, zone)}Z`) - ms
}

function localText(ms: number, zone: string): string {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const
  return new Intl.DateTimeFormat('sv', options).format(ms).replace(' ', 'T')
}

function datesOf(item: { start: string; end: string | null }, zone: string): unknown {
  const dateOf = (time: string): string => localText(Date.parse(time), zone).slice(0, 10)
  return { start: dateOf(item.start), end: item.end === null ? null : dateOf(item.end) }
}

function expand(entry: CalendarEntry, zone: string): readonly unknown[] {
  const feed = buildFeed(makeCalendar({ time_zone: zone }), [entry])
  const component = new ICAL.Component(ICAL.parse(feed)).getFirstSubcomponent('vevent')
  assert.ok(component !== null)
  const event = new ICAL.Event(component)
  const times = event.iterator()

  const found: unknown[] = []
  for (let time = times.next(); time !== null && time !== undefined; time = times.next()) {
    const { startDate, endDate } = event.getOccurrenceDetails(time)
    const day = startDate.toString().slice(0, 10)
    if (day >= LAST_DAY) break
    if (day < FIRST_DAY) continue
    found.push({ start: show(startDate, entry.all_day), end: show(endDate, entry.all_day) })
  }
  return found
}

function show(time: ICAL.Time, isDate: boolean): string {
  return isDate ? time.toString().slice(0, 10) : time.toJSDate().toISOString()
}
