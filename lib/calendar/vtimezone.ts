// VTIMEZONE (RFC 5545 section 3.6.5): lets readers turn the local times of a feed into instants. Yearly changes are
// written as rules, for all years to come; earlier and irregular changes are listed. All changes are read from Intl,
// like our own local times: a library of zones (timezones-ical-library 2.3.2) differed from Node in 23 zones and
// covers only the present.

import { type Day, dayNumberOf, describeDay, weekdayOf } from './day.ts'
import { daysOfPeriod } from './period-days.ts'
import { parseRule, WEEKDAYS } from '../shared/recurrence-rule.ts'
import { readRecurrence } from './recurrence.ts'
import { type Change, compactTime, DAY_MS, findChanges, openClock } from '../shared/wall-clock.ts'

interface Times {
  readonly start_time: string
  readonly date_modified: string
}

/** Years of listed changes for a zone without rules: Intl knows those of Morocco up to 2087. */
const LISTED_YEARS = 100
/** The years for a calendar without entries. */
const NO_ENTRIES = { first: 2020, last: 2020 }

/** The lines of a zone, valid from the year before the first entry. */
export function buildTimeZone(timeZone: string, entries: readonly Times[]): string {
  const { first, last } = entries.length === 0 ? NO_ENTRIES : yearsOf(entries)
  const changes = findChanges(timeZone, { first, last: last + RULE_YEARS })
  const yearly = findYearlyChanges(changes.filter((change) => yearOfChange(change) > last)) ?? []
  const ruled = yearly.length === 0 ? undefined : firstRuledYear(changes, { yearly, first, last })

  const listed =
    ruled === undefined
      ? findChanges(timeZone, { first, last: last + LISTED_YEARS })
      : changes.filter((change) => yearOfChange(change) < ruled)
  return [
    contentLine('BEGIN', 'VTIMEZONE'),
    contentLine('TZID', timeZone),
    // If rules cover all years, earlier observances concern no entry.
    ruled === first ? '' : buildObservance(beginningOf(timeZone, first)),
    ...listed.map((change) => buildObservance(change)),
    ...yearly.map((item) => buildYearly(item, ruled ?? last)),
    contentLine('END', 'VTIMEZONE'),
  ].join('')
}

interface Years {
  readonly first: number
  readonly last: number
}

/**
 * Zones change only in these years: earlier clocks kept local mean time, later only rules are known. Searching for
 * changes takes 1 ms per year.
 */
const FIRST_CHANGE = 1840
const LAST_CHANGE = 2100

/** From the year before the first entry to the year of the last entry, or of the last modification. */
function yearsOf(entries: readonly Times[]): Years {
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const { start_time, date_modified } of entries) {
    const year = Number(start_time.slice(0, 4))
    first = Math.min(first, year - 1)
    last = Math.max(last, year, Number(date_modified.slice(0, 4)))
  }
  const inRange = (year: number): number => Math.min(Math.max(year, FIRST_CHANGE), LAST_CHANGE)
  return { first: inRange(first), last: inRange(last) }
}

/** The first year from which the rules cover every change. */
function firstRuledYear(
  changes: readonly Change[],
  { yearly, first, last }: Years & { readonly yearly: readonly YearlyChange[] },
): number {
  const isCovered = (year: number): boolean =>
    isSame(
      yearly.flatMap((item) => expandYearly(item, year)),
      changes.filter((change) => yearOfChange(change) === year),
    )
  let year = last + 1
  while (year > first && isCovered(year - 1)) year -= 1
  return year
}

/** The offset at the beginning of a year, as a change to the same offset. */
function beginningOf(timeZone: string, year: number): Change {
  const ms = new Date(0).setUTCFullYear(year, 0, 1)
  const offsetMs = openClock(timeZone).wallOf(ms) - ms
  return { ms, fromMs: offsetMs, toMs: offsetMs }
}

function buildYearly(yearly: YearlyChange, fromYear: number): string {
  for (let year = fromYear; year <= fromYear + RULE_YEARS; year += 1) {
    const [change] = expandYearly(yearly, year)
    if (change !== undefined) return buildObservance(change, yearly.rrule)
  }
  return ''
}

function buildObservance(change: Change, rrule?: string): string {
  const { fromMs, toMs } = change
  const name = toMs > fromMs ? 'DAYLIGHT' : 'STANDARD'
  return [
    contentLine('BEGIN', name),
    contentLine('DTSTART', compactTime(wallOfChange(change))),
    rrule === undefined ? '' : contentLine('RRULE', rrule),
    contentLine('TZOFFSETFROM', offsetText(fromMs)),
    contentLine('TZOFFSETTO', offsetText(toMs)),
    contentLine('END', name),
  ].join('')
}

/** `+0200`, with seconds if local mean time has them. */
function offsetText(offsetMs: number): string {
  const text = new Date(Math.abs(offsetMs)).toISOString().slice(11, 19).replaceAll(':', '')
  return `${offsetMs < 0 ? '-' : '+'}${text.replace(/00$/, '')}`
}

