// Numbers, dates, sizes and counted things as a reader of a language writes them.

import { type Counted, fill } from './fill.ts'

export interface Formats {
  readonly number: (value: number) => string
  readonly percent: (ratio: number) => string
  /** `3 files`, of `{ one: '{count} file', other: '{count} files' }`. */
  readonly count: (texts: Counted, count: number) => string
  /** By powers of 1,000, as disks are sold. */
  readonly bytes: (bytes: number) => string
  /** A day and a time, in the time zone of the reader. */
  readonly dateTime: (date: Date) => string
  /** `2026-01-31` as a reader writes it: a day alone is in no time zone. */
  readonly plainDay: (day: string) => string
  /** To the second, with the time zone. */
  readonly exactTime: (date: Date) => string
  /** `3 hours ago`, from seconds to years. */
  readonly fromNow: (date: Date, now: Date) => string
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Seconds in each, and from how many seconds on it is the unit: what would round to 12 months is a year. */
const SPANS: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ['year', 31_557_600, 31_557_600 - 2_629_800 / 2],
  ['month', 2_629_800, 2_629_800],
  ['week', 604_800, 604_800 - 86_400 / 2],
  ['day', 86_400, 86_400 - 3_600 / 2],
  ['hour', 3_600, 3_600 - 60 / 2],
  ['minute', 60, 60 - 1 / 2],
]

/** `next year` would be said of a day of this one, so only of a day and below there are words in place of numbers. */
const COUNTED: ReadonlySet<string> = new Set(['year', 'month', 'week'])

export function openFormats(language: string): Formats {
  const plain = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const plural = new Intl.PluralRules(language)
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' })
  // Each takes longer to make than thousands of sizes to write.
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
    plainDay(text) {
      const date = new Date(`${text}T00:00:00Z`)
      return Number.isNaN(date.getTime()) ? text : day.format(date)
    },
    exactTime: (date) => exact.format(date),
    fromNow(date, now) {
      const seconds = (date.getTime() - now.getTime()) / 1_000
      const [unit, size] = SPANS.find(([, , from]) => Math.abs(seconds) >= from) ?? ['second', 1]
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
