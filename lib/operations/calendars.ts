// What only calendars have: the occurrences of their entries in a window of time, and the feed that
// calendar programs subscribe to. The expansion happens in a worker.

import type { CalendarEntry, FeedCalendar } from '../calendar/entry.ts'
import { CmsError } from '../errors.ts'
import { entryValue } from '../schema/entry.ts'
import { and, type Match } from '../schema/match.ts'
import type { JsonObject, Query, SearchField, Stored } from '../storage/port.ts'
import type { Context } from './context.ts'
import type { Module } from './module-cache.ts'

/** Work of the pool, so that neither the rules nor their packages load the main thread. */
export interface CalendarWork {
  expand(input: ExpandInput): Promise<readonly Expanded[]>
  feed(input: FeedInput): Promise<string>
}

export interface ExpandInput {
  readonly entries: readonly CalendarEntry[]
  readonly timeZone: string
  readonly window: TimeWindow
  readonly limit: number
}

export interface FeedInput {
  readonly calendar: FeedCalendar
  readonly entries: readonly CalendarEntry[]
}

export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

export interface Expanded {
  readonly entryId: number
  readonly start: string
  readonly end: string | null
}

/** Entries that may happen in the window: those that overlap it, and those that recur and began before its end. */
export function windowMatch({ entry }: Module, { fromMs, toMs }: TimeWindow): Match {
  const field = (name: string): SearchField => {
    const found = entry.object.searchable.get(name)
    if (found === undefined) throw new CmsError('internal', `Entries have no field ${name}.`)
    return found
  }
  const from = new Date(fromMs).toISOString()
  const to = new Date(toMs).toISOString()
  const overlaps: Match = {
    op: 'or',
    parts: [
      { op: 'exists', field: field('rrule') },
      { op: 'gte', field: field('end_time'), value: from },
      { op: 'gte', field: field('start_time'), value: from },
      { op: 'eq', field: field('all_day'), value: true },
    ],
  }
  return and({ op: 'lt', field: field('start_time'), value: to }, overlaps)
}

export interface OccurrenceInput {
  readonly module: Module
  readonly window: TimeWindow
  readonly query: Query
  readonly maxEntries: number
}

export interface OccurrencePage {
  /** An entry each, with the times of this occurrence. */
  readonly occurrences: readonly JsonObject[]
  readonly isComplete: boolean
}

/** The earliest occurrences in the window, at most `query.length`. */
export async function listOccurrences(
  context: Context,
  input: OccurrenceInput,
): Promise<OccurrencePage> {
  const { module, window, query } = input
  const match = and(query.match, windowMatch(module, window))
  const entries = await everyEntry(context, module, { match, maxEntries: input.maxEntries })
  const limit = query.length + 1
  const expanded = await context.calendarWork.expand({
    entries: entries as unknown as readonly CalendarEntry[],
    timeZone: module.record.time_zone ?? 'UTC',
    window,
    limit,
  })

  const byId = new Map(entries.map((entry) => [entry['calendar_entry_id'], entry]))
  const occurrences = expanded.slice(0, query.length).map(({ entryId, start, end }) => ({
    ...byId.get(entryId),
    start_time: start,
    end_time: end,
  }))
  return { occurrences, isComplete: expanded.length < limit }
}

/** The whole calendar as an iCalendar text. */
export async function buildFeed(
  context: Context,
  module: Module,
  maxEntries: number,
): Promise<string> {
  const entries = await everyEntry(context, module, { match: undefined, maxEntries })
  const { name, description, time_zone: timeZone } = module.record
  return context.calendarWork.feed({
    calendar: { calendar_id: module.id, name, description, time_zone: timeZone ?? 'UTC' },
    entries: entries as unknown as readonly CalendarEntry[],
  })
}

interface Wanted {
  readonly match: Match | undefined
  readonly maxEntries: number
}

const PAGE = 1_000

async function everyEntry(
  { records }: Context,
  { entry }: Module,
  { match, maxEntries }: Wanted,
): Promise<readonly JsonObject[]> {
  const found: Stored[] = []
  let cursor: string | undefined
  do {
    const query = { match, length: PAGE, cursor }
    const page = await records.search(entry.object.recordType, entry.object.searchable, query)
    found.push(...page.records)
    cursor = page.next
    if (found.length > maxEntries) {
      throw new CmsError(
        'too-large',
        `More than ${maxEntries} entries are concerned. Ask for a shorter time, or narrow it with qry.`,
      )
    }
  } while (cursor !== undefined)
  return found.map((stored) => entryValue(entry, stored))
}
