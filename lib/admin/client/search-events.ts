// Finds calendar entries by a part of their title, in the most recently changed calendars. Each calendar takes one
// request.

import type { Client } from 'openapi-fetch'
import { type Api, dataOf } from './api.ts'
import { nameHolds, type Search } from './search.ts'

export interface FoundEvent {
  readonly id: number
  readonly name: string
  readonly calendarId: number
  readonly calendar: string
  /** YYYY-MM-DD of the first occurrence. */
  readonly day: string
}

interface EventPage {
  /** The client treats a readonly array as an object. */
  readonly calendar_entry: {
    readonly calendar_entry_id: number
    readonly event_title: string
    readonly start_time: string
  }[]
}

/** These paths are typed by hand because the document of the Module API differs between sites. */
interface EventPaths {
  '/module/calendar/{calendar}/{name}': {
    get: {
      parameters: {
        readonly path: { readonly calendar: number; readonly name: string }
        readonly query: Readonly<Record<string, string | number>>
      }
      responses: { 200: { content: { 'application/json': EventPage } } }
    }
  }
}

const MOST_CALENDARS = 5

export async function findEvents(
  api: Api,
  { text, length, signal }: Omit<Search, 'object'>,
): Promise<readonly FoundEvent[]> {
  const fields = 'calendar_id,name,module_name'
  const query = { fields, orderStr: 'date_modified', orderDir: 'DESC', length: MOST_CALENDARS }
  const { calendar: all } = await dataOf(api.GET('/calendar', { signal, params: { query } }))
  // The same client, typed for the paths of the Module API.
  const client = api as unknown as Client<EventPaths>
  const found = await Promise.all(
    all.map(
      async ({ calendar_id: calendarId = 0, name: calendar = '', module_name: name = '' }) => {
        const qry = JSON.stringify({ event_title: nameHolds(text) })
        const params = {
          path: { calendar: calendarId, name },
          query: { qry, orderStr: 'start_time', orderDir: 'DESC', length },
        }
        const page = await dataOf<EventPage>(
          client.GET('/module/calendar/{calendar}/{name}', { signal, params }),
        )
        return page.calendar_entry.map((entry) => ({
          id: entry.calendar_entry_id,
          name: entry.event_title,
          calendarId,
          calendar,
          day: entry.start_time.slice(0, 'YYYY-MM-DD'.length),
        }))
      },
    ),
  )
  return found.flat().slice(0, length)
}
