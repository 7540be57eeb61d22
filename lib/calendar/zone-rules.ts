// Clock changes as rules for all years to come, derived from the changes of 28 years, in which each date falls on
// each weekday. A rule is accepted if it gives exactly these changes. Zones whose changes follow the moon, like
// Morocco's, have none.

import { type Day, dayNumberOf, describeDay, weekdayOf } from './day.ts'
import { daysOfPeriod } from './period-days.ts'
import { readRecurrence, WEEKDAYS } from './recurrence.ts'
import { parseRule } from './rule.ts'
import { type Change, DAY_MS } from './wall-clock.ts'

export const RULE_YEARS = 28

/** A change at the same time of day every year. */
export interface YearlyChange {
  readonly rrule: string
  readonly fromMs: number
  readonly toMs: number
  readonly timeMs: number
}

/** The wall time at the change, as if the clock had not changed. */
export function wallOfChange({ ms, fromMs }: Change): number {
  return ms + fromMs
}

export function yearOfChange(change: Change): number {
  return describeDay(dayNumberOf(wallOfChange(change))).year
}

/** Expects the changes of `RULE_YEARS` years; undefined if rules do not describe them. */
export function findYearlyChanges(changes: readonly Change[]): readonly YearlyChange[] | undefined {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const { fromMs, toMs } = change
    const { month } = describeDay(dayNumberOf(wallOfChange(change)))
    const key = [fromMs, toMs, timeOf(change), month].join()
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  const found = [...groups.values()].map(findYearly)
  const yearly = found.filter((item) => item !== undefined)
  const years = [...new Set(changes.map(yearOfChange))]
  const isWhole = yearly.length === found.length && years.every((year) => isCovered(year))
  return isWhole ? yearly : undefined

  function isCovered(year: number): boolean {
    return isSame(
      yearly.flatMap((item) => expandYearly(item, year)),
      changes.filter((change) => yearOfChange(change) === year),
    )
  }
}

/** The changes that a rule gives in a year. */
export function expandYearly(
  { rrule, fromMs, toMs, timeMs }: YearlyChange,
  year: number,
): readonly Change[] {
  const rule = readRecurrence(parseRule(rrule), 0)
  return daysOfPeriod(rule, year).days.map((day) => {
    return { ms: day * DAY_MS + timeMs - fromMs, fromMs, toMs }
  })
}

/** Whether both lists contain the same changes, in any order. */
export function isSame(left: readonly Change[], right: readonly Change[]): boolean {
  const show = (changes: readonly Change[]): string =>
    changes
      .map(({ ms, fromMs, toMs }) => `${ms} ${fromMs} ${toMs}`)
      .toSorted()
      .join()
  return show(left) === show(right)
}

function timeOf(change: Change): number {
  return wallOfChange(change) - dayNumberOf(wallOfChange(change)) * DAY_MS
}

/** Expects changes in the same month of different years, at the same time of day. */
function findYearly(changes: readonly Change[]): YearlyChange | undefined {
  const days = changes.map((change) => describeDay(dayNumberOf(wallOfChange(change))))
  const [first] = changes
  const rule = first && findDays(days)
  if (first === undefined || rule === undefined) return undefined
  const { fromMs, toMs } = first
  return {
    rrule: `FREQ=YEARLY;BYMONTH=${days[0]?.month};${rule}`,
    fromMs,
    toMs,
    timeMs: timeOf(first),
  }
}

function findDays(days: readonly Day[]): string | undefined {
  const dates = days.map(({ ofMonth }) => ofMonth)
  const [least, most] = [Math.min(...dates), Math.max(...dates)]
  const weekdays = new Set(days.map(({ number }) => WEEKDAYS[weekdayOf(number)]))
  if (weekdays.size > 1) return least === most ? `BYMONTHDAY=${least}` : undefined
  if (most - least > 6) return undefined
  const [weekday] = weekdays
  if (most - least === 6 && most === days[0]?.monthLength) return `BYDAY=-1${weekday}`
  if (most - least === 6 && most % 7 === 0) return `BYDAY=${most / 7}${weekday}`
  const listed = Array.from({ length: most - least + 1 }, (_, index) => least + index)
  return `BYMONTHDAY=${listed.join()};BYDAY=${weekday}`
}
