// Lists occurrences in a period, or the entries that have one there. An index first narrows the entries. A worker
// then decides which of them recur into the period, or are whole days in it by the calendar's clock.

import type { TimedEntry } from '../../calendar/entry.ts'
import { CmsError } from '../../base/errors.ts'
import { type EntryType, entryValue } from '../../schema/entry.ts'
import { and, type Match } from '../../schema/match.ts'
import type { JsonObject, SearchField, Stored } from '../../schema/values.ts'
import type { Query } from '../../storage/port.ts'
import type { Expanded, ExpandInput, TimeWindow } from './calendar-work.ts'
import { everyEntry } from './calendars.ts'
import type { Context } from '../context.ts'
import type { Module } from './module-cache.ts'
import { encodePosition, parsePosition, type Position } from './occurrence-cursor.ts'

export interface WindowInput {
  readonly module: Module
  readonly window: TimeWindow
  readonly query: Query
  readonly maxEntries: number
  /** Aborted when no client waits for the result. */
  readonly signal: AbortSignal
}

export interface OccurrencePage {
  /** One entry each, with the times of the occurrence. */
  readonly occurrences: readonly JsonObject[]
  /** Count over all pages; undefined unless this page holds all occurrences. */
  readonly total: number | undefined
  readonly next: string | undefined
  /** Number of entries examined. */
  readonly scanned: number
}

/** The occurrences in the period by start, at most `query.length`, from `query.cursor` on. */
export async function listOccurrences(
  context: Context,
  input: WindowInput,
): Promise<OccurrencePage> {
  const { module, window, query } = input
  const search = [module.id, window, query.asked ?? query.match ?? null]
  const pages = { search, timeZone: zoneOf(module) }
  const cursor = query.cursor === undefined ? undefined : context.cursors.decrypt(query.cursor)
  const after = cursor === undefined ? undefined : parsePosition(pages, cursor)
  const entries = await everyEntry(context, module, {
    match: and(query.match, windowMatch(module, window)),
    maxEntries: input.maxEntries,
    maxBytes: context.limits.maxCalendarBytes,
    map: (stored) => ({ stored, times: timesOf(module, stored) }),
    signal: input.signal,
  })
  const expanded = await expand(context, input, {
    entries: await withReplaced(
      context,
      input,
      entries.map(({ times }) => times),
    ),
    after,
    limit: query.length + 1,
  })

  const byId = new Map(entries.map((item) => [item.times.calendar_entry_id, item.stored]))
  const { limits } = context
  const shown = takePage(expanded, byId, { maxCount: query.length, ...limits, ...module.entry })
  const last = shown.length < expanded.length ? shown.at(-1)?.position : undefined
  return {
    occurrences: shown.map(({ stored, times }) => ({
      ...entryValue(module.entry, stored),
      ...times,
    })),
    total: last === undefined && after === undefined ? shown.length : undefined,
    next: last && context.cursors.encrypt(encodePosition(pages, last)),
    scanned: entries.length,
  }
}

interface Shown {
  readonly stored: Stored
  readonly times: { readonly start_time: string; readonly end_time: string | null }
  readonly position: Position
}

interface PageBounds {
  readonly maxCount: number
  readonly listBytes: number
  readonly fillBytes: EntryType['fillBytes']
}

/** A large entry may occur many times, so pages are also limited in bytes; each page has at least one occurrence. */
function takePage(
  expanded: readonly Expanded[],
  byId: ReadonlyMap<number, Stored>,
  { maxCount, listBytes, fillBytes }: PageBounds,
): readonly Shown[] {
  const shown: Shown[] = []
  let sizeBytes = 0
  for (const { entryId, start, end } of expanded) {
    const stored = byId.get(entryId)
    if (stored === undefined) continue
    sizeBytes += stored.sizeBytes + (fillBytes?.(stored) ?? 0)
    if (shown.length === maxCount || (shown.length > 0 && sizeBytes > listBytes)) return shown
    shown.push({
      stored,
      times: { start_time: start, end_time: end },
      position: { start, entryId },
    })
  }
  return shown
}

/** The query, narrowed to the entries that have an occurrence in the period. */
export async function queryInWindow(context: Context, input: WindowInput): Promise<Query> {
  const { module, window, query } = input
  const match = and(query.match, windowMatch(module, window))
  const entries = await everyEntry(context, module, {
    match: and(match, neededExpansion(module)),
    maxEntries: input.maxEntries,
    map: (stored) => timesOf(module, stored),
    signal: input.signal,
  })
  const times = await withReplaced(context, input, entries)
  const wanted = { entries: times, isOncePerEntry: true, limit: entries.length }
  const expanded = entries.length === 0 ? [] : await expand(context, input, wanted)

  const ids = new Set(expanded.map(({ entryId }) => entryId))
  const isWanted = (record: JsonObject): boolean =>
    isPlain(record) ? overlaps(record, window) : ids.has(Number(record['calendar_entry_id']))
  const asked = query.asked && and(query.asked, windowMatch(module, window))
  return { ...query, match, asked, isWanted }
}

