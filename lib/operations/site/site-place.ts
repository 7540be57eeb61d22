// The root folder of a site, and the folders that visitors see below it.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import type { Holder } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import type { Site } from '../../config/flag-values.ts'
import { type AssetCategory, assetCategory, ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import type { Reader } from '../../storage/port.ts'
import { findByName } from '../requirements.ts'

export interface Place {
  readonly records: Reader
  readonly visible: VisibleFolders
  readonly rootId: number
}

/** Undefined if the root folder of the site does not exist or the caller does not see it: visitors see public folders. */
export function openPlace(
  { records, caller }: { readonly records: Reader; readonly caller: Holder },
  { folder }: Site,
): Place | undefined {
  const visible = openVisibleFolders(records, caller)
  const rootId = findRoot(records, folder)
  return rootId !== undefined && visible.sees(rootId) ? { records, visible, rootId } : undefined
}

export interface VisibleSite {
  readonly origin: string
  /** The root folder of the site. */
  readonly asset_category_id: number
}

/** The sites whose root folder is public and visible to the caller. */
export function visibleSites(
  { records, caller }: { readonly records: Reader; readonly caller: Holder },
  sites: readonly Site[],
): readonly VisibleSite[] {
  const visible = openVisibleFolders(records, caller)
  return sites.flatMap((site) => {
    const rootId = openPlace({ records, caller: ANONYMOUS }, site)?.rootId
    if (rootId === undefined || !visible.sees(rootId)) return []
    return [{ origin: site.origin, asset_category_id: rootId }]
  })
}

function findRoot(records: Reader, path: string): number | undefined {
  const [root = '', ...names] = path.slice(1).split('/')
  const main = records.get(assetCategory.recordType, ROOT_CATEGORY_ID)?.value
  if (main?.name !== root) return undefined
  let id: number | undefined = ROOT_CATEGORY_ID
  for (const name of names) if (id !== undefined) id = findByName(records, assetCategory, id, name)
  return id
}

/**
 * The names of the folders from the root of a site down to a folder; undefined if the folder is not below the root, or if a
 * folder of the path is not public, because its name would be shown.
 */
export function namesTo(
  { records, rootId, visible }: Place,
  folderId: number,
): readonly string[] | undefined {
  const names: string[] = []
  for (let id: number | null = folderId; id !== rootId; ) {
    const folder: AssetCategory | undefined = records.get(assetCategory.recordType, id ?? 0)?.value
    if (folder === undefined || !visible.sees(folder.asset_category_id)) return undefined
    names.unshift(folder.name)
    id = folder.parent_category_id
  }
  return names
}

/** The path of a folder on the site, percent-encoded, with a slash at both ends. Undefined as for namesTo. */
export function pathOf(place: Place, folderId: number): string | undefined {
  const names = namesTo(place, folderId)
  return names && ['', ...names.map(encodeURIComponent), ''].join('/')
}
