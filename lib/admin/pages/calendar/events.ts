// The entries of a calendar as the page reads and writes them, and what happens in a window of time.

import type { Client } from 'openapi-fetch'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import type { components } from '../../client/interface.d.ts'
import { newRequestKey } from '../../client/request-key.ts'
import { isDecided, type OnceHeader } from '../../ui/filled.ts'
import type { Held } from '../../ui/use-edit.ts'
import { type Clock, DAY_MS, startOfDay } from './wall.ts'

export type CalendarRecord = components['schemas']['calendar']

export type Column = NonNullable<CalendarRecord['columns']>[number]

/** Base fields; further columns have the names that the calendar gives them. */
export interface EventFields {
  readonly event_title: string
  readonly start_time: string
  readonly end_time: string | null
  readonly all_day: boolean
  readonly location: string | null
  readonly description: string | null
  readonly rrule: string | null
}

export interface EventRecord extends EventFields {
  readonly calendar_entry_id: number
  readonly date_modified: string
  readonly [column: string]: unknown
}

export type EventBody = Readonly<Record<string, unknown>>

/** An event at one of the times at which it happens, on the clock of its calendar. */
export interface Occurrence {
  readonly entryId: number
  readonly title: string
  readonly location: string | null
  readonly isAllDay: boolean
  readonly isRecurring: boolean
  readonly startWall: number
  /** Of whole days the day after the last; of an event without an end its start. */
  readonly endWall: number
  /** As the server tells it: what tells one of a series from the others. */
  readonly start: string
  /** Of the entry: whether somebody has changed it since. */
  readonly modified: string
}

export function keyOf({ entryId, start }: Pick<Occurrence, 'entryId' | 'start'>): string {
  return `${entryId}@${start}`
}

interface Path {
  readonly path: { readonly calendar: number; readonly name: string }
}

interface OneEntry {
  readonly path: Path['path'] & { readonly id: number }
  readonly header?: { readonly 'If-Match'?: string }
}

interface Answer<T> {
  readonly content: { readonly 'application/json': T }
}

interface EntryPage {
  /** A list that is readonly the client takes for an object. */
  readonly calendar_entry: EventRecord[]
  readonly page: { readonly next: string | null }
}

type Made = Pick<EntryPage, 'calendar_entry'>

/** Of the Module API: its document is another for each site, so its types are told here. */
interface ModulePaths {
  '/module/calendar/{calendar}/{name}': {
    get: {
      parameters: Path & { readonly query: Readonly<Record<string, string | number | boolean>> }
      responses: { 200: Answer<EntryPage> }
    }
    post: {
      parameters: Path & { readonly header: Partial<OnceHeader> & { readonly Prefer: string } }
      requestBody: { content: { 'application/json': readonly EventBody[] } }
      responses: { 201: Answer<Made> }
    }
  }
  '/module/calendar/{calendar}/{name}/{id}': {
    get: {
      parameters: OneEntry & { readonly query: { readonly fields: string } }
      responses: { 200: Answer<EventRecord> }
    }
    post: {
      parameters: OneEntry
      requestBody: { content: { 'application/json': EventBody } }
      responses: { 200: Answer<EventRecord> }
    }
    delete: { parameters: OneEntry; responses: { 204: { content?: never } } }
  }
}

const MANY = '/module/calendar/{calendar}/{name}'
const ONE = '/module/calendar/{calendar}/{name}/{id}'

/** What can be asked of the entries of one calendar. */
export interface Events {
  readonly occurrences: (
    window: InstantWindow,
    signal?: AbortSignal,
  ) => Promise<readonly EventRecord[]>
  readonly read: (id: number, signal?: AbortSignal) => Promise<Held<EventRecord>>
  /** All of them or none; gives their identifiers. */
  readonly create: (bodies: readonly EventBody[], once?: OnceHeader) => Promise<readonly number[]>
  readonly change: (id: number, body: EventBody, etag: string) => Promise<Held<EventRecord>>
  readonly remove: (id: number, etag?: string) => Promise<void>
}

export interface InstantWindow {
  readonly fromMs: number
  readonly toMs: number
  /** Of this entry alone. */
  readonly entryId?: number
  /** So many at most; undefined: all. */
  readonly most?: number
}

/** The most that a page of a list has. */
const PAGE = 1_000
/** What nobody would look through. */
const MOST = 5_000

