// Dates as clients give them → one form, UTC with milliseconds.
//
//   2026-01-31T12:00:00+01:00   RFC 3339
//   2026-01-31                  a day: its first instant
//   "20260131"                  eight digits, a day: YYYYMMDD
//   "20260131120000"            fourteen digits, a time in UTC: YYYYMMDDhhmmss
//   "1769860800", 1769860800    seconds since 1970: a number, or a text of nine to eleven digits
//
// Every other text of digits is refused: which of these it means cannot be told. So is a number of eight
// digits that reads as a day: as seconds it would be a day in 1970.
//
// A day (parseDay) is the day as written: no offset moves it, and a time needs none. Only seconds since
// 1970 name no day; they give the day in UTC.

const RFC3339 =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/
const DAY_DIGITS = /^(\d{4})(\d{2})(\d{2})$/
const TIME_DIGITS = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/
const SECONDS = /^-?\d{9,11}$/

/** The time behind a written day. Its offset may be left out: a day does not depend on it. */
const TIME_OF_DAY =
  /^(?:[Tt ]((?:[01]\d|2[0-3]):\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?)?$/

const FIRST_MS = -62_167_219_200_000
const END_MS = 253_402_300_800_000

/** UTC with milliseconds, from the year 0000 to 9999; undefined when it is no date. */
export function parseDate(value: unknown): string | undefined {
  const time = toTime(value)
  const isInRange = time !== undefined && time.getTime() >= FIRST_MS && time.getTime() < END_MS
  return isInRange ? time.toISOString() : undefined
}

/** The calendar day that a value names, YYYY-MM-DD; undefined when it names none. */
export function parseDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || SECONDS.test(value)) return parseDate(value)?.slice(0, 10)
  const written = spellOutDigits(value)
  const day = written.slice(0, 10)
  const time = TIME_OF_DAY.exec(written.slice(10))
  if (time === null || parseDate(day) === undefined) return undefined
  // Minutes, seconds and offset must exist, on whichever day.
  const [, clock = '00:00', seconds = ':00', offset = 'Z'] = time
  return parseDate(`2000-01-01T${clock}${seconds}${offset}`) === undefined ? undefined : day
}

/** A date-time as the clock beside it shows it, as if in UTC: its offset moves nothing. Undefined when it is no date. */
export function writtenTime(value: unknown): string | undefined {
  return parseDate(typeof value === 'string' ? value.replace(OFFSET, 'Z') : value)
}

const OFFSET = /[+-]\d{2}:\d{2}$/

/** The day of a value that names one and no time of day, YYYY-MM-DD; else undefined. */
export function dayAlone(value: string): string | undefined {
  return /^(?:\d{4}-\d{2}-\d{2}|\d{8})$/.test(value) ? parseDay(value) : undefined
}

/** Why a value that looks like a date-time is none; empty when the reason cannot be told. */
export function dateHint(value: unknown): string {
  // Without an offset a time of day names no moment.
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[Tt ](?!24)[\d:.]+$/.test(value.trim()))
    return '; this one has no offset: end it with Z for UTC, or with one like +02:00'
  return dayHint(value)
}

/** The same for a day, which needs no offset. */
export function dayHint(value: unknown): string {
  if (typeof value === 'number' && isDayNumber(value)) {
    const day = String(value).replace(DAY_DIGITS, '$1-$2-$3')
    return `; ${value} may be a day or seconds since 1970: send a day as "${day}"`
  }
  if (typeof value !== 'string') return ''
  if (/^-?\d+$/.test(value)) {
    return '; digits are a day (YYYYMMDD), a time (YYYYMMDDhhmmss), or nine to eleven of them seconds since 1970'
  }
  return /^\d{4}-\d{2}-\d{2}[Tt ]24:/.test(value)
    ? '; hours go from 00 to 23: the end of a day is 00:00:00 of the next one'
    : ''
}

function toTime(value: unknown): Date | undefined {
  if (typeof value === 'number') return isDayNumber(value) ? undefined : atSecond(value)
  if (typeof value !== 'string') return undefined
  if (SECONDS.test(value)) return new Date(Number(value) * 1_000)
  return parseText(spellOutDigits(value))
}

/** To the millisecond: 1769860800.001 * 1000 is a little less than a whole number. */
function atSecond(seconds: number): Date {
  const isWhole = Number.isInteger(seconds)
  return new Date(isWhole ? seconds * 1_000 : Math.floor(Math.round(seconds * 1_000_000) / 1_000))
}

function spellOutDigits(value: string): string {
  return value.replace(DAY_DIGITS, '$1-$2-$3').replace(TIME_DIGITS, '$1-$2-$3T$4:$5:$6Z')
}

function isDayNumber(value: number): boolean {
  return DAY_DIGITS.test(String(value)) && toTime(String(value)) !== undefined
}

function parseText(value: string): Date | undefined {
  if (!RFC3339.test(value)) return undefined

  // Date.parse turns 30 February into March; the day must survive the round trip.
  const day = value.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day)
    return undefined

  const time = new Date(value.toUpperCase().replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? undefined : time
}
