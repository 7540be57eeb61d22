// Removes what no version names: the other half of a save that ended between its PUT and its commit, and what a removal
// has left. What is younger than the grace may be named yet; a name is given once, so what is older never will be.
//
// The store is listed first and the newest records are asked then, so that whatever was saved between is known. Once
// in a cluster is enough; twice at once does no harm.

import { assetFileVersion } from '../schema/asset-file.ts'
import { parseContentName, SHARDS } from '../storage/embedded/data-paths.ts'
import type { ContentName, Records } from '../storage/port.ts'
import type { ObjectStore } from './object-store.ts'
import { reasonOf } from './store-faults.ts'

export interface OrphansOptions {
  readonly store: ObjectStore
  readonly prefix: string
  readonly records: Pick<Records, 'renew' | 'lookup' | 'list' | 'get'>
  readonly graceMs: number
  readonly signal: AbortSignal
}

export interface OrphansFound {
  readonly listed: number
  readonly removed: number
  /** They were too many to be believed, and all are left. */
  readonly refused: number
  readonly endedUploads: number
  /** Why uploads in parts could not be looked for: a store may not know the call, or not allow it. */
  readonly uploadsLeft?: string
}

/** Where more than this part of all contents is named by nobody, the records are the ones that are wrong. */
const BELIEVED_PART = 1 / 2
/** So few may be all of them. */
const FEW = 100
/** So many are found in one run; the next finds the others. */
const MOST = 100_000

export async function removeOrphans(options: OrphansOptions): Promise<OrphansFound> {
  const { store, prefix, graceMs, signal } = options
  const orphans: string[] = []
  let listed = 0
  for (const shard of SHARDS) {
    for await (const page of store.list(`${prefix}${shard}/`)) {
      signal.throwIfAborted()
      listed += page.length
      const old = page.filter(({ ageMs }) => ageMs > graceMs).map(({ key }) => key)
      orphans.push(...(await unnamed(options, old)))
    }
    if (orphans.length > MOST) break
  }

  const uploads = await endUploads(options)
  if (orphans.length > FEW && orphans.length > listed * BELIEVED_PART)
    return { listed, removed: 0, refused: orphans.length, ...uploads }
  await store.remove(orphans)
  return { listed, removed: orphans.length, refused: 0, ...uploads }
}

type Uploads = Pick<OrphansFound, 'endedUploads' | 'uploadsLeft'>

/** They cost room and nothing else, so orphans are removed without them. */
async function endUploads({ store, prefix, graceMs }: OrphansOptions): Promise<Uploads> {
  try {
    return { endedUploads: await store.endUploads(prefix, graceMs) }
  } catch (error) {
    return { endedUploads: 0, uploadsLeft: reasonOf(error) }
  }
}

/** Those of the keys that are of contents, and that no version names. */
async function unnamed(
  { prefix, records }: OrphansOptions,
  keys: readonly string[],
): Promise<readonly string[]> {
  await records.renew()
  return keys.filter((key) => {
    const name = parseContentName(key.slice(prefix.length + SHARD_LENGTH))
    return name !== undefined && !isNamed(records, name)
  })
}

const SHARD_LENGTH = 'ff/'.length

/** Whether any version has these bytes: by the index, and what is not in it by the versions themselves: a row may be lost. */
export function isNamed(
  records: Pick<Records, 'lookup' | 'list' | 'get'>,
  { fileId, uid }: ContentName,
): boolean {
  const rows = records.lookup(assetFileVersion, 'uid', [uid])
  if (rows.some(([id]) => id === fileId)) return true
  return records
    .list(assetFileVersion, [fileId])
    .some((ids) => records.get(assetFileVersion, ...ids)?.value.uid === uid)
}