export function openEvents(api: Api, calendar: CalendarRecord): Events {
  // The same program at other addresses.
  const client = api as unknown as Client<ModulePaths>
  const path = { calendar: calendar.calendar_id, name: calendar.module_name }
  /** What was sent and never answered: the same once more is the same request. */
  let lost: { readonly text: string; readonly key: string } | undefined

  async function occurrences(window: InstantWindow, signal?: AbortSignal) {
    const { fromMs, toMs, entryId, most = MOST } = window
    const qry = { 'calendar_entry.calendar_entry_id': entryId }
    const found: EventRecord[] = []
    let cursor: string | null = ''
    while (cursor !== null && found.length < most) {
      const query: Readonly<Record<string, string | number | boolean>> = {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        expand: true,
        length: Math.min(most, PAGE),
        ...(entryId !== undefined && { qry: JSON.stringify(qry) }),
        ...(cursor !== '' && { cursor }),
      }
      const init = { params: { path, query }, ...(signal !== undefined && { signal }) }
      const { calendar_entry: rows, page }: EntryPage = await dataOf<EntryPage>(
        client.GET(MANY, init),
      )
      found.push(...rows)
      cursor = page.next
    }
    return found
  }

  return {
    occurrences,
    read: (id, signal) =>
      recordOf(
        client.GET(ONE, {
          ...(signal !== undefined && { signal }),
          params: { path: { ...path, id }, query: { fields: '*' } },
        }),
      ),
    async create(bodies, once) {
      const text = JSON.stringify(bodies)
      if (lost?.text !== text) lost = { text, key: newRequestKey() }
      const header = { Prefer: 'return=representation', 'Idempotency-Key': lost.key, ...once }
      try {
        const params = { path, header }
        const made = await dataOf<Made>(client.POST(MANY, { params, body: bodies }))
        lost = undefined
        return made.calendar_entry.map(({ calendar_entry_id: id }) => id)
      } catch (error) {
        if (isDecided(error)) lost = undefined
        throw error
      }
    },
    change: (id, body, etag) =>
      recordOf(
        client.POST(ONE, { params: { path: { ...path, id }, header: { 'If-Match': etag } }, body }),
      ),
    async remove(id, etag) {
      const header = etag === undefined ? {} : { 'If-Match': etag }
      await client.DELETE(ONE, { params: { path: { ...path, id }, header } })
    },
  }
}

export function occurrenceOf(record: EventRecord, clock: Clock): Occurrence {
  const { start_time: start, end_time: end, all_day: isAllDay } = record
  const times = isAllDay ? daysOf(record, clock) : timesOf({ start, end }, clock)
  return {
    entryId: record.calendar_entry_id,
    title: record.event_title,
    location: record.location,
    isAllDay,
    isRecurring: record.rrule !== null,
    start,
    modified: record.date_modified,
    ...times,
  }
}

function timesOf(
  { start, end }: { readonly start: string; readonly end: string | null },
  clock: Clock,
) {
  const startWall = clock.wallOf(Date.parse(start))
  // Where the clock is set back in between, the end may show less.
  const endWall = end === null ? startWall : clock.wallOf(Date.parse(end))
  return { startWall, endWall: Math.max(startWall, endWall) }
}

/** Midnight in UTC stands for its date there, all else for its date on the clock of the calendar, as the server has it. */
function daysOf({ start_time: start, end_time: end }: EventFields, clock: Clock) {
  const wallOf = (text: string): number => {
    const ms = Date.parse(text)
    return ms % DAY_MS === 0 ? ms : clock.wallOf(ms)
  }
  const startWall = startOfDay(wallOf(start))
  const length = end === null ? DAY_MS : wallOf(end) - wallOf(start)
  return { startWall, endWall: startWall + Math.max(1, Math.ceil(length / DAY_MS)) * DAY_MS }
}

export interface Times {
  readonly startWall: number
  readonly endWall: number
  readonly isAllDay: boolean
}

/** Whole days go as dates, which are those of the calendar in every zone. */
export function timeFields({ startWall, endWall, isAllDay }: Times, clock: Clock) {
  const text = (wall: number): string =>
    isAllDay
      ? new Date(wall).toISOString().slice(0, 10)
      : new Date(clock.instantOf(wall)).toISOString()
  const end = endWall > startWall ? text(endWall) : null
  return { start_time: text(startWall), end_time: end, all_day: isAllDay }
}
