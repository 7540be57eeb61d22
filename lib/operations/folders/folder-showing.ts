// The shown form of a folder: its path as far as the caller sees it, and nothing about folders above.

import { holdsEverywhere } from '../../auth/grants.ts'
import type { VisibleFolders } from '../../auth/visible-folders.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import type { JsonObject } from '../../schema/values.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Showing } from '../visibility.ts'

export const folderShowing: Showing<AssetCategory> = {
  object: assetCategory,
  seen: seenInFolder(assetCategory, 'asset_category_id'),
  derive:
    (_, visible) =>
    ({ asset_category_id: id }) => ({ path: visible.pathOf(id) }),
  mask: ({ caller }, visible) =>
    holdsEverywhere(caller, 'view') ? undefined : (record) => maskParent(visible, record),
  pathBytes:
    (visible) =>
    ({ asset_category_id: id }) =>
      visible.pathBytesOf(id) + PATH_MEMBER_BYTES,
  // Sorting by parent would reveal the hidden parents of the topmost visible folders.
  tellingOrders: new Set(['parent_category_id']),
}

/** Hides the parent of the topmost folder that the caller sees. */
function maskParent(
  visible: VisibleFolders,
  { parent_category_id: id }: AssetCategory,
): JsonObject | undefined {
  return id === null || visible.sees(id) ? undefined : { parent_category_id: null }
}
