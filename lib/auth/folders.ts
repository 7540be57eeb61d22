// The way from a folder to the root: who may do what in a folder follows from it.

import { type AssetCategory, assetCategory, ROOT_CATEGORY_ID } from '../schema/asset-category.ts'
import type { Reader } from '../storage/port.ts'

export type FolderReader = Pick<Reader, 'get'>

/**
 * The folder and all above it, the root last. Undefined when there is no such folder or the way is
 * broken: the subtree of a folder that was deleted is gone at that instant, though its records are
 * cleared away after it.
 */
export function chainOf(
  reader: FolderReader,
  categoryId: number,
): readonly AssetCategory[] | undefined {
  const chain: AssetCategory[] = []
  let next: number | null = categoryId

  while (next !== null) {
    const stored = reader.get(assetCategory.recordType, next)
    if (stored === undefined) return undefined
    const folder: AssetCategory = stored.value
    chain.push(folder)
    next = folder.parent_category_id
  }
  return chain.at(-1)?.asset_category_id === ROOT_CATEGORY_ID ? chain : undefined
}
