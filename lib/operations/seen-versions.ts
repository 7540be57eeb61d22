// Which versions of a file a caller may see. What was saved while the file lay in another folder belongs to
// that folder: whoever does not hold the grant there is not told of it. What is live, on stage or the latest
// is what the file is now, wherever it was saved.

import type { Caller } from '../auth/caller.ts'
import { holdsEverywhere } from '../auth/grants.ts'
import { openSight, type Sight } from '../auth/sight.ts'
import type { AssetFile, AssetFileVersion } from '../schema/asset-file.ts'
import type { Grant } from '../schema/grants.ts'
import type { Reader } from '../storage/port.ts'
import type { Context } from './context.ts'
import { inSlices } from './in-turns.ts'
import { findVersion, noSuchVersion, requireVersion } from './versions.ts'

interface WantedVersion {
  readonly number: number
  /** Needed in the folder in which the file lay then. */
  readonly grant: Grant
}

/** A version for who may see it; not-found else. */
export function requireSeenVersion(
  { caller, ...context }: { readonly records: Reader; readonly caller: Caller },
  file: AssetFile,
  { number, grant }: WantedVersion,
): AssetFileVersion {
  const version = requireVersion(context.records, file.asset_file_id, number)
  if (seesVersion(openSight(context.records, caller), caller, { file, version, grant }))
    return version
  throw noSuchVersion(file.asset_file_id, number)
}

interface Saw {
  readonly file: AssetFile
  readonly version: AssetFileVersion
  readonly grant: Grant
}

function seesVersion(sight: Sight, caller: Caller, { file, version, grant }: Saw): boolean {
  const { parent_category_id: categoryId } = version
  if (categoryId === file.parent_category_id || sight.grantsAt(categoryId).has(grant)) return true
  // Of a folder that is gone nobody knows any more who was kept out of it.
  return holdsEverywhere(caller, grant)
}

export interface VersionPage {
  readonly versions: readonly AssetFileVersion[]
  /** Undefined where the caller may not see all of them, and this page does not show those that it may. */
  readonly total: number | undefined
  /** Number of the version before which the next page begins. */
  readonly next: number | undefined
}

/** Newest first. `before` is the number where the page before ended. */
export async function findVersions(
  context: Context,
  file: AssetFile,
  input: { readonly before: number | undefined; readonly length: number },
): Promise<VersionPage> {
  const first = Math.min(input.before ?? file.version + 1, file.version + 1) - 1
  const found = await inSlices(seenVersions(context, file, { first, length: input.length + 1 }))
  const versions = found.slice(0, input.length)
  const isLast = found.length === versions.length
  const isWhole = isLast && input.before === undefined
  return {
    versions,
    total: holdsEverywhere(context.caller, 'view')
      ? file.version
      : isWhole
        ? versions.length
        : undefined,
    next: isLast ? undefined : versions.at(-1)?.version,
  }
}

interface Stretch {
  readonly first: number
  readonly length: number
}

/** From the first downwards; yields at each, where others may be served. */
function* seenVersions(
  { records, caller }: Context,
  file: AssetFile,
  { first, length }: Stretch,
): Generator<void, readonly AssetFileVersion[]> {
  const sight = openSight(records, caller)
  const seen: AssetFileVersion[] = []
  for (let number = first; number > 0 && seen.length < length; number -= 1) {
    yield
    const version = findVersion(records, file.asset_file_id, number)
    if (version === undefined) continue
    if (seesVersion(sight, caller, { file, version, grant: 'view' })) seen.push(version)
  }
  return seen
}
