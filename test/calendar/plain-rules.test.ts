// Compares the server with a simple implementation of RFC 5545 (plain-expander.ts), which checks every day
// and every second, while the server jumps and counts. The long form is `npm run rig:recurrence`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSeed } from '../rigs/recurrence/rig.ts'
import { makeEntry, occurrencesOf } from './entries.ts'
import { expandPlainly } from './plain-expander.ts'
import { SEED } from '../helpers/seed.ts'

/** Seeds that once gave wrong results here or in a library under evaluation, and a few others. */
const KEPT_SEEDS = [
  185, 315, 393, 409, 464, 789, 956, 1_138, 1_152, 1_205, 1_286, 1_526, 1_843, 1_904, 1_928, 17, 33,
  34, 39, 57, 59, 62, 64, 67, 74, 81, 88, 103, 109, 114, 123, 124, 138, 143, 165, 102, 5, 10, 14,
  23, 42,
]

test('a rule has the same occurrences as in a simple reference implementation', () => {
  let [rules, occurrences] = [0, 0]
  const fresh = Array.from({ length: 100 }, (_, index) => 10_000 + SEED + index)
  for (const seed of [...KEPT_SEEDS, ...fresh]) {
    const found = compareSeed(seed)
    if (found === undefined) continue
    rules += 1
    occurrences += found
  }
  assert.ok(rules > 100 && occurrences > 1_000, `${rules} rules, ${occurrences} occurrences`)
})

interface Case {
  readonly rrule: string
  readonly zone?: string
  readonly start: string
  readonly isAllDay?: boolean
  readonly from?: string
  readonly to: string
  /** Dates of the starts, or their times in UTC. */
  readonly expected: readonly string[]
}

/** Rules that were once interpreted wrongly, with their correct results. */
const CASES: readonly Case[] = [
  {
    rrule: 'FREQ=YEARLY;BYWEEKNO=20',
    start: '2026-05-12T09:00Z',
    from: '2027-05-18T08:00Z',
    to: '2030-01-01',
    expected: ['2027-05-18T09:00', '2028-05-16T09:00', '2029-05-15T09:00'],
  },
  {
    rrule: 'FREQ=YEARLY;BYYEARDAY=1;BYDAY=MO,TU,WE,TH,FR',
    start: '2026-01-01T09:00Z',
    to: '2031-01-01',
    expected: ['2026-01-01T09:00', '2027-01-01T09:00', '2029-01-01T09:00', '2030-01-01T09:00'],
  },
  {
    rrule: 'FREQ=YEARLY;BYDAY=53TU',
    start: '2024-12-31T09:00Z',
    to: '2032-01-01',
    expected: ['2024-12-31T09:00', '2030-12-31T09:00'],
  },
  {
    rrule: 'FREQ=YEARLY;BYMONTH=1;BYDAY=1MO,FR;COUNT=6',
    start: '2026-01-02T09:00Z',
    to: '2027-01-01',
    expected: ['02', '05', '09', '16', '23', '30'].map((day) => `2026-01-${day}T09:00`),
  },
  {
    rrule: 'FREQ=DAILY;UNTIL=20261025T011500Z',
    zone: 'Europe/Berlin',
    start: '2026-10-24T00:30Z',
    to: '2027-01-01',
    expected: ['2026-10-24T00:30', '2026-10-25T00:30'],
  },
  {
    rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30,45;COUNT=3',
    zone: 'Europe/Berlin',
    start: '2026-10-25T01:30Z',
    to: '2027-01-01',
    expected: ['2026-10-25T01:30', '2026-10-26T01:30', '2026-10-26T01:45'],
  },
  {
    rrule: 'FREQ=YEARLY;COUNT=300',
    start: '2026-05-12T09:00Z',
    from: '2322-01-01',
    to: '2327-01-01',
    expected: ['2322-05-12T09:00', '2323-05-12T09:00', '2324-05-12T09:00', '2325-05-12T09:00'],
  },
  {
    rrule: 'FREQ=YEARLY;INTERVAL=1000;COUNT=10000',
    start: '2026-05-12T09:00Z',
    from: '9026-01-01',
    to: '9030-01-01',
    expected: ['9026-05-12T09:00'],
  },
  {
    rrule: 'FREQ=DAILY;COUNT=4',
    zone: 'Pacific/Apia',
    start: '2011-12-28',
    isAllDay: true,
    to: '2012-02-01',
    expected: ['2011-12-28T10:00', '2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00'],
  },
  {
    rrule: 'FREQ=MONTHLY;BYDAY=SU;BYHOUR=2,3;BYSETPOS=-2',
    zone: 'Europe/Berlin',
    start: '2026-02-22T01:00Z',
    to: '2026-05-01',
    // 02:00 does not exist on the last Sunday of March, so the second-last element is on the Sunday before.
    expected: ['2026-02-22T01:00', '2026-03-22T02:00', '2026-04-26T00:00'],
  },
]

for (const { rrule, zone = 'UTC', start, isAllDay = false, from, to, expected } of CASES) {
  test(`${rrule} from ${start} in ${zone}${isAllDay ? ', whole days,' : ''} is read by its words`, () => {
    const startMs = Date.parse(start)
    const window = {
      fromMs: Date.parse(from ?? start) - (isAllDay ? 1e8 : 0),
      toMs: Date.parse(to),
    }
    const start_time = new Date(startMs).toISOString()
    const entry = makeEntry({ start_time, end_time: null, rrule, all_day: isAllDay })
    const found = occurrencesOf(entry, zone, window, 1_000).map((item) => item.start)
    assert.deepEqual(
      found.map((item) => item.replace(':00.000Z', '')),
      expected,
    )
    const plain = expandPlainly({ rrule, startMs, zone, isAllDay }, window.toMs)
    const inWindow = plain.filter((ms) => ms >= window.fromMs)
    assert.deepEqual(
      found,
      inWindow.map((ms) => new Date(ms).toISOString()),
    )
  })
}

test('pages of one occurrence add up to one page of all', () => {
  const entry = makeEntry({ end_time: null, rrule: 'FREQ=YEARLY;BYWEEKNO=20' })
  const window = { fromMs: Date.parse('2026-01-01'), toMs: Date.parse('2031-01-01') }
  const whole = occurrencesOf(entry, 'Europe/Berlin', window, 100)
  for (const [index, { start }] of whole.entries()) {
    const rest = { ...window, startsFromMs: Date.parse(start) }
    assert.deepEqual(occurrencesOf(entry, 'Europe/Berlin', rest, 100), whole.slice(index))
  }
  assert.equal(whole.length, 6)
})
