// Sends an iCalendar file to the server, which reads the file and creates or updates its events.

import type { Client } from 'openapi-fetch'
import type { Refusal } from '../../../shared/import-refusals.ts'
import { type Api, dataOf } from '../../client/api.ts'
import type { CalendarRecord } from './events.ts'

export interface ImportOutcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused_count: number
  /** The first refused events. The client treats a readonly array as an object. */
  readonly refused: Refusal[]
  /** Names of properties and components that are not imported. */
  readonly ignored: { readonly name: string; readonly count: number }[]
}

interface Paths {
  '/module/calendar/{calendar}/{name}.ics': {
    post: {
      parameters: {
        readonly path: { readonly calendar: number; readonly name: string }
        readonly query: { readonly dry_run: boolean }
        readonly header: { readonly 'Content-Type': string }
      }
      requestBody: { content: { 'text/calendar': File } }
      responses: { 200: { content: { 'application/json': ImportOutcome } } }
    }
  }
}

interface ImportInput {
  readonly calendar: CalendarRecord
  readonly file: File
  /** Changes nothing, and returns what the import would change. */
  readonly isDryRun: boolean
}

export function importFile(api: Api, { calendar, file, isDryRun }: ImportInput) {
  // The same client, typed for the paths of the Module API.
  const client = api as unknown as Client<Paths>
  const path = { calendar: calendar.calendar_id, name: calendar.module_name }
  const header = { 'Content-Type': 'text/calendar' }
  return dataOf<ImportOutcome>(
    client.POST('/module/calendar/{calendar}/{name}.ics', {
      params: { path, query: { dry_run: isDryRun }, header },
      body: file,
      bodySerializer: (body) => body,
    }),
  )
}
