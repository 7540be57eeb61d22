// Requests for the documents that change many entries: upserts, bulk updates and bulk deletes.

import { calendarFile, vevent } from '../calendar/files.ts'
import { makeEntries, makeEntry, makeTable } from '../helpers/modules.ts'
import type { Call, TestServer } from '../helpers/server.ts'

/** Sends a request and checks its status. */
export type Expect = (status: number, method: string, path: string, call?: Call) => Promise<any>

/** The entry needs a value of the unique column `code` that no other entry has. */
export async function sendUpserts(expect: Expect, url: string, json: object): Promise<void> {
  const headers = { prefer: 'return=representation' }
  await expect(201, 'POST', `${url}?on_conflict=code`, { json })
  await expect(200, 'POST', `${url}?on_conflict=code`, { json, headers })
  await expect(200, 'POST', `${url}/bulk?on_conflict=code`, { json: [json] })
}

/** Creates an entry with so many dependents that its deletion takes many commits. Returns its address. */
export async function makeDependents(server: TestServer, url: string): Promise<string> {
  const [, , , , , table] = url.split('/')
  const { datatable_entry_id: id } = await makeEntry(server, url, { title: 'Top' })
  const parts = await makeTable(server, `top I REFERENCES datatable ${table} ON DELETE CASCADE`)
  await makeEntries(
    server,
    parts.url,
    Array.from({ length: 1_000 }, () => ({ top: id })),
  )
  return `${url}/${id}`
}

/** One entry must have the title Two; it is deleted. */
export async function sendBulkTraffic(expect: Expect, url: string, title: string): Promise<void> {
  const selection = { qry: { [title]: 'Two' } }
  const values = { [title]: 'Five' }
  await expect(200, 'POST', `${url}/bulk_update`, { json: { ...selection, values, expect: 1 } })
  const dry = { ...selection, dry_run: true }
  await expect(200, 'POST', `${url}/bulk_delete`, { json: dry })
  await expect(409, 'POST', `${url}/bulk_delete`, { json: { ...dry, expect: 9 } })
  await expect(422, 'POST', `${url}/bulk_delete`, { json: { qry: {} } })
  await expect(200, 'POST', `${url}/bulk_delete`, { json: { qry: values } })
}

/** Imports an iCalendar file with an event that is refused. */
export async function sendCalendarFile(expect: Expect, url: string): Promise<void> {
  const body = calendarFile(vevent('UID:a', 'SUMMARY:A', 'DTSTART;TZID=Nowhere:20260131T120000'))
  const file = { headers: { 'content-type': 'text/calendar' }, body }
  await expect(200, 'POST', `${url}.ics?dry_run=true`, file)
  await expect(200, 'POST', `${url}.ics`, file)
  await expect(415, 'POST', `${url}.ics`, { json: {} })
}
