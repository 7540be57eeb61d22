// VTIMEZONE (RFC 5545 section 3.6.5): lets readers turn the local times of a feed into instants. Yearly changes are
// written as rules, for all years to come; earlier and irregular changes are listed. All changes are read from Intl,
// like our own local times: a library of zones (timezones-ical-library 2.3.2) differed from Node in 23 zones and
// covers only the present.

import { contentLine } from './content-line.ts'
import { type Change, compactTime, findChanges, openClock } from './wall-clock.ts'
import {
  expandYearly,
  findYearlyChanges,
  isSame,
  RULE_YEARS,
  wallOfChange,
  type YearlyChange,
  yearOfChange,
} from './zone-rules.ts'

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
