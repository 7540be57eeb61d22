// The open folders as list rows, and keyboard navigation between them.

import { type Level, TOP } from './folder-tree.ts'
import type { FolderRecord } from './records.ts'

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

export type TreeMove =
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
