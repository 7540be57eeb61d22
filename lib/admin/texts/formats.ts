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

/** Seconds in each. */
const SPANS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function openFormats(language: string): Formats {
  const plain = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const plural = new Intl.PluralRules(language)
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' })
  // Each takes longer to make than thousands of sizes to write.
  const sizes = SIZES.map((unit, step) => sizeFormat(language, unit, step > 0))
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

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
      const [unit, size] = SPANS.find(([, span]) => Math.abs(seconds) >= span) ?? ['second', 1]
      return relative.format(Math.trunc(seconds / size), unit)
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
