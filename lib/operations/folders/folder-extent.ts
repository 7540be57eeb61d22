// The depth of folders and the length of their paths. Both are limited, because each answer computes paths, and each
// access check walks to the root.

import { chainOf, type FolderReader } from '../../auth/folders.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import { refuseField } from '../../schema/check.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Records } from '../../storage/port.ts'

/** A path through folders: the number of folders, and the bytes of the path in UTF-8. */
export interface Extent {
  readonly levels: number
  readonly bytes: number
}

export const NO_EXTENT: Extent = { levels: 0, bytes: 0 }

/** One folder, with the slash before its name. */
export function ofName(name: string): Extent {
  return { levels: 1, bytes: 1 + Buffer.byteLength(name) }
}

export function addExtents(left: Extent, right: Extent): Extent {
  return { levels: left.levels + right.levels, bytes: left.bytes + right.bytes }
}

/** The maximum of both values, not always from the same path. */
export function longest(left: Extent, right: Extent): Extent {
  return { levels: Math.max(left.levels, right.levels), bytes: Math.max(left.bytes, right.bytes) }
}

/** From the root to the folder, both included. */
export function extentOf(reader: FolderReader, categoryId: number): Extent {
  const chain = chainOf(reader, categoryId) ?? []
  return chain.reduce((sum, { name }) => addExtents(sum, ofName(name)), NO_EXTENT)
}

export interface ExtentLimits {
  readonly maxFolderDepth: number
  readonly maxPathBytes: number
  readonly maxListLength: number
}

/** Throws invalid-content if the folder, or the furthest one below it, exceeds a limit. */
export function requireExtent(
  { maxFolderDepth, maxPathBytes }: Pick<ExtentLimits, 'maxFolderDepth' | 'maxPathBytes'>,
  own: Extent,
  below: Extent = NO_EXTENT,
): void {
  const { levels, bytes } = addExtents(own, below)
  const whose = below.levels === 0 ? 'the folder' : 'the folders below it'
  if (levels > maxFolderDepth) {
    const detail = `would nest ${whose} ${levels} levels deep, and the limit is ${maxFolderDepth}, including the root; choose a folder nearer to the root`
    refuseField('parent_category_id', detail)
  }
  if (bytes <= maxPathBytes) return
  const detail = `would give ${whose} a path of ${bytes} bytes, and the limit is ${maxPathBytes}; choose a shorter name, or a folder nearer to the root`
  refuseField('name', detail)
}

/** The extent of the folders below, measured in time slices; stops once it exceeds the limits. */
export async function measureBelow(
  records: Records,
  categoryId: number,
  limits: ExtentLimits,
): Promise<Extent> {
  let below = NO_EXTENT
  const slice = openTimeSlice()
  const left = [{ id: categoryId, way: NO_EXTENT }]

  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { id, way } = next
    for await (const folder of foldersIn(records, id, limits.maxListLength)) {
      const further = addExtents(way, ofName(folder.name))
      below = longest(below, further)
      left.push({ id: folder.asset_category_id, way: further })
      if (slice.isOver(0)) await slice.next()
    }
    if (below.levels > limits.maxFolderDepth || below.bytes > limits.maxPathBytes) return below
    if (slice.isOver(0)) await slice.next()
  }
  return below
}

async function* foldersIn(
  records: Records,
  categoryId: number,
  length: number,
): AsyncGenerator<AssetCategory> {
  const { recordType, searchable } = assetCategory
  const field = searchable.get('parent_category_id')
  // Most folders have no subfolders; the index shows that quickly.
  const isEmpty = records.lookup(recordType, 'parent_category_id', [categoryId], 1).length === 0
  if (isEmpty || field === undefined) return

  const match = { op: 'eq', field, value: categoryId } as const
  let cursor: string | undefined
  do {
    const page = await records.search(recordType, searchable, { match, length, cursor })
    for (const stored of page.records) yield stored.value
    cursor = page.next
  } while (cursor !== undefined)
}

export interface FolderWatch {
  /** Extent of what was created below the folder, even if the commit was rolled back. */
  readonly made: () => Extent
  /** True once a folder was moved there or got a longer name, because the folders below it are not measured. */
  readonly hasMoved: () => boolean
  readonly close: () => void
}

interface FolderChange {
  readonly kind: 'made' | 'moved'
  readonly parentId: number
  readonly name: string
}

export interface FolderWatches {
  readonly open: (categoryId: number) => FolderWatch
  /** Must be called inside every commit that creates or moves a folder, or gives it a longer name. */
  readonly notice: (reader: FolderReader, change: FolderChange) => void
  readonly isOpen: () => boolean
  /** A folder was created or moved at an unknown place. */
  readonly lose: () => void
}

interface Watching {
  readonly categoryId: number
  made: Extent
  hasMoved: boolean
}

/**
 * Watches what is created or moved below a folder while its subtree is being measured, so that nothing is missed
 * between measuring and commit. It never blocks a write.
 */
export function openFolderWatches(): FolderWatches {
  const watches = new Set<Watching>()

  return {
    open(categoryId) {
      const watching: Watching = { categoryId, made: NO_EXTENT, hasMoved: false }
      watches.add(watching)
      return {
        made: () => watching.made,
        hasMoved: () => watching.hasMoved,
        close: () => void watches.delete(watching),
      }
    },
    isOpen: () => watches.size > 0,
    lose() {
      for (const watching of watches) watching.hasMoved = true
    },
    notice(reader, { kind, parentId, name }) {
      if (watches.size === 0) return
      let extent = ofName(name)
      for (const folder of chainOf(reader, parentId) ?? []) {
        for (const watching of watches) {
          if (watching.categoryId !== folder.asset_category_id) continue
          if (kind === 'moved') watching.hasMoved = true
          else watching.made = longest(watching.made, extent)
        }
        extent = addExtents(extent, ofName(folder.name))
      }
    },
  }
}
