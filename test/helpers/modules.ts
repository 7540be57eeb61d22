// Creates datatables, calendars and entries for tests, and reads whole lists.

import assert from 'node:assert/strict'
import { make, newName } from './content.ts'
import type { Answer, Answering, TestServer } from './server.ts'

export interface MadeModule {
  readonly id: number
  /** Address in the System API. */
  readonly path: string
  /** Address in the Module API. */
  readonly url: string
  readonly record: any
}

export async function makeTable(
  server: Answering,
  table_schema: string,
  fields: object = {},
): Promise<MadeModule> {
  const record = await make(server, 'datatable', {
    name: newName('table'),
    table_schema,
    ...fields,
  })
  const id = record.datatable_id
  return { id, path: `/api/v2/datatable/${id}`, url: record.module_url, record }
}

export async function makeCalendar(server: TestServer, fields: object = {}): Promise<MadeModule> {
  const record = await make(server, 'calendar', { name: newName('calendar'), ...fields })
  const id = record.calendar_id
  return { id, path: `/api/v2/calendar/${id}`, url: record.module_url, record }
}

/** Creates an entry and returns all its fields. */
export async function makeEntry(server: Answering, url: string, json: object): Promise<any> {
  const headers = { prefer: 'return=representation' }
  const answer = await server.call('POST', url, { json, headers })
  assert.equal(answer.status, 201, answer.text)
  return Object.values(answer.body)[0]
}

/** Creates entries in lists of 250. */
export async function makeEntries(
  server: TestServer,
  url: string,
  entries: readonly object[],
): Promise<void> {
  for (let at = 0; at < entries.length; at += 250) {
    const answer = await server.call('POST', url, { json: entries.slice(at, at + 250) })
    assert.equal(answer.status, 201, answer.text.slice(0, 500))
  }
}

export function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return new URLSearchParams(pairs).toString()
}

/** One page of entries. */
export async function listEntries(
  server: TestServer,
  url: string,
  query: Readonly<Record<string, unknown>> = {},
): Promise<any> {
  const answer = await server.call('GET', `${url}?${queryOf(query)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function entriesOf(body: any): readonly any[] {
  return body.datatable_entry ?? body.calendar_entry
}

/** All pages, by cursor. */
export async function listAll(
  server: TestServer,
  url: string,
  query: Readonly<Record<string, unknown>> = {},
): Promise<readonly any[]> {
  const all: any[] = []
  let next: string | null = null
  do {
    const more: object = next === null ? {} : { cursor: next }
    const body = await listEntries(server, url, { length: 1_000, ...query, ...more })
    all.push(...entriesOf(body))
    next = body.page.next
  } while (next !== null)
  return all
}

/** Changes the columns of a module. */
export function changeSchema(
  server: TestServer,
  path: string,
  json: object,
  query = '',
): Promise<Answer> {
  return server.call('POST', `${path}${query}`, { json })
}
