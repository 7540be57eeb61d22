// When an entry happens within a window of time. A rule is expanded on the clock of the wall, as if
// that stood in UTC, where rrule-temporal answers most windows without walking up to them: in the
// time zones themselves it took up to 1.7 s for a window (COUNT=10000 at 02:30 in Berlin). Each
// wall time then becomes an instant. Its objects are not those of our Temporal: it gets text and dates.

import { RRuleTemporal } from 'rrule-temporal'
import type { EntryTimes } from './entry.ts'
import { buildRule, type RuleParts, withPart } from './rule.ts'
import { type Span, spanOf } from './span.ts'
import { type Clock, compactTime, DAY_MS, openClock } from './wall-clock.ts'

export interface Window {
  readonly fromMs: number
  readonly toMs: number
  /** What starts earlier is left out, though it lasts into the window. */
  readonly startsFromMs?: number | undefined
}

export interface Occurrence {
  /** RFC 3339 in UTC with milliseconds. */
  readonly start: string
  readonly end: string | null
}

// Rules without COUNT are asked piece by piece: a first month, then twice as much each time. A piece
// of 5 years keeps the slowest ones (days chosen by month, expanded one by one) under 30 ms.
const FIRST_PIECE_MS = 31 * DAY_MS
const MAX_PIECE_MS = 5 * 366 * DAY_MS
const MAX_WINDOW_MS = 50 * 366 * DAY_MS

// Rules with COUNT are counted from their start, so they are followed for 100 years from there.
const MAX_COUNTED_MS = 100 * 365 * DAY_MS
const MAX_ITERATIONS = 40_000

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/**
 * The occurrences that overlap the window, the earliest first: what began before it and lasts into it
 * counts, what ends where it begins does not. The start of the entry is always the first occurrence
 * (RFC 5545 section 3.8.5.3), whether the rule meets it or not; local times that a change of the
 * clock skips are left out. Looks at most 50 years ahead.
 */
export function occurrencesOf(
  entry: EntryTimes,
  timeZone: string,
  window: Window,
  limit: number,
): readonly Occurrence[] {
  const clock = openClock(timeZone)
  const span = spanOf(entry, clock)
  const entryStartMs = Date.parse(entry.start_time)
  const found: Occurrence[] = []

  for (const wall of wallStarts(span, clock, window)) {
    if (found.length >= limit) break
    const times = findTimes({ span, wall, clock, entryStartMs })
    if (times === undefined || !overlaps(times, window)) continue
    found.push({
      start: iso(times.startMs),
      end: entry.end_time === null ? null : iso(times.endMs),
    })
  }

  return found
}

/** Both ends are part of it. */
interface WallRange {
  readonly first: number
  readonly last: number
}

/** The wall times of all starts that can matter for the window, and some around them. */
function* wallStarts(span: Span, clock: Clock, window: Window): Generator<number> {
  const { fromMs, toMs, startsFromMs = Number.NEGATIVE_INFINITY } = window
  // Wall times are less than a day away from UTC.
  const first = Math.max(fromMs - span.lengthMs - DAY_MS, startsFromMs - DAY_MS, span.startWall)
  const last = Math.min(toMs + DAY_MS, Math.max(fromMs, span.startWall) + MAX_WINDOW_MS)

  if (first <= span.startWall) yield span.startWall
  const range = { first: Math.max(first, span.startWall + 1_000), last }
  if (span.rule?.has('COUNT')) yield* countedStarts(span, clock, range)
  else if (span.rule !== undefined) yield* startsByPieces(openRule(span, span.rule), range)
}

function* startsByPieces(rule: RRuleTemporal, { first, last }: WallRange): Generator<number> {
  let from = first
  for (let size = FIRST_PIECE_MS; from <= last; size = Math.min(2 * size, MAX_PIECE_MS)) {
    yield* startsBetween(rule, { first: from, last: Math.min(from + size - 1_000, last) })
    from += size
  }
}

