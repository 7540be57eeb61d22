// Removes orphans: objects that no version refers to, left by a save that ended between PUT and commit, or by a removal.
// Objects younger than the grace period may still be referred to. A name is used only once, so older orphans stay
// orphans.
//
// The store is listed first and the newest records are read afterwards, so that everything saved in between is known. One
// sweep per cluster is enough; two concurrent sweeps do no harm.

import { assetFileVersion, contentNameOf } from '../schema/asset-file.ts'
import type { Id } from '../schema/values.ts'
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
  /** Orphans that were kept, because implausibly many were found. */
  readonly refused: number
  readonly endedUploads: number
  /** Why multipart uploads could not be listed: the store may not support or not allow the call. */
  readonly uploadsLeft?: string
}

/** If more than this part of all contents are orphans, the records are wrong, not the contents. */
const BELIEVED_PART = 1 / 2
/** Up to this number all contents may be orphans. */
const FEW = 100
/** Orphans found in one run; the next run finds more. */
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

/** Leftover uploads only cost space, so a failure here does not stop the sweep. */
async function endUploads({ store, prefix, graceMs }: OrphansOptions): Promise<Uploads> {
  try {
    return { endedUploads: await store.endUploads(prefix, graceMs) }
  } catch (error) {
    return { endedUploads: 0, uploadsLeft: reasonOf(error) }
  }
}

/** Returns the keys of contents that no version refers to. */
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

/** Whether a version has these bytes, by the index; if the index has no row, by the versions, because a row may be lost. */
export function isNamed(
  records: Pick<Records, 'lookup' | 'list' | 'get'>,
  { fileId, uid }: ContentName,
): boolean {
  const rows = records.lookup(assetFileVersion, 'uid', [uid])
  const hasContent = (ids: readonly Id[]): boolean => {
    const version = records.get(assetFileVersion, ...ids)?.value
    return version?.uid === uid && contentNameOf(version).fileId === fileId
  }
  return rows.some(hasContent) || records.list(assetFileVersion, [fileId]).some(hasContent)
}
