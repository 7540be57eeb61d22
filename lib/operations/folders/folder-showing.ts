// What is shown of a folder: its path from where the caller sees it, and nothing of what lies above.

import { holdsEverywhere } from '../../auth/grants.ts'
import type { Sight } from '../../auth/sight.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import type { JsonObject } from '../../schema/values.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Showing } from '../showing.ts'

export const folderShowing: Showing = {
  object: assetCategory,
  seen: seenInFolder(assetCategory, 'asset_category_id'),
  derive: (_, sight) => (record) => ({ path: sight.pathOf(Number(record['asset_category_id'])) }),
  mask: ({ caller }, sight) =>
    holdsEverywhere(caller, 'view') ? undefined : (record) => maskParent(sight, record),
  pathBytes: (sight) => (record) =>
    sight.pathBytesOf(Number(record['asset_category_id'])) + PATH_MEMBER_BYTES,
  // The order of the topmost ones would follow from the folders in which they lie.
  tellingOrders: new Set(['parent_category_id']),
}

/** Of the topmost folder that it sees, a caller is not told in which it lies. */
function maskParent(sight: Sight, { parent_category_id: id }: JsonObject): JsonObject | undefined {
  return id === null || sight.sees(Number(id)) ? undefined : { parent_category_id: null }
}