/**
 * The start of the entry is the first of COUNT, but the library counts only what the rule meets; and it
 * counts the times that a change of the clock skips, which RFC 5545 section 3.3.10 does not.
 */
function countedStarts(span: Span, clock: Clock, { first, last }: WallRange): readonly number[] {
  const parts = span.rule ?? new Map()
  const start = { first: span.startWall, last: span.startWall }
  const isMet = startsBetween(openRule(span, parts), start).length > 0
  const count = Number(parts.get('COUNT')) - (isMet ? 0 : 1)
  if (count === 0) return []

  const end = Math.min(last, span.startWall + MAX_COUNTED_MS)
  const openCounted = (more: number): RRuleTemporal =>
    openRule(span, withPart(parts, 'COUNT', String(count + more)))
  if (span.isAllDay || clock.timeZone === 'UTC')
    return startsBetween(openCounted(0), { first, last: end })

  // As many more as were skipped; those may be skipped in turn.
  for (let skipped = 0; ; ) {
    const starts = startsBetween(openCounted(skipped), { first: span.startWall, last: end })
    const shown = starts.filter((wall) => isShown(wall, clock))
    if (starts.length - shown.length <= skipped) return shown.filter((wall) => wall >= first)
    skipped = starts.length - shown.length
  }
}

/** False for a time that the clock skips on that day. */
function isShown(wall: number, clock: Clock): boolean {
  return clock.wallOf(clock.instantOf(wall)) === wall
}

function openRule({ startWall, untilWall }: Span, parts: RuleParts): RRuleTemporal {
  const until = untilWall === undefined ? undefined : `${compactTime(untilWall)}Z`
  const ofWeeks = withWeekday(parts, startWall)
  const rule = buildRule(until === undefined ? ofWeeks : withPart(ofWeeks, 'UNTIL', until))
  return new RRuleTemporal({
    rruleString: `DTSTART:${compactTime(startWall)}Z\nRRULE:${rule}`,
    maxIterations: MAX_ITERATIONS,
    cache: false,
  })
}

/** Weeks without days have that of the start (RFC 5545 section 3.3.10); rrule-temporal 2.2.7 takes another one. */
function withWeekday(parts: RuleParts, startWall: number): RuleParts {
  const isAlone = parts.has('BYWEEKNO') && !parts.has('BYDAY')
  return isAlone ? withPart(parts, 'BYDAY', WEEKDAYS[new Date(startWall).getUTCDay()] ?? '') : parts
}

function startsBetween(rule: RRuleTemporal, { first, last }: WallRange): readonly number[] {
  if (first > last) return []
  const found = rule.between(new Date(first), new Date(last), true)
  return found.map(({ epochMilliseconds }) => epochMilliseconds)
}

interface WallStart {
  readonly span: Span
  readonly wall: number
  readonly clock: Clock
  readonly entryStartMs: number
}

interface Times {
  readonly startMs: number
  readonly endMs: number
}

function findTimes({ span, wall, clock, entryStartMs }: WallStart): Times | undefined {
  const startMs = clock.instantOf(wall)
  if (span.isAllDay) return { startMs, endMs: clock.instantOf(wall + span.lengthMs) }
  if (wall === span.startWall) return { startMs: entryStartMs, endMs: entryStartMs + span.lengthMs }

  // A time that the clock skips on that day: RFC 5545 section 3.3.10.
  if (clock.wallOf(startMs) !== wall) return undefined

  const exactMs = startMs + (entryStartMs - Math.floor(entryStartMs / 1_000) * 1_000)
  return { startMs: exactMs, endMs: exactMs + span.lengthMs }
}

function overlaps({ startMs, endMs }: Times, { fromMs, toMs, startsFromMs }: Window): boolean {
  if (startsFromMs !== undefined && startMs < startsFromMs) return false
  return startMs < toMs && (endMs > fromMs || startMs >= fromMs)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
