// Days of the Gregorian calendar, numbered from 1970-01-01 (day 0).

import { DAY_MS } from '../shared/wall-clock.ts'

export interface Day {
  readonly number: number
  readonly year: number
  /** Counts from 1, like the fields below. */
  readonly month: number
  readonly ofMonth: number
  readonly monthLength: number
  readonly ofYear: number
  readonly yearLength: number
}

export interface Month {
  readonly year: number
  readonly month: number
}

export function dayNumberOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS)
}

/** Pure arithmetic: with Date objects, this function took most of the time of a rule. */
export function describeDay(number: number): Day {
  const year = yearOf(number)
  const ofYear = number - firstOfYear(year) + 1
  const before = isLeapYear(year) ? BEFORE_MONTH_OF_LEAP_YEAR : BEFORE_MONTH
  let month = Math.min(12, Math.ceil(ofYear / 28))
  while ((before[month - 1] ?? 0) >= ofYear) month -= 1
  return {
    number,
    year,
    month,
    ofMonth: ofYear - (before[month - 1] ?? 0),
    monthLength: monthLength({ year, month }),
    ofYear,
    yearLength: yearLength(year),
  }
}

/** Days of the year before each month. */
const BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const BEFORE_MONTH_OF_LEAP_YEAR = BEFORE_MONTH.map((days, index) => days + (index > 1 ? 1 : 0))

export function firstOfMonth({ year, month }: Month): number {
  const before = isLeapYear(year) ? BEFORE_MONTH_OF_LEAP_YEAR : BEFORE_MONTH
  return firstOfYear(year) + (before[month - 1] ?? 0)
}

/** Days from the year 1 to 1970. */
const BEFORE_1970 = 719_162

export function firstOfYear(year: number): number {
  const past = year - 1
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400)
  return past * 365 + leapDays - BEFORE_1970
}

const DAYS_OF_400_YEARS = 146_097

function yearOf(number: number): number {
  const year = Math.floor(((number + BEFORE_1970) * 400) / DAYS_OF_400_YEARS) + 1
  if (number < firstOfYear(year)) return year - 1
  return number < firstOfYear(year + 1) ? year : year + 1
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function yearLength(year: number): number {
  return isLeapYear(year) ? 366 : 365
}

export function monthLength({ year, month }: Month): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** 0 is Sunday. */
export function weekdayOf(number: number): number {
  return modulo(number + 4, 7)
}

/** The first day of the week that contains this day. */
export function firstOfWeek(number: number, weekStart: number): number {
  return number - modulo(weekdayOf(number) - weekStart, 7)
}

/** First day of week 1, the first week with at least four days in the year (RFC 5545 section 3.3.10). */
export function firstOfWeekYear(year: number, weekStart: number): number {
  return firstOfWeek(firstOfYear(year) + 3, weekStart)
}

/** The week-numbering year of this day. */
export function weekYearOf(number: number, weekStart: number): number {
  return describeDay(firstOfWeek(number, weekStart) + 3).year
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
