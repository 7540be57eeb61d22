// VTIMEZONE (RFC 5545 section 3.6.5): how readers turn the local times of a feed into instants. The
// library has the short form, with a rule for each of the two changes of a year, which all readers
// understand. It is true of the present only, and its edition of the IANA database may differ from
// the one in Node, from which our local times come (23 zones did so on Node 20.20: Vancouver,
// Casablanca, Cairo). Where it is not true for the years of a feed, each change is listed.

import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library'
import { contentLine } from './content-line.ts'
import { compactTime, DAY_MS } from './wall-clock.ts'

/** A change of the offset from UTC, at a time of the clock before it. */
interface Change {
  readonly wall: number
  readonly from: string
  readonly to: string
}

interface Years {
  readonly fromMs: number
  readonly toMs: number
}

interface Times {
  readonly start_time: string
  readonly date_modified: string
}

const YEAR_MS = 366 * DAY_MS
const YEARS_AHEAD = 10

const LIBRARY_ZONES: ReadonlySet<string> = new Set(tzlib_get_timezones())

/** The lines of a zone, for the years of these entries and ten more. */
export function buildTimeZone(timeZone: string, entries: readonly Times[]): string {
  const years = yearsOf(entries)
  const changes = findChanges(timeZone, years)
  const block = libraryBlock(timeZone)
  const hasTrueBlock = entries.length === 0 || isTrue(block, changes, years)
  if (block !== '' && hasTrueBlock) return block

  return [
    contentLine('BEGIN', 'VTIMEZONE'),
    contentLine('TZID', timeZone),
    ...changes.map(buildObservance),
    contentLine('END', 'VTIMEZONE'),
  ].join('')
}

function yearsOf(entries: readonly Times[]): Years {
  let fromMs = Number.POSITIVE_INFINITY
  let toMs = Number.NEGATIVE_INFINITY
  for (const { start_time, date_modified } of entries) {
    fromMs = Math.min(fromMs, Date.parse(start_time))
    toMs = Math.max(toMs, Date.parse(start_time), Date.parse(date_modified))
  }

  if (entries.length === 0) return { fromMs: 0, toMs: 0 }
  return { fromMs: fromMs - YEAR_MS, toMs: toMs + YEARS_AHEAD * YEAR_MS }
}

/** All changes of these years; before them the offset at their beginning, as a change to itself. */
function findChanges(timeZone: string, { fromMs, toMs }: Years): readonly Change[] {
  const start = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone)
  const offset = offsetOf(start)
  const changes = [{ wall: wallBefore(start), from: offset, to: offset }]

  let next = start.getTimeZoneTransition('next')
  while (next !== null && next.epochMilliseconds <= toMs) {
    const before = next.subtract({ nanoseconds: 1 })
    changes.push({ wall: wallBefore(next), from: offsetOf(before), to: offsetOf(next) })
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** What the clock would have shown at this moment without a change. */
function wallBefore(time: Temporal.ZonedDateTime): number {
  const before = time.subtract({ nanoseconds: 1 })
  return time.epochMilliseconds + Math.round(before.offsetNanoseconds / 1e6)
}

/** `+0200`, with seconds where local mean time has them. */
function offsetOf({ offset }: Temporal.ZonedDateTime): string {
  return offset.replaceAll(':', '')
}

function buildObservance({ wall, from, to }: Change): string {
  const name = Number(to) > Number(from) ? 'DAYLIGHT' : 'STANDARD'
  return [
    contentLine('BEGIN', name),
    contentLine('DTSTART', compactTime(wall)),
    contentLine('TZOFFSETFROM', from),
    contentLine('TZOFFSETTO', to),
    contentLine('END', name),
  ].join('')
}

/** Under the name of the feed, for the library answers with the main name of a zone. Else empty. */
function libraryBlock(timeZone: string): string {
  if (!LIBRARY_ZONES.has(timeZone)) return ''
  const [block = ''] = tzlib_get_ical_block(timeZone)
  return `${block.replace(/^(TZID|X-LIC-LOCATION):.*$/gm, `$1:${timeZone}`)}\r\n`
}

const OBSERVANCE =
  /TZOFFSETFROM:(\S+)\r\nTZOFFSETTO:(\S+)\r\nDTSTART:(\S+)\r\n(?:RRULE:(\S+)\r\n)?/g

/** Whether a block of the library says the same of these years. */
function isTrue(block: string, changes: readonly Change[], { fromMs, toMs }: Years): boolean {
  const said = [...block.matchAll(OBSERVANCE)].flatMap(([, from = '', to = '', start, rule]) => {
    if (rule === undefined) return [{ wall: Number.NEGATIVE_INFINITY, from: to, to }]
    const yearly = new RRuleTemporal({ rruleString: `DTSTART:${start}Z\nRRULE:${rule}` })
    const walls = yearly.between(new Date(fromMs - YEAR_MS), new Date(toMs + DAY_MS), true)
    return walls.map(({ epochMilliseconds }) => ({ wall: epochMilliseconds, from, to }))
  })
  const inOrder = said.toSorted((a, b) => a.wall - b.wall)

  const [initial, ...later] = changes
  const first = inOrder.findLast(({ wall }) => initial !== undefined && wall <= initial.wall)
  const rest = inOrder.filter(({ wall }) => initial !== undefined && wall > initial.wall)
  return first?.to === initial?.to && showChanges(rest) === showChanges(later)
}

function showChanges(changes: readonly Change[]): string {
  return changes.map(({ wall, from, to }) => `${compactTime(wall)} ${from} ${to}`).join('\n')
}
