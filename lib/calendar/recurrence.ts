// A recurrence rule prepared for expansion: numbers instead of text, and missing parts taken from the start (RFC 5545
// section 3.3.10).

import { dayNumberOf, describeDay, modulo, weekdayOf } from './day.ts'
import { type RuleParts, WEEKDAYS } from '../shared/recurrence-rule.ts'
import { DAY_MS } from '../shared/wall-clock.ts'

export interface Recurrence {
  readonly frequency: string
  readonly interval: number
  /** 0 is Sunday. */
  readonly weekStart: number
  readonly months: readonly number[] | undefined
  readonly weeks: readonly number[] | undefined
  readonly yearDays: readonly number[] | undefined
  readonly monthDays: readonly number[] | undefined
  readonly weekdays: readonly Weekday[] | undefined
  readonly positions: readonly number[] | undefined
  /** Times of each day, in milliseconds since midnight, ascending. */
  readonly times: readonly number[]
  readonly startDay: number
  /** The rule selects days by more than their weekday. */
  readonly namesDates: boolean
}

export interface Weekday {
  readonly weekday: number
  /** The ordinal within the month or year; undefined selects every such weekday. */
  readonly ordinal: number | undefined
}

/** Expects parts that checkRrule accepts. */
export function readRecurrence(parts: RuleParts, startWall: number): Recurrence {
  const numbers = (name: string): readonly number[] | undefined => listOf(parts.get(name))
  const startDay = dayNumberOf(startWall)
  const days = readDays(parts, startDay)
  const yearDays = numbers('BYYEARDAY')
  const hasOrdinals = days.weekdays?.some(({ ordinal }) => ordinal !== undefined) ?? false
  return {
    frequency: parts.get('FREQ') ?? '',
    interval: Number(parts.get('INTERVAL') ?? 1),
    weekStart: WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO'),
    weeks: numbers('BYWEEKNO'),
    yearDays,
    positions: numbers('BYSETPOS'),
    times: readTimes(numbers, modulo(startWall, DAY_MS)),
    startDay,
    namesDates: (days.months ?? days.monthDays ?? yearDays) !== undefined || hasOrdinals,
    ...days,
  }
}

function listOf(text: string | undefined): readonly number[] | undefined {
  if (text === undefined) return undefined
  return [...new Set(text.split(',').map(Number))].toSorted((a, b) => a - b)
}

type Days = Pick<Recurrence, 'months' | 'monthDays' | 'weekdays'>

/** A rule that names no day takes it from the start: the weekday, the day of the month, or the date. */
function readDays(parts: RuleParts, startDay: number): Days {
  const [months, monthDays] = [listOf(parts.get('BYMONTH')), listOf(parts.get('BYMONTHDAY'))]
  const weekdays = parts.get('BYDAY')?.split(',').map(readWeekday)
  const days = { months, monthDays, weekdays }
  const frequency = parts.get('FREQ')
  const namesDays = monthDays ?? weekdays ?? parts.get('BYYEARDAY')
  if (namesDays !== undefined || frequency === 'DAILY') return days

  if (frequency === 'WEEKLY' || parts.has('BYWEEKNO'))
    return { ...days, weekdays: [{ weekday: weekdayOf(startDay), ordinal: undefined }] }
  const start = describeDay(startDay)
  const ownMonths = frequency === 'YEARLY' ? [start.month] : undefined
  return { ...days, monthDays: [start.ofMonth], months: months ?? ownMonths }
}

function readWeekday(item: string): Weekday {
  const ordinal = item.slice(0, -2)
  return {
    weekday: WEEKDAYS.indexOf(item.slice(-2)),
    ordinal: ordinal === '' ? undefined : Number(ordinal),
  }
}

function readTimes(
  numbers: (name: string) => readonly number[] | undefined,
  startMs: number,
): readonly number[] {
  const startSecond = Math.floor(startMs / 1_000)
  const hours = numbers('BYHOUR') ?? [Math.floor(startSecond / 3_600)]
  const minutes = numbers('BYMINUTE') ?? [Math.floor(startSecond / 60) % 60]
  const seconds = numbers('BYSECOND') ?? [startSecond % 60]
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => (hour * 3_600 + minute * 60 + second) * 1_000),
    ),
  )
}
