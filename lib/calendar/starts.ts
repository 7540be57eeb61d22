// Generates the starts of a rule lazily, period by period, in wall-clock time. No library was correct for the rules
// that the RFC allows (rrule-temporal 2.2.8 ignores some combined parts; ical.js 2.2.1 and rrule 2.8.1 have more
// errors), and none can be stopped. A test compares the result with a plain reading of RFC 5545
// (test/calendar/plain-expander.ts).

import { dayNumberOf } from './day.ts'
import { daysOfPeriod, periodOf, resolve } from './period-days.ts'
import { type Recurrence, readRecurrence } from './recurrence.ts'
import type { Span } from './span.ts'
import { type Clock, DAY_MS, startOfDay } from '../shared/wall-clock.ts'
import type { ExpansionBudget } from './expansion-budget.ts'

export interface Start {
  readonly wall: number
  /** The first instant that shows this wall time. */
  readonly ms: number
}

export interface Rule {
  readonly span: Span
  readonly clock: Clock
  readonly budget: ExpansionBudget
}

/** RFC 3339 cannot express later dates. */
const LAST_DAY = dayNumberOf(Date.parse('9999-12-31'))

/**
 * The starts after the entry's own, earliest first, from wall time `first` to `last`. Times that the clock skips do
 * not occur and are not counted: RFC 5545 section 3.3.10.
 */
export function* startsOf(
  rule: Rule,
  { first, last }: { readonly first: number; readonly last: number },
): Generator<Start> {
  const { span } = rule
  if (span.rule === undefined) return
  const count = span.rule.get('COUNT')
  // Counting has to begin at the first occurrence.
  const from = count === undefined ? Math.max(first, span.startWall) : span.startWall
  // The entry's own start is the first occurrence.
  let left = count === undefined ? Number.POSITIVE_INFINITY : Number(count) - 1

  for (const start of startsFrom(rule, readRecurrence(span.rule, span.startWall), { from, last })) {
    if (left === 0 || isBehindUntil(span, start)) return
    left -= 1
    if (start.wall >= first) yield start
  }
}

function isBehindUntil({ untilMs, untilWall }: Span, { wall, ms }: Start): boolean {
  return (untilMs !== undefined && ms > untilMs) || (untilWall !== undefined && wall > untilWall)
}

function* startsFrom(
  { span, clock, budget }: Rule,
  recurrence: Recurrence,
  { from, last }: { readonly from: number; readonly last: number },
): Generator<Start> {
  const { interval, startDay } = recurrence
  const base = periodOf(recurrence, startDay)
  const steps = Math.ceil((periodOf(recurrence, dayNumberOf(from)) - base) / interval)
  const lastPeriod = periodOf(recurrence, Math.min(dayNumberOf(last), LAST_DAY))

  for (let period = base + steps * interval; period <= lastPeriod; period += interval) {
    const { days, looks } = daysOfPeriod(recurrence, period)
    // Selecting by position visits all days of the period again.
    budget.spend(1 + looks + (recurrence.positions === undefined ? 0 : days.length))
    for (const wall of chosenTimes(recurrence, days, timesOn(recurrence, span, clock))) {
      budget.spend(1)
      // The entry's start may be the second instant of its wall time.
      if (wall <= span.startWall || wall < from) continue
      const ms = clock.instantOf(wall)
      if (ms > span.startMs) yield { wall, ms }
    }
  }
}

type TimesOn = (day: number) => readonly number[]

const MIDNIGHT: readonly number[] = [0]
const NONE: readonly number[] = []

/** The times of a day that the clock does not skip. For whole days: the day, unless the clock skips all of it. */
function timesOn({ times }: Recurrence, { isAllDay }: Span, clock: Clock): TimesOn {
  if (isAllDay) return (day) => (isDay(day * DAY_MS, clock) ? MIDNIGHT : NONE)
  return (day) =>
    clock.isStable(day * DAY_MS)
      ? times
      : times.filter((time) => clock.findInstant(day * DAY_MS + time) !== undefined)
}

function isDay(wall: number, clock: Clock): boolean {
  return clock.isStable(wall) || startOfDay(clock.wallOf(clock.instantOf(wall))) === wall
}

/** The wall times of a period, filtered by BYSETPOS. */
function* chosenTimes(
  { positions }: Recurrence,
  days: readonly number[],
  timesOf: TimesOn,
): Generator<number> {
  if (positions === undefined) {
    for (const day of days) for (const time of timesOf(day)) yield day * DAY_MS + time
    return
  }

  // Skips days by the number of their times, because a year may have 8,784 times.
  const found = days.map((day) => ({ day, times: timesOf(day) }))
  const size = found.reduce((sum, { times }) => sum + times.length, 0)
  const places = resolve(positions, size)
  let [next, before] = [0, 0]
  for (const { day, times } of found) {
    for (; (places[next] ?? size + 1) <= before + times.length; next += 1)
      yield day * DAY_MS + (times[(places[next] ?? 0) - before - 1] ?? 0)
    before += times.length
  }
}
