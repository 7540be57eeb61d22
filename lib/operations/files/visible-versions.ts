// The versions of a file that a caller may see. A version saved while the file was in another folder belongs to that
// folder: callers without the grant there do not see it. The live, staged and latest versions belong to the file's
// present folder.

import { grantsAt, holdsEverywhere } from '../../auth/grants.ts'
import { type Holder, seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { type AssetFile, type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import { removedVersions } from '../../schema/version-retention.ts'
import type { Grant } from '../../shared/grants.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { NumberRange } from '../newest-page.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import { noSuchVersion, requireVersion } from './versions.ts'

interface WantedVersion {
  readonly number: number
  /** Required in the folder that contained the file at that time. */
  readonly grant: Grant
}

/** A version for callers who may see it; throws not-found otherwise. */
export function requireSeenVersion(
  { records, caller }: { readonly records: Reader; readonly caller: Holder },
  file: AssetFile,
  { number, grant }: WantedVersion,
): AssetFileVersion {
  const version = requireVersion(records, file.asset_file_id, number)
  if (seesVersion(openVisibleFolders(records, caller), caller, { file, version, grant }))
    return version
  throw noSuchVersion(file.asset_file_id, number)
}

interface Saw {
  readonly file: AssetFile
  readonly version: AssetFileVersion
  readonly grant: Grant
}

function seesVersion(
  visible: VisibleFolders,
  caller: Holder,
  { file, version, grant }: Saw,
): boolean {
  const { parent_category_id: categoryId } = version
  if (!seesDrafts(visible.grantsAt(file.parent_category_id)))
    return version.version === visitorsVersion(file)
  if (categoryId === file.parent_category_id || visible.grantsAt(categoryId).has(grant)) return true
  // The roles in a deleted folder are unknown.
  return holdsEverywhere(caller, grant)
}

/** The only version shown to keys without a grant for drafts: the live one, or the latest if none is live. */
function visitorsVersion({ live_version: live, version }: AssetFile): number {
  return live ?? version
}

export interface VersionPage {
  readonly versions: readonly Stored<AssetFileVersion>[]
  /** Undefined if the caller may not see all versions and this page does not show all visible ones. */
  readonly total: number | undefined
  /** The next page begins before this version number. */
  readonly next: number | undefined
}

/** Newest first; a page may end early, as in all lists. */
export async function findVersions(
  context: Context,
  file: AssetFile,
  { before, length }: NumberRange,
): Promise<VersionPage> {
  const hasDrafts = seesDrafts(grantsAt(context.records, context.caller, file.parent_category_id))
  const newest = hasDrafts ? file.version : visitorsVersion(file)
  const first = Math.min(before ?? newest + 1, newest + 1) - 1
  const stretch = { first, last: hasDrafts ? 1 : newest, length }
  const { versions, hasMore } = await inSlices(seenVersions(context, file, stretch))
  const isWhole = !hasMore && before === undefined
  const last = versions.at(-1)?.value.version
  return {
    versions,
    total:
      hasDrafts && holdsEverywhere(context.caller, 'view')
        ? file.version -
          (context.records.get(removedVersions, file.asset_file_id)?.value.count ?? 0)
        : isWhole
          ? versions.length
          : undefined,
    next: hasMore ? last : undefined,
  }
}

interface Seen {
  readonly versions: readonly Stored<AssetFileVersion>[]
  readonly hasMore: boolean
}

/** From the first down to the last; yields at each, so that other requests can run. */
function* seenVersions(
  { records, caller, limits }: Context,
  file: AssetFile,
  {
    first,
    last,
    length,
  }: { readonly first: number; readonly last: number; readonly length: number },
): Generator<void, Seen> {
  const visible = openVisibleFolders(records, caller)
  const versions: Stored<AssetFileVersion>[] = []
  let pageBytes = 0
  for (let number = first; number >= last; number -= 1) {
    yield
    const stored = records.get(assetFileVersion, file.asset_file_id, number)
    if (stored === undefined) continue
    const version = stored.value
    if (!seesVersion(visible, caller, { file, version, grant: 'view' })) continue
    pageBytes += stored.sizeBytes
    const isFull = versions.length > 0 && pageBytes > limits.listBytes
    if (isFull || versions.length === length) return { versions, hasMore: true }
    versions.push(stored)
  }
  return { versions, hasMore: false }
}
