// Compares the bytes on disk with the versions that name them, both ways.

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import { findCarried } from '../carried.ts'
import type { KvReader } from '../kv.ts'
import { prefixRange } from '../keys.ts'
import type { ContentName } from '../port.ts'
import { findRecord, parseRecord, recordRange } from '../record-format.ts'
import { contentPath, type Layout, parseContentName, SHARDS } from './layout.ts'

/** Every version in turn; one with a damaged record is left to verify-records. */
export function* eachVersion(kv: KvReader): Generator<AssetFileVersion> {
  for (const key of kv.keys(recordRange(assetFileVersion))) {
    const version = readVersion(kv, key)
    if (version !== undefined) yield version
  }
}

/** Undefined when the record is gone or damaged. */
export function readVersion(kv: KvReader, key: Buffer): AssetFileVersion | undefined {
  try {
    const stored = findRecord(kv, key)
    return stored === undefined
      ? undefined
      : (parseRecord(assetFileVersion, stored) as unknown as AssetFileVersion)
  } catch {
    return undefined
  }
}

/** True when there are bytes of the right length under the name of the version, or on their way there. */
export function hasBytes(layout: Layout, kv: KvReader, version: AssetFileVersion): boolean {
  const name = { fileId: version.asset_file_id, uid: version.uid }
  if (findCarried(kv, name)?.length === version.size) return true
  const path = contentPath(layout, name)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.nlink === 1 && stats.size === version.size
}

/** Paths in the shards that no version names. */
export function* eachOrphan(layout: Layout, kv: KvReader): Generator<string> {
  for (const shard of SHARDS) {
    for (const name of readdirSync(join(layout.dataDir, shard))) {
      const content = parseContentName(name)
      const isKnown = content?.uid.startsWith(shard) === true && isNamed(kv, content)
      if (!isKnown) yield join(layout.dataDir, shard, name)
    }
  }
}

function isNamed(kv: KvReader, { fileId, uid }: ContentName): boolean {
  return (
    kv.count({ ...prefixRange(['i', assetFileVersion.name, 'uid', uid, fileId]), limit: 1 }) > 0
  )
}
