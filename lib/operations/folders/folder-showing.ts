// What is shown of a folder: its path from where the caller sees it, and nothing of what lies above.

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
  // The order of the topmost ones would follow from the folders in which they lie.
  tellingOrders: new Set(['parent_category_id']),
}

/** Of the topmost folder that it sees, a caller is not told in which it lies. */
function maskParent(
  sight: Sight,
  { parent_category_id: id }: AssetCategory,
): JsonObject | undefined {
  return id === null || sight.sees(id) ? undefined : { parent_category_id: null }
}
