// The occurrences of an entry within a period.

import type { EntryTimes, TimedEntry } from './entry.ts'
import { openExpansionBudget, type ExpansionBudget } from './expansion-budget.ts'
import { type Span, spanOf } from './span.ts'
import { type Start, startsOf } from './starts.ts'
import { type Clock, DAY_MS, openClock, startOfDay } from '../shared/wall-clock.ts'

export interface Window {
  readonly fromMs: number
  readonly toMs: number
  /** Leaves out occurrences that start earlier, even if they last into the window. */
  readonly startsFromMs?: number | undefined
}

export interface Occurrence {
  readonly startMs: number
  /** RFC 3339 in UTC with milliseconds. */
  readonly start: string
  readonly end: string | null
}

interface Expansion {
  readonly entry: EntryTimes
  readonly clock: Clock
  readonly budget: ExpansionBudget
}

/**
 * The occurrences that overlap the window, earliest first: an occurrence that began before the window and lasts into
 * it counts, an occurrence that ends where the window begins does not. The entry's start is always the first
 * occurrence (RFC 5545 section 3.8.5.3), even if the rule does not match it.
 */
export function* occurrencesOf(
  { entry, clock, budget }: Expansion,
  window: Window,
): Generator<Occurrence> {
  const span = spanOf(entry, clock)
  for (const start of allStarts({ span, clock, budget, window })) {
    if (start.ms >= window.toMs) return
    const times = findTimes({ span, start, clock, entryStartMs: Date.parse(entry.start_time) })
    if (!overlaps(times, window)) continue
    const end = entry.end_time === null ? null : iso(times.endMs)
    yield { startMs: times.startMs, start: iso(times.startMs), end }
  }
}

interface WindowOfSpan {
  readonly span: Span
  readonly clock: Clock
  readonly budget: ExpansionBudget
  readonly window: Window
}

/** All starts that can overlap the window, and some around them, without the excluded ones. */
function* allStarts(input: WindowOfSpan): Generator<Start> {
  const { span, clock, budget, window } = input
  const { fromMs, toMs, startsFromMs = Number.NEGATIVE_INFINITY } = window
  const first = firstWall({ span, clock }, Math.max(fromMs - span.lengthMs, startsFromMs))
  const range = { first, last: toMs + DAY_MS }

  budget.spend(ENTRY_STEPS + span.excluded.size + span.added.length)
  for (const start of withAdded(ruleStarts(input, range), addedStarts(input, range)))
    if (!span.excluded.has(span.isAllDay ? start.wall : start.ms)) yield start
}

interface WallRange {
  readonly first: number
  readonly last: number
}

function* ruleStarts({ span, clock, budget }: WindowOfSpan, range: WallRange): Generator<Start> {
  if (range.first <= span.startWall) yield { wall: span.startWall, ms: span.startMs }
  yield* startsOf({ span, clock, budget }, range)
}

function addedStarts({ span, clock }: WindowOfSpan, { first, last }: WallRange): readonly Start[] {
  const { added, isAllDay } = span
  const starts = added.map((time) =>
    isAllDay ? { wall: time, ms: clock.instantOf(time) } : { wall: clock.wallOf(time), ms: time },
  )
  return starts.filter(({ wall }) => wall >= first && wall <= last)
}

/** Merges two ascending lists; a start that is in both is one occurrence. */
function* withAdded(starts: Iterable<Start>, added: readonly Start[]): Generator<Start> {
  let next = 0
  for (const start of starts) {
    for (let more = added[next]; more !== undefined && more.ms <= start.ms; more = added[next]) {
      if (more.ms < start.ms) yield more
      next += 1
    }
    yield start
  }
  yield* added.slice(next)
}

/** The cost of reading an entry's rule. */
const ENTRY_STEPS = 20

/** A lower bound for the wall times of starts at or after this instant. */
function firstWall({ span, clock }: Pick<WindowOfSpan, 'span' | 'clock'>, ms: number): number {
  const wall = clock.wallOf(ms)
  // Clock changes and days skipped by the clock shift wall times, and whole days have no exact time.
  const isExact = !span.isAllDay && clock.isStable(startOfDay(wall))
  return isExact ? wall - 1_000 : wall - 3 * DAY_MS
}

interface StartOfEntry {
  readonly span: Span
  readonly start: Start
  readonly clock: Clock
  readonly entryStartMs: number
}

interface Times {
  readonly startMs: number
  readonly endMs: number
}

function findTimes({ span, start, clock, entryStartMs }: StartOfEntry): Times {
  const { wall, ms } = start
  if (span.isAllDay) return { startMs: ms, endMs: clock.instantOf(wall + span.lengthMs) }
  const startMs = ms + (entryStartMs - span.startMs)
  return { startMs, endMs: startMs + span.lengthMs }
}

function overlaps({ startMs, endMs }: Times, { fromMs, toMs, startsFromMs }: Window): boolean {
  if (startsFromMs !== undefined && startMs < startsFromMs) return false
  return startMs < toMs && (endMs > fromMs || startMs >= fromMs)
}

const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Clamps to the range of RFC 3339: an occurrence may end later, or begin earlier in its zone. */
function iso(ms: number): string {
  return new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString()
}

export interface ExpandEntries {
  readonly entries: readonly TimedEntry[]
  readonly timeZone: string
  readonly window: { readonly fromMs: number; readonly toMs: number }
  /** Returns only occurrences after this one, in the order of start and entry. */
  readonly after?: { readonly start: string; readonly entryId: number } | undefined
  /** Returns only the earliest occurrence of each entry. */
  readonly isOncePerEntry?: boolean
  readonly limit: number
  /** Steps of work: see expansion-budget.ts. */
  readonly maxSteps: number
  /** Shared memory: a number other than 0 stops the work. */
  readonly stop?: Int32Array | undefined
}

export interface ExpandedEntry {
  readonly entryId: number
  readonly start: string
  readonly end: string | null
}

/** Pages of occurrences that are collected before sorting. */
const MANY_PAGES = 4

/**
 * Returns one page of the occurrences of many entries, ordered by start and entry. Throws too-large if the rules exceed the
 * budget, and unavailable if the work was stopped.
 */
export function expandEntries(input: ExpandEntries): readonly ExpandedEntry[] {
  const { entries, window, after, isOncePerEntry = false, limit } = input
  const clock = openClock(input.timeZone)
  const budget = openExpansionBudget(input)
  const startsFromMs = after && Date.parse(after.start)
  let found: ExpandedEntry[] = []
  let { toMs } = window
  for (const entry of entries) {
    const { calendar_entry_id: entryId } = entry
    budget.begin(entryId)
    let left = isOncePerEntry ? 1 : limit
    for (const item of occurrencesOf({ entry, clock, budget }, { ...window, toMs, startsFromMs })) {
      const place = { entryId, start: item.start, end: item.end }
      if (after !== undefined && inOrder(after, place) >= 0) continue
      found.push(place)
      left -= 1
      if (left === 0) break
    }
    if (found.length < MANY_PAGES * limit) continue
    // Occurrences after a full page cannot be on it, so they are neither searched nor kept.
    found = found.toSorted(inOrder).slice(0, limit)
    toMs = Math.min(toMs, Date.parse(found.at(-1)?.start ?? '') + 1)
  }
  return found.toSorted(inOrder).slice(0, limit)
}

type Place = Pick<ExpandedEntry, 'start' | 'entryId'>

function inOrder(left: Place, right: Place): number {
  if (left.start !== right.start) return left.start < right.start ? -1 : 1
  return left.entryId - right.entryId
}
