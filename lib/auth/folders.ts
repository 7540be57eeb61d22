// The path from a folder to the root, which decides who may do what in the folder.

import { type AssetCategory, assetCategory, ROOT_CATEGORY_ID } from '../schema/asset-category.ts'
import type { Reader } from '../storage/port.ts'

export type FolderReader = Pick<Reader, 'get'>

/**
 * The folder and its ancestors, the root last. Undefined if the folder does not exist or an ancestor is missing:
 * deleting a folder removes its subtree at once, though the records are removed later.
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
