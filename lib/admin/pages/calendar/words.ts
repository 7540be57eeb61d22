// Formats wall times for the reader, and returns the first day of the week.

import { useMemo } from 'preact/hooks'
import { DAY_MS } from '../../../shared/wall-clock.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Times } from './event-times.ts'
import { daysFrom, startOfWeek } from './wall.ts'

export interface Words {
  /** `Monday 30 March 2026` */
  readonly day: (wall: number) => string
  /** `30 March 2026` */
  readonly date: (wall: number) => string
  /** `30 March` */
  readonly yearDay: (wall: number) => string
  readonly month: (wall: number) => string
  readonly time: (wall: number) => string
  readonly weekday: (wall: number, style: 'long' | 'short') => string
  /** A range of days; the last day is included. */
  readonly range: (first: number, last: number) => string
  /** The times of an event in one line. */
  readonly when: (times: Times) => string
  readonly list: (items: readonly string[]) => string
  /** The seven days in the reader's order; zero is Sunday. */
  readonly week: readonly number[]
  /** Zero is Sunday. */
  readonly firstDay: number
}

/** Wall times are formatted as UTC. */
const WALL = { timeZone: 'UTC' } as const

export function useWords(): Words {
  const { locale, t } = useTexts()
  return useMemo(() => openWords(locale, t.calendar.wholeDay), [locale])
}

function openWords(locale: string, wholeDay: string): Words {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...WALL, ...options })
  const long = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const date = format({ day: 'numeric', month: 'long', year: 'numeric' })
  const yearDay = format({ day: 'numeric', month: 'long' })
  const month = format({ month: 'long', year: 'numeric' })
  const time = format({ timeStyle: 'short' })
  const both = format({ dateStyle: 'medium', timeStyle: 'short' })
  const medium = format({ dateStyle: 'medium' })
  const list = new Intl.ListFormat(locale)
  const weekdays = { long: format({ weekday: 'long' }), short: format({ weekday: 'short' }) }
  const firstDay = firstDayOf(locale)
  return {
    day: (wall) => long.format(wall),
    date: (wall) => date.format(wall),
    yearDay: (wall) => yearDay.format(wall),
    month: (wall) => month.format(wall),
    time: (wall) => time.format(wall),
    weekday: (wall, style) => weekdays[style].format(wall),
    range: (first, last) => medium.formatRange(first, last),
    when({ startWall, endWall, isAllDay }) {
      if (isAllDay) return `${medium.formatRange(startWall, endWall - DAY_MS)}, ${wholeDay}`
      return endWall > startWall ? both.formatRange(startWall, endWall) : both.format(startWall)
    },
    list: (items) => list.format(items),
    firstDay,
    week: daysFrom(startOfWeek(0, firstDay), 7).map((wall) => new Date(wall).getUTCDay()),
  }
}

/** Monday (ISO 8601) if the browser does not know. */
function firstDayOf(locale: string): number {
  const about: Intl.Locale & LocaleWithWeek = new Intl.Locale(locale)
  return (about.getWeekInfo?.() ?? about.weekInfo ?? { firstDay: 1 }).firstDay % 7
}

interface LocaleWithWeek {
  readonly getWeekInfo?: () => { readonly firstDay: number }
  readonly weekInfo?: { readonly firstDay: number }
}
