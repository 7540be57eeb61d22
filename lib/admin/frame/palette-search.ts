// Searches records on the server for the palette. Each kind is a separate request, so that a slow kind does not delay
// the others. Previous results stay until new results arrive.

import type { Client } from 'openapi-fetch'
import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../client/address.ts'
import { type Api, dataOf } from '../client/api.ts'
import { useApi, useMe } from '../client/client-context.ts'
import { mayEverywhere, maySomewhere, type Me } from '../client/me.ts'
import { findRecords, nameHolds, type Search, type Searched } from '../client/search.ts'
import type { IconName } from '../ui/icon.tsx'
import type { PageDefinition } from './page-definition.ts'
import type { PaletteGroup, PaletteItem } from './palette-items.ts'

/** Debounce interval for keystrokes. */
const PAUSE_MS = 120
/** Maximum number of results per kind. */
const MOST = 5

interface Kind {
  readonly icon: IconName
  /** The page that shows such a record. Kinds whose page is hidden are not searched. */
  readonly page: string
  readonly isFor: (me: Me) => boolean
  readonly find: (api: Api, search: Asked) => Promise<readonly FoundItem[]>
}

type Asked = Omit<Search, 'object'>

interface FoundItem {
  readonly id: number
  readonly name: string
  readonly hint: string | undefined
  readonly href: string
}

const mayView = (me: Me): boolean => maySomewhere(me, 'view')
const isAdmin = (me: Me): boolean => mayEverywhere(me, 'admin')

const records =
  (object: Searched, page: string): Kind['find'] =>
  async (api, asked) => {
    const found = await findRecords(api, { object, ...asked })
    return found.map(({ id, name, path, note }) => ({
      id,
      name,
      hint: path ?? note,
      href: page.replace(':id', String(id)),
    }))
  }

const kind = (object: Searched, page: string, of: Pick<Kind, 'icon' | 'isFor'>): Kind => ({
  page,
  ...of,
  find: records(object, page),
})

const events: Kind = {
  icon: 'clock',
  page: '/calendars/:id',
  isFor: mayView,
  async find(api, asked) {
    const found = await findEvents(api, asked)
    return found.map(({ id, name, calendarId, calendar, day }) => ({
      id,
      name,
      hint: `${calendar}, ${day}`,
      href: `/calendars/${calendarId}?date=${day}&event=${id}`,
    }))
  },
}

const KINDS = {
  asset_category: kind('asset_category', '/content/:id', { icon: 'folder', isFor: mayView }),
  asset_file: kind('asset_file', '/content/file/:id', { icon: 'file', isFor: mayView }),
  datatable: kind('datatable', '/data/:id', { icon: 'table', isFor: mayView }),
  calendar: kind('calendar', '/calendars/:id', { icon: 'calendar', isFor: mayView }),
  event: events,
  user: kind('user', '/users/:id', { icon: 'user', isFor: isAdmin }),
  api_key: kind('api_key', '/keys/:id', { icon: 'key', isFor: isAdmin }),
} as const satisfies Readonly<Partial<Record<PaletteGroup, Kind>>>

type KindName = keyof typeof KINDS

/** In display order. */
const NAMES = Object.keys(KINDS) as readonly KindName[]

type AllFound = Readonly<Partial<Record<KindName, readonly FoundItem[]>>>

interface PaletteSearch {
  readonly items: readonly PaletteItem[]
  readonly isSearching: boolean
}

export function usePaletteSearch(typed: string, pages: readonly PageDefinition[]): PaletteSearch {
  const api = useApi()
  const me = useMe()
  const { route } = useLocation()
  const text = typed.trim()
  const [found, setFound] = useState<AllFound>({})
  const [waiting, setWaiting] = useState(0)

  useEffect(() => {
    if (text === '' || me === undefined) {
      setFound({})
      setWaiting(0)
      return undefined
    }
    const gone = new AbortController()
    const kinds = NAMES.filter(
      (each) => KINDS[each].isFor(me) && pages.some(({ path }) => path === KINDS[each].page),
    )
    const search = async (name: KindName): Promise<void> => {
      // A kind whose search fails shows nothing.
      const asked = { text, length: MOST, signal: gone.signal }
      const all = await KINDS[name].find(api, asked).catch(() => [])
      if (gone.signal.aborted) return
      setFound((before) => ({ ...before, [name]: all }))
      setWaiting((count) => count - 1)
    }
    setWaiting(kinds.length)
    const timer = setTimeout(() => void Promise.all(kinds.map(search)), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text])

  const items = NAMES.flatMap((group) =>
    (found[group] ?? []).map(({ id, name, hint, href }) => ({
      id: `${group} ${id}`,
      group,
      text: name,
      hint,
      icon: KINDS[group].icon,
      href,
      run: () => route(pathOf(href)),
    })),
  )
  return { items, isSearching: waiting > 0 }
}

interface FoundEvent {
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

/**
 * Finds calendar entries by a part of their title, in the most recently changed calendars. Each calendar takes one
 * request.
 */
async function findEvents(
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
