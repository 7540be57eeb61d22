// Operations of calendars only: the feed that calendar programs subscribe to, and reading the entries for feeds and
// occurrences. Rules are expanded in a worker.

import type { CalendarEntry } from '../../calendar/entry.ts'
import { beginningOfDay } from '../../calendar/span.ts'
import { CmsError, requestEnded } from '../../base/errors.ts'
import { dayAlone, parseDate } from '../../schema/date.ts'
import { entryValue } from '../../schema/entry.ts'
import type { Match } from '../../schema/match.ts'
import type { Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { mapInSlices, nextSlice } from '../../schema/time-slicing.ts'
import type { Module } from './module-cache.ts'

export interface FeedOptions {
  readonly module: Module
  readonly maxEntries: number
  /** Aborted when no client waits for the result. */
  readonly signal: AbortSignal
}

/** The whole calendar as an iCalendar text. */
export async function buildFeed(
  context: Context,
  { module, maxEntries, signal }: FeedOptions,
): Promise<string> {
  const maxBytes = context.limits.maxCalendarBytes
  const map = (stored: Stored): CalendarEntry => feedEntryOf(module, stored)
  const options = { match: module.filter, maxEntries, maxBytes, map, signal }
  const entries = await everyEntry(context, module, options)
  const { name, description, time_zone: timeZone } = module.record
  const calendar = {
    site_id: context.records.siteId(),
    calendar_id: module.id,
    name,
    description,
    time_zone: timeZone ?? 'UTC',
  }
  return context.calendarWork.feed({ calendar, entries }, signal)
}

/** Fields that may be missing for readers without a key. */
const NOT_SHOWN = { location: null, description: null }

/** Leaves out the columns, which a feed does not show. */
function feedEntryOf({ entry }: Module, stored: Stored): CalendarEntry {
  const value = entryValue(entry, stored)
  const names = Object.keys(value).filter((name) => entry.baseNames.has(name))
  const shown = Object.fromEntries(names.map((name) => [name, value[name]]))
  return { ...NOT_SHOWN, ...shown } as unknown as CalendarEntry
}

/** The instant given by a parameter: a day without a time begins in the calendar's zone. */
export function instantOf({ record }: Module, given: string): number | undefined {
  const day = dayAlone(given)
  if (day !== undefined) return beginningOfDay(day, record.time_zone ?? 'UTC')
  const date = parseDate(given)
  return date === undefined ? undefined : Date.parse(date)
}

export interface EveryEntry<T> {
  readonly match: Match | undefined
  readonly maxEntries: number
  /** Limit of the stored bytes of all entries, if `map` keeps them in memory. */
  readonly maxBytes?: number
  readonly map: (stored: Stored) => T
  readonly signal: AbortSignal
}

const PAGE = 1_000

/** Every entry that matches, by identifier; throws too-large if a limit is exceeded. */
export async function everyEntry<T>(
  { records }: Context,
  { entry }: Module,
  { match, maxEntries, maxBytes = Number.POSITIVE_INFINITY, map, signal }: EveryEntry<T>,
): Promise<readonly T[]> {
  const found: T[] = []
  let sizeBytes = 0
  let cursor: string | undefined
  do {
    const query = { match, length: PAGE, cursor, orderBy: null }
    const page = await records.search(entry.object.recordType, entry.object.searchable, query)
    cursor = page.next
    for (const stored of page.records) sizeBytes += stored.sizeBytes
    if (found.length + page.records.length > maxEntries)
      throw tooLarge(`More than ${maxEntries} entries`)
    if (sizeBytes > maxBytes) throw tooLarge(`Entries of more than ${maxBytes} bytes`)
    // Reading the page and mapping it each fit into a time slice; both together would not.
    await nextSlice()
    found.push(...(await mapInSlices(page.records, map)))
    await nextSlice()
    if (signal.aborted) throw requestEnded()
  } while (cursor !== undefined)
  return found
}

function tooLarge(what: string): CmsError {
  return new CmsError(
    'too-large',
    `${what} would have to be read. Request a shorter period, or filter the entries with qry.`,
  )
}
