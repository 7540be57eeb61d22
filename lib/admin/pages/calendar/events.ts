// Reads and writes the entries of a calendar, and lists occurrences in a time window.

import type { Client } from 'openapi-fetch'
import { type Api, dataOf, newRequestKey, recordOf } from '../../client/api.ts'
import { findDeleted, restoreItem } from '../../client/deleted-records.ts'
import type { components } from '../../client/interface.d.ts'
import { isDecided, type OnceHeader } from '../../ui/filled.ts'
import type { Fetched } from '../../ui/use-edit.ts'

export type CalendarRecord = components['schemas']['calendar']

export type Column = NonNullable<CalendarRecord['columns']>[number]

/** Base fields. Additional columns have the names that the calendar defines. */
export interface EventFields {
  readonly event_title: string
  readonly start_time: string
  readonly end_time: string | null
  readonly all_day: boolean
  readonly location: string | null
  readonly description: string | null
  readonly rrule: string | null
  /** The client treats a readonly array as an object. */
  readonly exdates: string[]
  readonly rdates: string[]
  /** The series of which this event replaces one occurrence, and the start of the occurrence there. */
  readonly recurrence_of: number | null
  readonly recurrence_id: string | null
}

export interface EventRecord extends EventFields {
  readonly calendar_entry_id: number
  readonly date_modified: string
  readonly [column: string]: unknown
}

export type EventBody = Readonly<Record<string, unknown>>

/** One occurrence of an event, on the clock of its calendar. */
export interface Occurrence {
  readonly entryId: number
  readonly title: string
  readonly location: string | null
  readonly isAllDay: boolean
  readonly isRecurring: boolean
  readonly startWall: number
  /** For all-day events the day after the last day; without an end, the start. */
  readonly endWall: number
  /** The start as the server returned it, which identifies an occurrence of a series. */
  readonly start: string
  /** Modification date of the entry, used to detect concurrent changes. */
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
  readonly calendar_entry: EventRecord[]
  readonly page: { readonly next: string | null }
}

type Made = Pick<EntryPage, 'calendar_entry'>

/** These paths are typed by hand because the document of the Module API differs between sites. */
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

/** Requests for the entries of one calendar. */
export interface Events {
  readonly occurrences: (
    window: InstantWindow,
    signal?: AbortSignal,
  ) => Promise<readonly EventRecord[]>
  readonly read: (id: number, signal?: AbortSignal) => Promise<Fetched<EventRecord>>
  /** Creates all entries or none, and returns their identifiers. */
  readonly create: (bodies: readonly EventBody[], once?: OnceHeader) => Promise<readonly number[]>
  /** Events that replace occurrences of this series. */
  readonly replacing: (id: number) => Promise<readonly EventRecord[]>
  readonly change: (id: number, body: EventBody, etag?: string) => Promise<Fetched<EventRecord>>
  readonly remove: (id: number, etag?: string) => Promise<void>
  /** Restores a deleted event from the trash; on a site without a trash, creates the event again. */
  readonly restore: (record: EventRecord, body: EventBody) => Promise<void>
}

export interface InstantWindow {
  readonly fromMs: number
  readonly toMs: number
  /** Limits the result to this entry. */
  readonly entryId?: number
  /** Maximum number of occurrences; undefined means all. */
  readonly most?: number
}

/** Maximum page size of a list. */
const PAGE = 1_000
/** More occurrences than anybody would read. */
const MOST = 5_000

export function openEvents(api: Api, calendar: CalendarRecord): Events {
  return new CalendarEvents(api, calendar)
}

interface ListOptions {
  readonly most?: number | undefined
  readonly signal?: AbortSignal | undefined
}

class CalendarEvents implements Events {
  readonly #api: Api
  readonly #client: Client<ModulePaths>
  readonly #path: Path['path']
  /** The last unanswered request. Sending the same body again reuses its idempotency key. */
  #lost: { readonly text: string; readonly key: string } | undefined

  constructor(api: Api, { calendar_id: calendar, module_name: name }: CalendarRecord) {
    this.#api = api
    // The same client, typed for the paths of the Module API.
    this.#client = api
    this.#path = { calendar, name }
  }

  occurrences({ fromMs, toMs, entryId, most }: InstantWindow, signal?: AbortSignal) {
    const qry = { 'calendar_entry.calendar_entry_id': entryId }
    const asked = {
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      expand: true,
      ...(entryId !== undefined && { qry: JSON.stringify(qry) }),
    }
    return this.#list(asked, { most, signal })
  }

  replacing(id: number) {
    return this.#list({ qry: JSON.stringify({ 'calendar_entry.recurrence_of': id }) })
  }

  async #list(
    asked: Readonly<Record<string, string | boolean>>,
    { most = MOST, signal }: ListOptions = {},
  ) {
    const found: EventRecord[] = []
    let cursor: string | null = ''
    while (cursor !== null && found.length < most) {
      const query: Readonly<Record<string, string | number | boolean>> = {
        ...asked,
        length: Math.min(most, PAGE),
        ...(cursor !== '' && { cursor }),
      }
      const params = { path: this.#path, query }
      const init = { params, ...(signal !== undefined && { signal }) }
      const { calendar_entry: rows, page }: EntryPage = await dataOf<EntryPage>(
        this.#client.GET(MANY, init),
      )
      found.push(...rows)
      cursor = page.next
    }
    return found
  }

  read(id: number, signal?: AbortSignal) {
    return recordOf(
      this.#client.GET(ONE, {
        ...(signal !== undefined && { signal }),
        params: { path: { ...this.#path, id }, query: { fields: '*' } },
      }),
    )
  }

  async create(bodies: readonly EventBody[], once?: OnceHeader) {
    const text = JSON.stringify(bodies)
    if (this.#lost?.text !== text) this.#lost = { text, key: newRequestKey() }
    const { key } = this.#lost
    const header = { Prefer: 'return=representation', 'Idempotency-Key': key, ...once }
    try {
      const params = { path: this.#path, header }
      const made = await dataOf<Made>(this.#client.POST(MANY, { params, body: bodies }))
      this.#lost = undefined
      return made.calendar_entry.map(({ calendar_entry_id: id }) => id)
    } catch (error) {
      if (isDecided(error)) this.#lost = undefined
      throw error
    }
  }

  change(id: number, body: EventBody, etag?: string) {
    const header = etag === undefined ? {} : { 'If-Match': etag }
    const params = { path: { ...this.#path, id }, header }
    return recordOf(this.#client.POST(ONE, { params, body }))
  }

  async remove(id: number, etag?: string) {
    const header = etag === undefined ? {} : { 'If-Match': etag }
    await this.#client.DELETE(ONE, { params: { path: { ...this.#path, id }, header } })
  }

  async restore({ calendar_entry_id: id }: EventRecord, body: EventBody) {
    const deleted = { object: 'calendar_entry', id, moduleId: this.#path.calendar }
    const item = await findDeleted(this.#api, deleted)
    if (item === undefined) await this.create([body])
    else await restoreItem(this.#api, item)
  }
}
