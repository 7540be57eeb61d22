// Days of the Gregorian calendar. A day is its number since 1970-01-01.

import { DAY_MS } from './wall-clock.ts'

export interface Day {
  readonly number: number
  readonly year: number
  /** From 1, like all that follow. */
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

export function describeDay(number: number): Day {
  const date = new Date(number * DAY_MS)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + 1
  return {
    number,
    year,
    month,
    ofMonth: date.getUTCDate(),
    monthLength: monthLength({ year, month }),
    ofYear: number - firstOfYear(year) + 1,
    yearLength: yearLength(year),
  }
}

/** The first day of a month; Date.UTC would take the year 26 for 1926. */
export function firstOfMonth({ year, month }: Month): number {
  return new Date(0).setUTCFullYear(year, month - 1, 1) / DAY_MS
}

export function firstOfYear(year: number): number {
  return firstOfMonth({ year, month: 1 })
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function yearLength(year: number): number {
  return isLeapYear(year) ? 366 : 365
}

export function monthLength({ year, month }: Month): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** From 0 for Sunday. */
export function weekdayOf(number: number): number {
  return modulo(number + 4, 7)
}

/** The day on or before this one on which weeks begin. */
export function firstOfWeek(number: number, weekStart: number): number {
  return number - modulo(weekdayOf(number) - weekStart, 7)
}

/** Of week 1 of a year: the first week that has four days or more in it (RFC 5545 section 3.3.10). */
export function firstOfWeekYear(year: number, weekStart: number): number {
  return firstOfWeek(firstOfYear(year) + 3, weekStart)
}

/** The year that numbers the week of this day. */
export function weekYearOf(number: number, weekStart: number): number {
  return describeDay(firstOfWeek(number, weekStart) + 3).year
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
