// Creates and updates events from a file, found again by their UID. Series come first, so that the events that replace
// their occurrences can name them. Events that the server refuses are left out and returned with its reason.

import type { Client } from 'openapi-fetch'
import { type Api, dataOf } from '../../client/api.ts'
import { Problem } from '../../client/problem.ts'
import type { FileEvent } from './calendar-file.ts'
import type { CalendarRecord, EventBody, EventRecord } from './events.ts'

interface Answer {
  readonly calendar_entry: EventRecord[]
  readonly page: { readonly next: string | null }
}

interface Paths {
  '/module/calendar/{calendar}/{name}': {
    get: {
      parameters: { readonly path: Path; readonly query: Readonly<Record<string, string | number>> }
      responses: { 200: { content: { 'application/json': Answer } } }
    }
    post: {
      parameters: {
        readonly path: Path
        readonly query: { readonly on_conflict: 'uid' }
        readonly header: { readonly Prefer: string }
      }
      requestBody: { content: { 'application/json': readonly EventBody[] } }
      responses: { 200: { content: { 'application/json': Pick<Answer, 'calendar_entry'> } } }
    }
  }
}

interface Path {
  readonly calendar: number
  readonly name: string
}

const LIST = '/module/calendar/{calendar}/{name}'
const PAGE = 1_000
/** Events of one request. */
const BATCH = 100

export interface NotImported {
  readonly title: string
  readonly reason: string
}

export interface Imported {
  readonly count: number
  readonly refused: readonly NotImported[]
}

function openList(api: Api, calendar: CalendarRecord) {
  // The same client, typed for the paths of the Module API.
  const client = api as unknown as Client<Paths>
  const path: Path = { calendar: calendar.calendar_id, name: calendar.module_name }
  return { client, path }
}

/** The entry of each UID in the calendar. */
export async function readUids(
  api: Api,
  calendar: CalendarRecord,
): Promise<ReadonlyMap<string, number>> {
  const { client, path } = openList(api, calendar)
  const found = new Map<string, number>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: Readonly<Record<string, string | number>> = {
      fields: 'calendar_entry_id,uid',
      length: PAGE,
      ...(cursor !== '' && { cursor }),
    }
    const answer: Answer = await dataOf<Answer>(client.GET(LIST, { params: { path, query } }))
    for (const { uid, calendar_entry_id: id } of answer.calendar_entry)
      if (typeof uid === 'string') found.set(uid, id)
    cursor = answer.page.next
  }
  return found
}

interface ImportInput {
  readonly calendar: CalendarRecord
  readonly events: readonly FileEvent[]
  readonly known: ReadonlyMap<string, number>
}

export async function importEvents(
  api: Api,
  { calendar, events, known }: ImportInput,
): Promise<Imported> {
  const { client, path } = openList(api, calendar)
  const ids = new Map(known)
  const refused: NotImported[] = []
  let count = 0

  /** Leaves out what the server refuses, and sends the rest again. */
  async function send(batch: readonly FileEvent[]): Promise<void> {
    if (batch.length === 0) return
    const body = batch.map((event) => bodyOf(event, ids))
    const header = { Prefer: 'return=representation' }
    const query = { on_conflict: 'uid' } as const
    try {
      const { calendar_entry: made } = await dataOf<Pick<Answer, 'calendar_entry'>>(
        client.POST(LIST, { params: { path, query, header }, body }),
      )
      for (const { uid, calendar_entry_id: id } of made) ids.set(String(uid), id)
      count += made.length
    } catch (error) {
      const reasons = reasonsOf(error)
      if (reasons.size === 0) throw error
      for (const [at, reason] of reasons) refused.push({ title: batch[at]?.title ?? '', reason })
      await send(batch.filter((_, at) => !reasons.has(at)))
    }
  }

  for (const isReplacing of [false, true]) {
    const own = events.filter(({ recurrenceId }) => (recurrenceId !== undefined) === isReplacing)
    for (let at = 0; at < own.length; at += BATCH) await send(own.slice(at, at + BATCH))
  }
  return { count, refused }
}

function bodyOf(
  { series, recurrenceId, body }: FileEvent,
  ids: ReadonlyMap<string, number>,
): EventBody {
  const id = ids.get(series)
  // Without its series, the event stands alone.
  if (recurrenceId === undefined || id === undefined) return body
  return { ...body, recurrence_of: id, recurrence_id: recurrenceId }
}

/** The faults of the server by the place of their event in the list. */
function reasonsOf(error: unknown): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>()
  if (!(error instanceof Problem)) return reasons
  for (const { pointer, detail } of error.facts.errors) {
    const [, at, field = ''] = /^\/(\d+)\/?(.*)$/.exec(pointer) ?? []
    if (at !== undefined && !reasons.has(Number(at))) reasons.set(Number(at), `${field} ${detail}`)
  }
  return reasons
}
