// The folder tree, loaded level by level and page by page as folders are opened or scrolled into view. The open
// folders are stored for the tab.

import { type Cell, openCell } from '../../client/cell.ts'
import type { Api } from '../../client/api.ts'
import { type FolderRecord, searchFolders } from './records.ts'

/** Parent of the topmost folders. */
export const TOP = 0

export interface Level {
  readonly folders: readonly FolderRecord[]
  /** Cursor of the next page; null after the last page. */
  readonly next: string | null
  readonly state: 'loading' | 'ready' | 'failed'
}

export interface FolderTree {
  readonly levels: Cell<ReadonlyMap<number, Level>>
  readonly open: Cell<ReadonlySet<number>>
  /** Loads the first or next page of a level. */
  readonly load: (parentId: number) => Promise<void>
  readonly setOpen: (id: number, isOpen: boolean) => void
  /** Opens a folder and all its parents. */
  readonly reveal: (line: readonly FolderRecord[]) => void
  /** Reloads levels after a folder was created, moved or deleted. */
  readonly refresh: (parentIds: readonly (number | null)[]) => Promise<void>
}

const LEVEL_LENGTH = 500
const OPEN = 'cms.folders-open'
const NEW: Level = { folders: [], next: null, state: 'loading' }

export function openFolderTree(api: Api): FolderTree {
  const levels = openCell<ReadonlyMap<number, Level>>(new Map())
  const open = openCell(storedOpen())

  const setLevel = (id: number, level: Level): void =>
    levels.set(new Map(levels.get()).set(id, level))

  function read(parentId: number, cursor: string | undefined) {
    const qry = { parent_category_id: parentId === TOP ? null : parentId }
    return searchFolders(api, { qry, orderStr: 'name', length: LEVEL_LENGTH, cursor })
  }

  async function load(parentId: number): Promise<void> {
    const before = levels.get().get(parentId)
    if (before?.state === 'loading') return
    if (before?.state === 'ready' && before.next === null) return
    setLevel(parentId, { ...(before ?? NEW), state: 'loading' })
    try {
      const { rows, next } = await read(parentId, before?.next ?? undefined)
      const folders = [...(before?.folders ?? []), ...rows]
      setLevel(parentId, { folders, next, state: 'ready' })
    } catch {
      setLevel(parentId, { ...(before ?? NEW), state: 'failed' })
    }
  }

  function setAllOpen(ids: ReadonlySet<number>): void {
    open.set(ids)
    storeOpen(ids)
    for (const id of ids) {
      const state = levels.get().get(id)?.state
      if (state === undefined || state === 'failed') void load(id)
    }
  }

  return {
    levels,
    open,
    load,
    setOpen(id, isOpen) {
      const next = new Set(open.get())
      if (isOpen) next.add(id)
      else next.delete(id)
      setAllOpen(next)
    },
    reveal(line) {
      setAllOpen(new Set([...open.get(), ...line.map(({ asset_category_id: id }) => id)]))
    },
    async refresh(parentIds) {
      for (const id of new Set(parentIds.map((parentId) => parentId ?? TOP))) {
        const { rows, next } = await read(id, undefined)
        setLevel(id, { folders: rows, next, state: 'ready' })
      }
    },
  }
}

function storedOpen(): ReadonlySet<number> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(OPEN) ?? '[]')
    return new Set(Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id)) : [])
  } catch {
    return new Set()
  }
}

function storeOpen(ids: ReadonlySet<number>): void {
  try {
    sessionStorage.setItem(OPEN, JSON.stringify([...ids]))
  } catch {
    // Storage is blocked.
  }
}