/**
 * The series with the starts of the occurrences that other entries replace. Every replacement that the caller sees counts,
 * whatever the search selects.
 */
async function withReplaced(
  context: Context,
  { module, window, maxEntries, signal }: WindowInput,
  entries: readonly TimedEntry[],
): Promise<readonly TimedEntry[]> {
  const series = entries.filter(({ rrule }) => rrule !== null)
  if (series.length === 0) return entries
  const lengths = series.map(({ start_time: start, end_time: end }) =>
    end === null ? 0 : Date.parse(end) - Date.parse(start),
  )
  // The replaced occurrence may have begun before the window.
  const longestMs = lengths.reduce((longest, length) => Math.max(longest, length), 0)
  const id = fieldOf(module, 'recurrence_id')
  const match = and(
    module.filter,
    { op: 'exists', field: fieldOf(module, 'recurrence_of') },
    { op: 'gte', field: id, value: timeAt(window.fromMs - longestMs - DAYS_AROUND_MS) },
    { op: 'lt', field: id, value: timeAt(window.toMs + DAYS_AROUND_MS) },
  )
  const map = ({ value }: Stored): JsonObject => value
  const found = await everyEntry(context, module, { match, maxEntries, map, signal })
  const starts = new Map<number, string[]>()
  for (const { recurrence_of: of, recurrence_id: start } of found)
    starts.set(Number(of), [...(starts.get(Number(of)) ?? []), String(start)])
  return entries.map((entry) => {
    const replaced = entry.rrule === null ? undefined : starts.get(entry.calendar_entry_id)
    return replaced === undefined ? entry : { ...entry, replaced }
  })
}

type Wanted = Pick<ExpandInput, 'entries' | 'after' | 'isOncePerEntry' | 'limit'>

function expand(
  { calendarWork, limits }: Context,
  { module, window, signal }: WindowInput,
  wanted: Wanted,
): Promise<readonly Expanded[]> {
  const timeZone = zoneOf(module)
  const maxSteps = limits.maxCalendarSteps
  return calendarWork.expand({ timeZone, window, maxSteps, ...wanted }, signal)
}

function zoneOf({ record }: Module): string {
  return record.time_zone ?? 'UTC'
}

/** The entry happens once, at exact instants. */
function isPlain({ all_day: isAllDay, rrule }: JsonObject): boolean {
  return isAllDay !== true && (rrule ?? null) === null
}

function neededExpansion(module: Module): Match {
  const parts: readonly Match[] = [
    { op: 'exists', field: fieldOf(module, 'rrule') },
    { op: 'eq', field: fieldOf(module, 'all_day'), value: true },
  ]
  return { op: 'or', parts }
}

/** Same rule as lib/calendar/occurrences.ts: an entry that ends where the window begins does not overlap it. */
function overlaps(record: JsonObject, { fromMs, toMs }: TimeWindow): boolean {
  const startMs = Date.parse(String(record['start_time']))
  const end = record['end_time'] ?? null
  const endMs = end === null ? startMs : Date.parse(String(end))
  return startMs < toMs && (endMs > fromMs || startMs >= fromMs)
}

/** Whole days may differ from the stored instants by up to a day plus the zone's offset. */
const DAYS_AROUND_MS = 2 * 86_400_000

/** Entries that may happen in the window: those near the window, and recurring ones that began before its end. */
function windowMatch(module: Module, { fromMs, toMs }: TimeWindow): Match {
  const from = timeAt(fromMs - DAYS_AROUND_MS)
  const to = timeAt(toMs + DAYS_AROUND_MS)
  const parts: readonly Match[] = [
    { op: 'exists', field: fieldOf(module, 'rrule') },
    { op: 'gte', field: fieldOf(module, 'end_time'), value: from },
    { op: 'gte', field: fieldOf(module, 'start_time'), value: from },
  ]
  return and({ op: 'lt', field: fieldOf(module, 'start_time'), value: to }, { op: 'or', parts })
}

/** Clamps to the years 0000 to 9999: texts of other years do not sort by time. */
function timeAt(ms: number): string {
  const [first, last] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']
  if (ms < Date.parse(first)) return first
  return ms > Date.parse(last) ? last : new Date(ms).toISOString()
}

function fieldOf({ entry }: Module, name: string): SearchField {
  const found = entry.object.searchable.get(name)
  if (found === undefined) throw new CmsError('internal', `Entries have no field ${name}.`)
  return found
}

function timesOf({ entry }: Module, stored: Stored): TimedEntry {
  const value = entryValue(entry, stored) as JsonObject & TimedEntry
  const { calendar_entry_id, start_time, end_time, all_day, rrule, exdates, rdates } = value
  return { calendar_entry_id, start_time, end_time, all_day, rrule, exdates, rdates }
}
