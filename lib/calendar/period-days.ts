// The days of a rule within one period: a day, a week, a month or a year. Expanding and limiting in the table of RFC
// 5545 section 3.3.10 both give the days that every part allows. So the most selective parts provide the candidates,
// and all parts filter them.

import {
  type Day,
  describeDay,
  firstOfMonth,
  firstOfWeek,
  firstOfWeekYear,
  firstOfYear,
  type Month,
  monthLength,
  weekdayOf,
  weekYearOf,
  yearLength,
} from './day.ts'
import type { Recurrence, Weekday } from './recurrence.ts'

export interface PeriodDays {
  /** Ascending. */
  readonly days: readonly number[]
  /** Number of candidates examined. */
  readonly looks: number
}

/** Periods are numbered consecutively. */
export function periodOf({ frequency, weekStart, weeks }: Recurrence, day: number): number {
  if (frequency === 'DAILY') return day
  if (frequency === 'WEEKLY') return Math.floor(firstOfWeek(day, weekStart) / 7)
  // A week belongs to the year that numbers it, for INTERVAL and BYSETPOS too.
  if (weeks !== undefined) return weekYearOf(day, weekStart)
  const { year, month } = describeDay(day)
  return frequency === 'YEARLY' ? year : year * 12 + month - 1
}

export function daysOfPeriod(rule: Recurrence, period: number): PeriodDays {
  const candidates = candidatesOf(rule, period)
  const isAny = !rule.namesDates && rule.weekdays === undefined
  const days = isAny ? candidates : candidates.filter((number) => isMet(rule, number))
  return { days, looks: candidates.length }
}

function candidatesOf(rule: Recurrence, period: number): readonly number[] {
  const { frequency, weekStart } = rule
  if (frequency === 'DAILY') return [period]
  if (frequency === 'WEEKLY') return range(firstOfWeek(period * 7 + 6, weekStart), 7)
  if (frequency === 'MONTHLY') {
    const month = { year: Math.floor(period / 12), month: (period % 12) + 1 }
    return rule.months?.includes(month.month) === false ? [] : candidatesOfMonth(rule, month)
  }
  return candidatesOfYear(rule, period)
}

function candidatesOfYear(rule: Recurrence, year: number): readonly number[] {
  const { weeks, weekStart, yearDays, months = ALL_MONTHS } = rule
  if (weeks !== undefined) {
    const first = firstOfWeekYear(year, weekStart)
    const count = (firstOfWeekYear(year + 1, weekStart) - first) / 7
    return resolve(weeks, count).flatMap((week) => range(first + (week - 1) * 7, 7))
  }
  if (yearDays !== undefined) {
    const newYear = firstOfYear(year)
    return resolve(yearDays, yearLength(year)).map((at) => newYear + at - 1)
  }
  return months.flatMap((month) => candidatesOfMonth(rule, { year, month }))
}

const ALL_MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

function candidatesOfMonth({ monthDays }: Recurrence, month: Month): readonly number[] {
  const first = firstOfMonth(month)
  if (monthDays === undefined) return range(first, monthLength(month))
  return resolve(monthDays, monthLength(month)).map((at) => first + at - 1)
}

function range(first: number, length: number): readonly number[] {
  const numbers: number[] = []
  for (let index = 0; index < length; index += 1) numbers.push(first + index)
  return numbers
}

/** Resolves positions in a list of this length, negative ones from the end; without duplicates, ascending. */
export function resolve(list: readonly number[], length: number): readonly number[] {
  const places = list.map((at) => (at < 0 ? length + 1 + at : at))
  const inside = places.filter((at) => at >= 1 && at <= length)
  return [...new Set(inside)].toSorted((a, b) => a - b)
}

function isMet(rule: Recurrence, number: number): boolean {
  const { months, monthDays, yearDays, weekdays } = rule
  if (weekdays !== undefined && !weekdays.some((item) => item.weekday === weekdayOf(number)))
    return false
  if (!rule.namesDates) return true
  const day = describeDay(number)
  return (
    (months?.includes(day.month) ?? true) &&
    isListed(monthDays, day.ofMonth, day.monthLength) &&
    isListed(yearDays, day.ofYear, day.yearLength) &&
    (weekdays?.some((item) => isWeekday(rule, day, item)) ?? true)
  )
}

function isListed(list: readonly number[] | undefined, at: number, length: number): boolean {
  return list === undefined || list.includes(at) || list.includes(at - length - 1)
}

/** An ordinal counts within the month, or within the year if a yearly rule has no BYMONTH. */
function isWeekday({ frequency, months }: Recurrence, day: Day, item: Weekday): boolean {
  const { weekday, ordinal } = item
  if (weekday !== weekdayOf(day.number)) return false
  if (ordinal === undefined) return true
  const isOfYear = frequency === 'YEARLY' && months === undefined
  const [at, length] = isOfYear ? [day.ofYear, day.yearLength] : [day.ofMonth, day.monthLength]
  return ordinal > 0 ? Math.ceil(at / 7) === ordinal : Math.ceil((length - at + 1) / 7) === -ordinal
}
