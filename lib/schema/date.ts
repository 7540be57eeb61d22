// Converts dates from clients to one form, UTC with milliseconds.
//
//   2026-01-31T12:00:00+01:00   RFC 3339
//   2026-01-31                  a day: its first instant
//   "20260131"                  eight digits, a day: YYYYMMDD
//   "20260131120000"            fourteen digits, a time in UTC: YYYYMMDDhhmmss
//   "1769860800", 1769860800    seconds since 1970: a number, or a text of nine to eleven digits
//
// Every other text of digits is rejected, because its meaning is ambiguous. A number of eight digits that reads
// as a day is also rejected: as seconds it would be a day in 1970.
//
// parseDay returns the day as written, regardless of the offset; a time needs no offset there. Seconds since
// 1970 give the day in UTC.

const RFC3339 =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/
const PLAIN_DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_DIGITS = /^(\d{4})(\d{2})(\d{2})$/
const TIME_DIGITS = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/
const SECONDS = /^-?\d{9,11}$/

/** Time of day after a written day. The offset may be omitted, because the day does not depend on it. */
const TIME_OF_DAY =
  /^(?:[Tt ]((?:[01]\d|2[0-3]):\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?)?$/

const FIRST_MS = -62_167_219_200_000
const END_MS = 253_402_300_800_000

/** UTC with milliseconds, from year 0000 to 9999; undefined if the value is not a date. */
export function parseDate(value: unknown): string | undefined {
  const time = toTime(value)
  const isInRange = time !== undefined && time.getTime() >= FIRST_MS && time.getTime() < END_MS
  return isInRange ? time.toISOString() : undefined
}

/** The calendar day of a value, YYYY-MM-DD; undefined if there is none. */
export function parseDay(value: unknown): string | undefined {
  if (typeof value === 'string' && PLAIN_DAY.test(value))
    return existsDay(value) ? value : undefined
  if (typeof value !== 'string' || SECONDS.test(value)) return parseDate(value)?.slice(0, 10)
  const written = spellOutDigits(value)
  const day = written.slice(0, 10)
  const time = TIME_OF_DAY.exec(written.slice(10))
  if (time === null || parseDate(day) === undefined) return undefined
  // Minutes, seconds and offset must be valid for any day.
  const [, clock = '00:00', seconds = ':00', offset = 'Z'] = time
  return parseDate(`2000-01-01T${clock}${seconds}${offset}`) === undefined ? undefined : day
}

/**
 * The local time of a date-time as if it were UTC, without applying its offset. Undefined if the value is not a
 * date.
 */
export function writtenTime(value: unknown): string | undefined {
  return parseDate(typeof value === 'string' ? value.replace(OFFSET, 'Z') : value)
}

const OFFSET = /[+-]\d{2}:\d{2}$/

/** The day of a value that has no time of day, YYYY-MM-DD; otherwise undefined. */
export function dayAlone(value: string): string | undefined {
  return /^(?:\d{4}-\d{2}-\d{2}|\d{8})$/.test(value) ? parseDay(value) : undefined
}

/** Explains why a value that looks like a date-time is invalid; empty if the reason is unknown. */
export function dateHint(value: unknown): string {
  // A time of day without an offset is not a definite moment.
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[Tt ](?!24)[\d:.]+$/.test(value.trim()))
    return '; this time has no offset: append Z for UTC, or an offset such as +02:00'
  return dayHint(value)
}

/** The same explanation for a day, which needs no offset. */
export function dayHint(value: unknown): string {
  if (typeof value === 'number' && isDayNumber(value)) {
    const day = String(value).replace(DAY_DIGITS, '$1-$2-$3')
    return `; ${value} may be a day or seconds since 1970: send the day as "${day}"`
  }
  if (typeof value !== 'string') return ''
  if (/^-?\d+$/.test(value)) {
    return '; digits must be a day (YYYYMMDD), a time (YYYYMMDDhhmmss), or nine to eleven digits for seconds since 1970'
  }
  return /^\d{4}-\d{2}-\d{2}[Tt ]24:/.test(value)
    ? '; hours go from 00 to 23: the end of a day is 00:00:00 of the next day'
    : ''
}

function toTime(value: unknown): Date | undefined {
  if (typeof value === 'number') return isDayNumber(value) ? undefined : atSecond(value)
  if (typeof value !== 'string') return undefined
  if (SECONDS.test(value)) return new Date(Number(value) * 1_000)
  return parseText(spellOutDigits(value))
}

/** Rounds to the millisecond, because 1769860800.001 * 1000 is slightly less than a whole number. */
function atSecond(seconds: number): Date {
  const isWhole = Number.isInteger(seconds)
  return new Date(isWhole ? seconds * 1_000 : Math.floor(Math.round(seconds * 1_000_000) / 1_000))
}

function spellOutDigits(value: string): string {
  if (value.length !== 8 && value.length !== 14) return value
  return value.replace(DAY_DIGITS, '$1-$2-$3').replace(TIME_DIGITS, '$1-$2-$3T$4:$5:$6Z')
}

function isDayNumber(value: number): boolean {
  return DAY_DIGITS.test(String(value)) && toTime(String(value)) !== undefined
}

function parseText(value: string): Date | undefined {
  if (!RFC3339.test(value)) return undefined

  if (!existsDay(value)) return undefined
  const time = new Date(value.toUpperCase().replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Whether the calendar has the day at the start of the text: Date.parse turns 30 February into March. */
function existsDay(text: string): boolean {
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (day < 29) return day > 0 && month > 0 && month < 13
  // Day 0 of the next month is the last day of this month. 400 years have the same days again, and Date.UTC reads years below
  // 100 as 1900 to 1999.
  const year = 400 + Number(text.slice(0, 4))
  return month > 0 && month < 13 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
