// Formats numbers, dates, sizes and counted texts in the reader's language.

import { type Counted, fill } from './fill.ts'

export interface Formats {
  readonly number: (value: number) => string
  readonly percent: (ratio: number) => string
  /** Returns `3 files` for `{ one: '{count} file', other: '{count} files' }`. */
  readonly count: (texts: Counted, count: number) => string
  /** Uses decimal units (powers of 1,000). */
  readonly bytes: (bytes: number) => string
  /** Date and time in the reader's time zone. */
  readonly dateTime: (date: Date) => string
  /** Like dateTime, but without the year if it is the year of `now`. */
  readonly shortTime: (date: Date, now: Date) => string
  /** Formats `2026-01-31`. A date alone has no time zone. */
  readonly plainDay: (day: string) => string
  /** With seconds and time zone. */
  readonly exactTime: (date: Date) => string
  /** `just now` within a minute, then from `3 minutes ago` or `in 3 minutes` to years. */
  readonly fromNow: (date: Date, now: Date) => string
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Seconds per unit, and the threshold from which the unit is used, so that 12 months become a year. */
const SPANS: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ['year', 31_557_600, 31_557_600 - 2_629_800 / 2],
  ['month', 2_629_800, 2_629_800],
  ['week', 604_800, 604_800 - 86_400 / 2],
  ['day', 86_400, 86_400 - 3_600 / 2],
  ['hour', 3_600, 3_600 - 60 / 2],
  ['minute', 60, 60 - 1 / 2],
]

/** Units that always show a number, because `next year` could mean a date in the current year. */
const COUNTED: ReadonlySet<string> = new Set(['year', 'month', 'week'])

/** `justNow` is the text for times within a minute. */
export function openFormats(language: string, justNow: string): Formats {
  const plain = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const plural = new Intl.PluralRules(language)
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const dayInYear = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' })
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' })
  // Creating a format takes longer than formatting thousands of sizes.
  const sizes = SIZES.map((unit, step) => sizeFormat(language, unit, step > 0))
  const inWords = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const inNumbers = new Intl.RelativeTimeFormat(language)

  return {
    number: (value) => plain.format(value),
    percent: (ratio) => percent.format(ratio),
    count(texts, count) {
      const form = texts[plural.select(count)] ?? texts.other
      return fill(form as '{count}', { count: plain.format(count) })
    },
    bytes(bytes) {
      const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1)
      return (sizes[step] ?? plain).format(bytes / 1_000 ** step)
    },
    dateTime: (date) => dateTime.format(date),
    shortTime: (date, now) =>
      date.getFullYear() === now.getFullYear()
        ? `${dayInYear.format(date)}, ${time.format(date)}`
        : dateTime.format(date),
    plainDay(text) {
      const date = new Date(`${text}T00:00:00Z`)
      return Number.isNaN(date.getTime()) ? text : day.format(date)
    },
    exactTime: (date) => exact.format(date),
    fromNow(date, now) {
      const seconds = (date.getTime() - now.getTime()) / 1_000
      const found = SPANS.find(([, , from]) => Math.abs(seconds) >= from)
      // The clocks of browser and server may differ by some seconds: a change that was just made is not in the future.
      if (found === undefined) return seconds < 10 ? justNow : inNumbers.format(1, 'minute')
      const [unit, size] = found
      const relative = COUNTED.has(unit) ? inNumbers : inWords
      return relative.format(Math.round(seconds / size), unit)
    },
  }
}

function sizeFormat(language: string, unit: string, isLarge: boolean): Intl.NumberFormat {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: isLarge ? 'short' : 'long',
    maximumFractionDigits: isLarge ? 1 : 0,
  })
}
