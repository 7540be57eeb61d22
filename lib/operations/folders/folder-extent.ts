// How deep folders nest and how long their paths are. Both are bounded, because a path is reckoned anew for
// each answer, and whoever asks about a folder walks from it to the root.

import { chainOf, type FolderReader } from '../../auth/folders.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import { refuseField } from '../../schema/check.ts'
import type { Records } from '../../storage/port.ts'
import { openTurns } from '../../schema/time-slicing.ts'

/** A way through folders: how many they are, and how many bytes of a path in UTF-8 they take. */
export interface Extent {
  readonly levels: number
  readonly bytes: number
}

export const NO_EXTENT: Extent = { levels: 0, bytes: 0 }

/** Of one folder, with the slash before it. */
export function ofName(name: string): Extent {
  return { levels: 1, bytes: 1 + Buffer.byteLength(name) }
}

export function addExtents(left: Extent, right: Extent): Extent {
  return { levels: left.levels + right.levels, bytes: left.bytes + right.bytes }
}

/** The most of each: not always those of one way. */
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

/** Throws invalid-content where the folder, or the furthest below it, would go too far. */
export function requireExtent(
  { maxFolderDepth, maxPathBytes }: Pick<ExtentLimits, 'maxFolderDepth' | 'maxPathBytes'>,
  own: Extent,
  below: Extent = NO_EXTENT,
): void {
  const { levels, bytes } = addExtents(own, below)
  const whose = below.levels === 0 ? 'the folder' : 'the folders below it'
  if (levels > maxFolderDepth) {
    const detail = `would have ${whose} nested ${levels} deep, and ${maxFolderDepth} is the most, the root included; choose a folder that is nearer to the root`
    refuseField('parent_category_id', detail)
  }
  if (bytes <= maxPathBytes) return
  const detail = `would give ${whose} a path of ${bytes} bytes, and ${maxPathBytes} is the most; choose a shorter name, or a folder that is nearer to the root`
  refuseField('name', detail)
}

/** How far the folders below this one go, in slices; it need not be known beyond what the limits allow. */
export async function measureBelow(
  records: Records,
  categoryId: number,
  limits: ExtentLimits,
): Promise<Extent> {
  let below = NO_EXTENT
  const turns = openTurns()
  const left = [{ id: categoryId, way: NO_EXTENT }]

  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { id, way } = next
    for await (const folder of foldersIn(records, id, limits.maxListLength)) {
      const further = addExtents(way, ofName(folder.name))
      below = longest(below, further)
      left.push({ id: folder.asset_category_id, way: further })
      if (turns.isOver(0)) await turns.next()
    }
    if (below.levels > limits.maxFolderDepth || below.bytes > limits.maxPathBytes) return below
    if (turns.isOver(0)) await turns.next()
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
  // Most folders have none below them, which a look at the index tells.
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
