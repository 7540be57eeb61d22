// Expensive recurrence rules, and time zones all over the world. The bounds on work do not change the
// results.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, makeEntry, occurrencesOf } from './entries.ts'

const MONTH = { fromMs: Date.parse('2026-03-01'), toMs: Date.parse('2026-04-01') }
const CENTURY = { fromMs: Date.parse('1996-01-01'), toMs: Date.parse('2096-01-01') }
const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join()

const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;COUNT=10000',
  'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10000',
  'FREQ=DAILY;BYMONTH=3;COUNT=10000',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=30;COUNT=10000',
  'FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=100',
  `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${HOURS};BYSETPOS=-1`,
  `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${HOURS};BYSETPOS=-1;COUNT=10000`,
  `FREQ=DAILY;BYHOUR=${HOURS};COUNT=10000`,
]

for (const rrule of RULES) {
  test(`${rrule.slice(0, 60)} is expanded quickly for a month of the thirtieth year and for a century`, () => {
    const entry = makeEntry({ start_time: '1996-01-01T01:30:00.000Z', end_time: null, rrule })
    const startedAt = cpuMs()
    for (const window of [MONTH, CENTURY])
      assert.ok(occurrencesOf(entry, 'Europe/Berlin', window, 1_000).length <= 1_000)
    assert.ok(cpuMs() - startedAt < 5_000)
  })
}

test('a daily rule of thirty years is expanded for a month without a scan from its start', () => {
  const entry = makeEntry({
    start_time: '1996-01-01T08:00:00.000Z',
    end_time: null,
    rrule: 'FREQ=DAILY',
  })
  const many = (): void => {
    for (let round = 0; round < 20; round += 1)
      assert.equal(occurrencesOf(entry, 'Europe/Berlin', MONTH, 100).length, 31)
  }
  many()
  const startedAt = cpuMs()
  many()
  assert.ok(cpuMs() - startedAt < 400)
})

test('consecutive windows have the same occurrences as one window over all of them', () => {
  const window = { fromMs: Date.parse('2020-01-01'), toMs: Date.parse('2032-01-01') }
  for (const rrule of [
    'FREQ=MONTHLY;BYMONTHDAY=31',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SU;WKST=SU',
    'FREQ=YEARLY;INTERVAL=3;BYDAY=-2SA',
    'FREQ=DAILY;INTERVAL=17;COUNT=150',
  ]) {
    const entry = makeEntry({ start_time: '2019-05-31T22:30:00.000Z', end_time: null, rrule })
    const parts: string[] = []
    for (let fromMs = window.fromMs; fromMs < window.toMs; fromMs += 20 * 86_400_000) {
      const toMs = Math.min(fromMs + 20 * 86_400_000, window.toMs)
      parts.push(...startsOf(occurrencesOf(entry, 'America/New_York', { fromMs, toMs }, 1e6)))
    }
    assert.deepEqual(parts, startsOf(occurrencesOf(entry, 'America/New_York', window, 1e6)))
    assert.ok(parts.length > 3)
  }
})

function startsOf(found: readonly { readonly start: string }[]): readonly string[] {
  return found.map(({ start }) => start)
}