/**
 * Clock changes as rules for all years to come, derived from the changes of 28 years, in which each date falls on
 * each weekday. A rule is accepted if it gives exactly these changes. Zones whose changes follow the moon, like
 * Morocco's, have none.
 */
const RULE_YEARS = 28

/** A change at the same time of day every year. */
interface YearlyChange {
  readonly rrule: string
  readonly fromMs: number
  readonly toMs: number
  readonly timeMs: number
}

/** The wall time at the change, as if the clock had not changed. */
function wallOfChange({ ms, fromMs }: Change): number {
  return ms + fromMs
}

function yearOfChange(change: Change): number {
  return describeDay(dayNumberOf(wallOfChange(change))).year
}

/** Expects the changes of `RULE_YEARS` years; undefined if rules do not describe them. */
function findYearlyChanges(changes: readonly Change[]): readonly YearlyChange[] | undefined {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const { fromMs, toMs } = change
    const { month } = describeDay(dayNumberOf(wallOfChange(change)))
    const key = [fromMs, toMs, timeOf(change), month].join()
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  const found = [...groups.values()].map(findYearly)
  const yearly = found.filter((item) => item !== undefined)
  const years = [...new Set(changes.map(yearOfChange))]
  const isWhole = yearly.length === found.length && years.every((year) => isCovered(year))
  return isWhole ? yearly : undefined

  function isCovered(year: number): boolean {
    return isSame(
      yearly.flatMap((item) => expandYearly(item, year)),
      changes.filter((change) => yearOfChange(change) === year),
    )
  }
}

/** The changes that a rule gives in a year. */
function expandYearly(
  { rrule, fromMs, toMs, timeMs }: YearlyChange,
  year: number,
): readonly Change[] {
  const rule = readRecurrence(parseRule(rrule), 0)
  return daysOfPeriod(rule, year).days.map((day) => {
    return { ms: day * DAY_MS + timeMs - fromMs, fromMs, toMs }
  })
}

/** Whether both lists contain the same changes, in any order. */
function isSame(left: readonly Change[], right: readonly Change[]): boolean {
  const show = (changes: readonly Change[]): string =>
    changes
      .map(({ ms, fromMs, toMs }) => `${ms} ${fromMs} ${toMs}`)
      .toSorted()
      .join()
  return show(left) === show(right)
}

function timeOf(change: Change): number {
  return wallOfChange(change) - dayNumberOf(wallOfChange(change)) * DAY_MS
}

/** Expects changes in the same month of different years, at the same time of day. */
function findYearly(changes: readonly Change[]): YearlyChange | undefined {
  const days = changes.map((change) => describeDay(dayNumberOf(wallOfChange(change))))
  const [first] = changes
  const rule = first && findDays(days)
  if (first === undefined || rule === undefined) return undefined
  const { fromMs, toMs } = first
  return {
    rrule: `FREQ=YEARLY;BYMONTH=${days[0]?.month};${rule}`,
    fromMs,
    toMs,
    timeMs: timeOf(first),
  }
}

function findDays(days: readonly Day[]): string | undefined {
  const dates = days.map(({ ofMonth }) => ofMonth)
  const [least, most] = [Math.min(...dates), Math.max(...dates)]
  const weekdays = new Set(days.map(({ number }) => WEEKDAYS[weekdayOf(number)]))
  if (weekdays.size > 1) return least === most ? `BYMONTHDAY=${least}` : undefined
  if (most - least > 6) return undefined
  const [weekday] = weekdays
  if (most - least === 6 && most === days[0]?.monthLength) return `BYDAY=-1${weekday}`
  if (most - least === 6 && most % 7 === 0) return `BYDAY=${most / 7}${weekday}`
  const listed = Array.from({ length: most - least + 1 }, (_, index) => least + index)
  return `BYMONTHDAY=${listed.join()};BYDAY=${weekday}`
}

const MAX_BYTES = 75

/**
 * Returns one property as a content line of iCalendar (RFC 5545 sections 3.1 and 3.3.11) with its line ending. Lines of
 * more than 75 bytes of UTF-8 are folded with a line break and a space, never within a character. The value is not escaped.
 */
export function contentLine(name: string, value: string): string {
  return `${fold(`${name}:${value}`)}\r\n`
}

/** A property with free text: separators and line ends are escaped, control characters removed. */
export function textLine(name: string, value: string): string {
  return contentLine(name, escapeText(value))
}

function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n]/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

function fold(line: string): string {
  const bytes = Buffer.from(line)
  if (bytes.length <= MAX_BYTES) return line

  const pieces: string[] = []
  let from = 0
  while (from < bytes.length) {
    // The space at the beginning of a continuation counts too.
    const to = endOfCharacter(bytes, from + MAX_BYTES - (from === 0 ? 0 : 1))
    pieces.push(bytes.toString('utf8', from, to))
    from = to
  }
  return pieces.join('\r\n ')
}

/** The last character boundary at or before this place, at most the end. */
function endOfCharacter(bytes: Buffer, place: number): number {
  let to = Math.min(place, bytes.length)
  while (((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
  return to
}
