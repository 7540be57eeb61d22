// The shown form of a folder: its path as far as the caller sees it, and nothing about folders above.

import { holdsEverywhere } from '../../auth/grants.ts'
import type { Sight } from '../../auth/visible-folders.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import type { JsonObject } from '../../schema/values.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Showing } from '../visibility.ts'

export const folderShowing: Showing<AssetCategory> = {
  object: assetCategory,
  seen: seenInFolder(assetCategory, 'asset_category_id'),
  derive:
    (_, sight) =>
    ({ asset_category_id: id }) => ({ path: sight.pathOf(id) }),
  mask: ({ caller }, sight) =>
    holdsEverywhere(caller, 'view') ? undefined : (record) => maskParent(sight, record),
  pathBytes:
    (sight) =>
    ({ asset_category_id: id }) =>
      sight.pathBytesOf(id) + PATH_MEMBER_BYTES,
  // Sorting by parent would reveal the hidden parents of the topmost visible folders.
  tellingOrders: new Set(['parent_category_id']),
}

/** Hides the parent of the topmost folder that the caller sees. */
function maskParent(
  sight: Sight,
  { parent_category_id: id }: AssetCategory,
): JsonObject | undefined {
  return id === null || sight.sees(id) ? undefined : { parent_category_id: null }
}
