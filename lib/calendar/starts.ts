// The starts that a rule gives, one by one and lazily: period by period from where they are wanted, on
// the clock of the wall. Written here because no library is right about the rules that the RFC allows
// (rrule-temporal 2.2.8 passes over parts beside others; ical.js 2.2.1 and rrule 2.8.1 are wrong about
// more of them), nor can one be stopped. A test compares it with a plain reading of RFC 5545
// (test/calendar/plain-expander.ts).

import { dayNumberOf } from './day.ts'
import { daysOfPeriod, periodOf, resolve } from './period-days.ts'
import { type Recurrence, readRecurrence } from './recurrence.ts'
import type { Span } from './span.ts'
import { type Clock, DAY_MS, startOfDay } from './wall-clock.ts'
import type { Work } from './expansion-budget.ts'

export interface Start {
  readonly wall: number
  /** The first instant that shows it. */
  readonly ms: number
}

export interface Rule {
  readonly span: Span
  readonly clock: Clock
  readonly work: Work
}

/** Dates beyond it are not written by RFC 3339. */
const LAST_DAY = dayNumberOf(Date.parse('9999-12-31'))

/**
 * The starts of a rule behind that of its entry, the earliest first: those from this wall time on, and up
 * to the other. What the clock skips does not happen, nor is it counted: RFC 5545 section 3.3.10.
 */
export function* startsOf(
  rule: Rule,
  { first, last }: { readonly first: number; readonly last: number },
): Generator<Start> {
  const { span } = rule
  if (span.rule === undefined) return
  const count = span.rule.get('COUNT')
  // What is counted must be gone through from the beginning.
  const from = count === undefined ? Math.max(first, span.startWall) : span.startWall
  // The start of the entry is the first of them.
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
  { span, clock, work }: Rule,
  recurrence: Recurrence,
  { from, last }: { readonly from: number; readonly last: number },
): Generator<Start> {
  const { interval, startDay } = recurrence
  const base = periodOf(recurrence, startDay)
  const steps = Math.ceil((periodOf(recurrence, dayNumberOf(from)) - base) / interval)
  const lastPeriod = periodOf(recurrence, Math.min(dayNumberOf(last), LAST_DAY))

  for (let period = base + steps * interval; period <= lastPeriod; period += interval) {
    const { days, looks } = daysOfPeriod(recurrence, period)
    // To choose by places, all days of the period are gone through again.
    work.spend(1 + looks + (recurrence.positions === undefined ? 0 : days.length))
    for (const wall of chosenTimes(recurrence, days, timesOn(recurrence, span, clock))) {
      work.spend(1)
      // The start is an instant, which may be the second one that shows its time.
      if (wall <= span.startWall || wall < from) continue
      const ms = clock.instantOf(wall)
      if (ms > span.startMs) yield { wall, ms }
    }
  }
}

type TimesOn = (day: number) => readonly number[]

const MIDNIGHT: readonly number[] = [0]
const NONE: readonly number[] = []

/** The times of a day, but for those that its clock skips; of whole days the day, unless all of it is skipped. */
function timesOn({ times }: Recurrence, { isAllDay }: Span, clock: Clock): TimesOn {
  if (isAllDay) return (day) => (isDay(day * DAY_MS, clock) ? MIDNIGHT : NONE)
  return (day) =>
    clock.isCalm(day * DAY_MS)
      ? times
      : times.filter((time) => clock.findInstant(day * DAY_MS + time) !== undefined)
}

function isDay(wall: number, clock: Clock): boolean {
  return clock.isCalm(wall) || startOfDay(clock.wallOf(clock.instantOf(wall))) === wall
}

/** The wall times of a period, of which BYSETPOS chooses by their places. */
function* chosenTimes(
  { positions }: Recurrence,
  days: readonly number[],
  timesOf: TimesOn,
): Generator<number> {
  if (positions === undefined) {
    for (const day of days) for (const time of timesOf(day)) yield day * DAY_MS + time
    return
  }

  // Whole days are passed over by their number of times: a year may have 8,784 of them.
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
