// What the server finds for the palette: each kind by itself, so that a slow one keeps none waiting. What was found
// before stays until there is something else.

import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { pathOf } from '../client/address.ts'
import { useApi, useMe } from '../client/client-context.ts'
import { type Me, mayEverywhere, maySomewhere } from '../client/me.ts'
import { findRecords, type Found, SEARCHED, type Searched } from '../client/search.ts'
import type { IconName } from '../ui/icon.tsx'
import type { PageDefinition } from './page-definition.ts'
import type { PaletteItem } from './palette-items.ts'

/** Between keystrokes nobody is asked. */
const PAUSE_MS = 120
/** Of each kind. */
const MOST = 5

interface Kind {
  readonly icon: IconName
  /** The page that shows one; there is nothing to find where it is not there. */
  readonly page: string
  readonly isFor: (me: Me) => boolean
}

const mayView = (me: Me): boolean => maySomewhere(me, 'view')
const isAdmin = (me: Me): boolean => mayEverywhere(me, 'admin')

const KINDS: Readonly<Record<Searched, Kind>> = {
  asset_category: { icon: 'folder', page: '/content/:id', isFor: mayView },
  asset_file: { icon: 'file', page: '/content/file/:id', isFor: mayView },
  datatable: { icon: 'table', page: '/data/:id', isFor: mayView },
  calendar: { icon: 'calendar', page: '/calendars/:id', isFor: mayView },
  user: { icon: 'user', page: '/users/:id', isFor: isAdmin },
  api_key: { icon: 'key', page: '/keys/:id', isFor: isAdmin },
}

type AllFound = Readonly<Partial<Record<Searched, readonly Found[]>>>

export interface PaletteSearch {
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
    const kinds = SEARCHED.filter(
      (each) => KINDS[each].isFor(me) && pages.some(({ path }) => path === KINDS[each].page),
    )
    const search = async (object: Searched): Promise<void> => {
      // What cannot be searched has nothing to show.
      const all = await findRecords(api, { object, text, length: MOST, signal: gone.signal }).catch(
        () => [],
      )
      if (gone.signal.aborted) return
      setFound((before) => ({ ...before, [object]: all }))
      setWaiting((count) => count - 1)
    }
    setWaiting(kinds.length)
    const timer = setTimeout(() => void Promise.all(kinds.map(search)), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text])

  const items = SEARCHED.flatMap((object) =>
    (found[object] ?? []).map(({ id, name, path }) => {
      const href = KINDS[object].page.replace(':id', String(id))
      return {
        id: `${object} ${id}`,
        group: object,
        text: name,
        hint: path,
        icon: KINDS[object].icon,
        href,
        run: () => route(pathOf(href)),
      }
    }),
  )
  return { items, isSearching: waiting > 0 }
}
