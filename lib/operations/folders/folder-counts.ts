// Numbers of the files and folders directly in each of some folders, as far as the caller sees them.

import { holdsEverywhere } from '../../auth/grants.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { inSlices, type Pause } from '../../schema/time-slicing.ts'
import { MAX_FOLDER_COUNT } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'

export interface FolderCounts {
  readonly asset_category_id: number
  /** At most MAX_FOLDER_COUNT; the folder may have more. */
  readonly folders: number
  readonly files: number
}

/** Leaves out folders that the caller may not view, without a trace. */
export function countInFolders(
  context: Context,
  ids: readonly number[],
): readonly FolderCounts[] | Promise<readonly FolderCounts[]> {
  return inSlices(counting(context, ids))
}

function* counting(
  { records, caller, purging }: Context,
  ids: readonly number[],
): Generator<Pause, readonly FolderCounts[]> {
  const visible = openVisibleFolders(records, caller)
  const seesAll = holdsEverywhere(caller, 'view') && purging.size === 0
  const counts: FolderCounts[] = []
  for (const id of ids) {
    yield
    if (!visible.grantsAt(id).has('view')) continue
    const below = idsInFolder(records, assetCategory, id, MAX_FOLDER_COUNT)
    let folders = seesAll ? below.length : 0
    for (const one of seesAll ? [] : below) {
      yield
      if (visible.grantsAt(one).has('view')) folders += 1
    }
    const files = idsInFolder(records, assetFile, id, MAX_FOLDER_COUNT).length
    counts.push({ asset_category_id: id, folders, files })
  }
  return counts
}
