// The folder tree, loaded level by level and page by page as folders are opened or scrolled into view. The open
// folders are stored for the tab.

import type { Api } from '../../client/api.ts'
import { type Cell, openCell } from '../../client/cell.ts'
import { parseJson, readStored, writeStored } from '../../client/stored.ts'
import { type FolderRecord, searchFolders } from './records.ts'

/** Parent of the topmost folders. */
export const TOP = 0

interface Level {
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

/** The loaded levels of a folder and of the folders below, whose paths and access depend on this folder. */
export function loadedBelow(tree: FolderTree, id: number): readonly number[] {
  const level = tree.levels.get().get(id)
  if (level === undefined) return []
  return [id, ...level.folders.flatMap((folder) => loadedBelow(tree, folder.asset_category_id))]
}

function storedOpen(): ReadonlySet<number> {
  const value = parseJson(readStored(OPEN, 'sessionStorage'))
  return new Set(Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id)) : [])
}

function storeOpen(ids: ReadonlySet<number>): void {
  writeStored(OPEN, JSON.stringify([...ids]), 'sessionStorage')
}

/** The open folders as list rows, and keyboard navigation between them. */
export interface FolderRow {
  readonly kind: 'folder'
  readonly folder: FolderRecord
  /** Starts at 1. */
  readonly depth: number
  readonly place: number
  readonly count: number
  readonly isOpen: boolean
  /** Known to have no subfolders. */
  readonly isLeaf: boolean
}

/** A placeholder for unread folders, which are loaded when it scrolls into view. */
export interface MoreRow {
  readonly kind: 'more'
  readonly parentId: number
  readonly depth: number
  readonly state: Level['state']
}

export type TreeRow = FolderRow | MoreRow

interface Shown {
  readonly levels: ReadonlyMap<number, Level>
  readonly open: ReadonlySet<number>
}

export function rowsOf(shown: Shown): readonly TreeRow[] {
  const rows: TreeRow[] = []
  addLevel(shown, rows, { parentId: TOP, depth: 1 })
  return rows
}

function addLevel(
  shown: Shown,
  rows: TreeRow[],
  { parentId, depth }: { readonly parentId: number; readonly depth: number },
): void {
  const level = shown.levels.get(parentId)
  const folders = level?.folders ?? []
  for (const [at, folder] of folders.entries()) {
    const id = folder.asset_category_id
    const isOpen = shown.open.has(id)
    const own = shown.levels.get(id)
    const isLeaf = own?.state === 'ready' && own.folders.length === 0
    const count = level?.next === null ? folders.length : -1
    rows.push({ kind: 'folder', folder, depth, place: at + 1, count, isOpen, isLeaf })
    if (isOpen) addLevel(shown, rows, { parentId: id, depth: depth + 1 })
  }
  const isWhole = level?.state === 'ready' && level.next === null
  if (!isWhole) rows.push({ kind: 'more', parentId, depth, state: level?.state ?? 'loading' })
}

type TreeMove =
  | { readonly kind: 'go'; readonly id: number }
  | { readonly kind: 'open' | 'close' | 'choose'; readonly id: number }

/** The effect of a key in a tree (ARIA Authoring Practices); undefined for other keys. */
export function moveOf(
  key: string,
  rows: readonly TreeRow[],
  activeId: number | undefined,
): TreeMove | undefined {
  const folders = rows.filter((row) => row.kind === 'folder')
  const at = folders.findIndex(({ folder }) => folder.asset_category_id === activeId)
  const row = folders[at]
  const go = (to: FolderRow | undefined): TreeMove | undefined =>
    to === undefined ? undefined : { kind: 'go', id: to.folder.asset_category_id }
  if (key === 'Home') return go(folders[0])
  if (key === 'End') return go(folders.at(-1))
  if (key === 'ArrowDown') return go(folders[at + 1])
  if (row === undefined) return undefined
  const id = row.folder.asset_category_id
  if (key === 'ArrowUp') return go(folders[at - 1])
  if (key === 'Enter' || key === ' ') return { kind: 'choose', id }
  if (key === 'ArrowRight') {
    if (!row.isOpen) return row.isLeaf ? undefined : { kind: 'open', id }
    const below = folders[at + 1]
    return below !== undefined && below.depth > row.depth ? go(below) : undefined
  }
  if (key === 'ArrowLeft') {
    if (row.isOpen && !row.isLeaf) return { kind: 'close', id }
    return go(folders.slice(0, at).findLast(({ depth }) => depth < row.depth))
  }
  return go(startingWith(folders, at, key))
}

function startingWith(
  folders: readonly FolderRow[],
  at: number,
  key: string,
): FolderRow | undefined {
  if (key.length !== 1) return undefined
  const wanted = key.toLowerCase()
  const order = [...folders.slice(at + 1), ...folders.slice(0, at + 1)]
  return order.find(({ folder }) => folder.name.toLowerCase().startsWith(wanted))
}
