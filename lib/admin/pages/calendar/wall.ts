// Wall times (shared/wall-clock.ts) as days, weeks and months, and as the texts of inputs.

import { DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

export function daysFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first + at * DAY_MS)
}

/** Zero is Sunday. */
export function weekdayOf(wall: number): number {
  return new Date(wall).getUTCDay()
}

export function startOfWeek(wall: number, firstDay: number): number {
  const day = startOfDay(wall)
  return day - ((weekdayOf(day) - firstDay + 7) % 7) * DAY_MS
}

export function startOfMonth(wall: number): number {
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** Returns the same day in another month, or the last day of that month. */
export function addMonths(wall: number, count: number): number {
  const date = new Date(wall)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count]
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), length))
}

/** `2026-03-30` */
export function dateText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10)
}

/** `09:00` */
export function timeText(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16)
}

/** Parses `2026-03-30` or `2026-03-30T09:00`; undefined for other text. */
export function parseWall(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/.test(text)) return undefined
  const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00'}:00Z`)
  return Number.isNaN(ms) || dateText(ms) !== text.slice(0, 10) ? undefined : ms
}
