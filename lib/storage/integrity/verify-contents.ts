// Compares the contents on disk with the versions that refer to them, in both directions.

import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AssetFileVersion, assetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import { counted } from '../../schema/message-text.ts'
import { findInline } from '../records/inline-contents.ts'
import type { KvReader } from '../records/kv.ts'
import { textRange } from '../records/keys.ts'
import type { Id } from '../../schema/values.ts'
import {
  parseRecord,
  recordKey,
  recordRange,
  rowBase,
  rowParts,
  rowRange,
} from '../records/format.ts'
import { decodeRecord } from '../records/record-bytes.ts'
import { keyChunks } from '../records/slices.ts'
import { contentPath, type DataPaths, parseContentName, SHARDS } from '../embedded/data-paths.ts'
import { RefusedError } from '../embedded/refusal.ts'

/** Versions whose bytes are missing or truncated and that are not marked as damaged. */
export function findCut(dataPaths: DataPaths, kv: KvReader): readonly AssetFileVersion[] {
  const cut: AssetFileVersion[] = []
  for (const version of eachVersion(kv))
    if (!version.damaged && !hasBytes(dataPaths, kv, version)) cut.push(version)
  return cut
}

/**
 * Throws if the directory holds records without their contents: instance.json and all contents are missing. An unmounted
 * volume looks like this, and all versions would be marked damaged. An interrupted first start has no versions yet, and a
 * directory that lost only instance.json still holds contents.
 */
export function requireOwnContents(dataPaths: DataPaths, kv: KvReader): void {
  if (existsSync(dataPaths.instance)) return
  let missing = 0
  for (const version of eachVersion(kv)) {
    const name = contentNameOf(version)
    if (version.damaged || findInline(kv, name) !== undefined) continue
    if (existsSync(contentPath(dataPaths, name))) return
    missing += 1
  }
  if (missing === 0) return
  throw new RefusedError(
    `${dataPaths.dataDir} holds the records of a site and none of its contents: instance.json and the bytes of ${counted(missing, 'version')} are missing. Mount the volume that holds them, or restore a backup. Nothing was changed.`,
  )
}

/** Every version in order; verify-records reports damaged records. */
function* eachVersion(kv: KvReader): Generator<AssetFileVersion> {
  for (const { value } of kv.pairs(recordRange(kv, assetFileVersion))) {
    const version = parseVersion(value)
    if (version !== undefined) yield version
  }
}

/** Versions with the same bytes. */
export type VersionGroup = readonly AssetFileVersion[]

/**
 * All versions, grouped by their bytes, in chunks between which the caller may wait. A group may continue in the next
 * chunk.
 */
export function* versionGroups(kv: KvReader): Generator<readonly VersionGroup[]> {
  for (const keys of keyChunks(kv, rowRange(kv, assetFileVersion, { index: 'uid' })))
    yield groupsOf(kv, keys)
}

/** Number of versions of all contents. */
export function countVersions(kv: KvReader): number {
  return kv.count(rowRange(kv, assetFileVersion, { index: 'uid' }))
}

/** One version for each content, also in chunks. */
export function* eachContent(kv: KvReader): Generator<VersionGroup> {
  let lastUid: string | undefined
  for (const groups of versionGroups(kv)) {
    const versions = groups.flatMap((group) => group.slice(0, 1))
    yield versions.filter(({ uid }) => uid !== lastUid)
    lastUid = versions.at(-1)?.uid
  }
}

function groupsOf(kv: KvReader, keys: readonly Buffer[]): readonly VersionGroup[] {
  const groups = new Map<string, AssetFileVersion[]>()
  for (const key of keys) {
    const version = readVersion(
      kv,
      recordKey(kv, assetFileVersion, rowParts(key).slice(-2) as Id[]),
    )
    if (version === undefined) continue
    const group = groups.get(version.uid)
    if (group === undefined) groups.set(version.uid, [version])
    else group.push(version)
  }
  return [...groups.values()]
}

/** Returns undefined if the record is gone or damaged. */
export function readVersion(kv: KvReader, key: Buffer): AssetFileVersion | undefined {
  const value = kv.get(key)
  return value === undefined ? undefined : parseVersion(value)
}

function parseVersion(value: Buffer): AssetFileVersion | undefined {
  try {
    return parseRecord(assetFileVersion, decodeRecord<AssetFileVersion>(value))
  } catch {
    return undefined
  }
}

/** Whether bytes of the right length exist for the version, as a file or inline. */
export function hasBytes(dataPaths: DataPaths, kv: KvReader, version: AssetFileVersion): boolean {
  const name = contentNameOf(version)
  const stats = lstatSync(contentPath(dataPaths, name), { throwIfNoEntry: false })
  const isWhole = stats?.isFile() === true && stats.nlink === 1 && stats.size === version.size
  // Checked last: nearly all contents are files.
  return isWhole || findInline(kv, name)?.length === version.size
}

/**
 * Paths in the shards that no version refers to. Versions are searched by their index first and then by their records: an
 * index row that a disk fault has destroyed must not make an orphan.
 */
export function findOrphans(dataPaths: DataPaths, kv: KvReader): readonly string[] {
  const orphans = new Set(eachWithoutRow(dataPaths, kv))
  for (const path of orphans) if (isOfCopy(kv, basename(path))) orphans.delete(path)
  const fileIds = new Set(
    [...orphans].flatMap((path) => parseContentName(basename(path))?.fileId ?? []),
  )
  for (const fileId of fileIds) {
    for (const { value } of kv.pairs(recordRange(kv, assetFileVersion, [fileId]))) {
      const version = parseVersion(value)
      if (version !== undefined) orphans.delete(contentPath(dataPaths, contentNameOf(version)))
    }
  }
  return [...orphans]
}

/** Whether a copy of a file that is gone has this content: its index row has the number of the copy. */
function isOfCopy(kv: KvReader, fileName: string): boolean {
  const name = parseContentName(fileName)
  if (name === undefined) return false
  const rows = kv.keys(rowRange(kv, assetFileVersion, { index: 'uid', values: [name.uid] }))
  return groupsOf(kv, [...rows])
    .flat()
    .some((version) => contentNameOf(version).fileId === name.fileId)
}

function* eachWithoutRow(dataPaths: DataPaths, kv: KvReader): Generator<string> {
  for (const shard of SHARDS) {
    const names = namesOf(join(dataPaths.dataDir, shard))
    // Read after the directory, so that contents saved in between are known.
    const known = names.length === 0 ? NO_NAMES : namesIn(kv, shard)
    for (const name of names) if (!known.has(name)) yield join(dataPaths.dataDir, shard, name)
  }
}

/** A missing directory counts as empty. */
function namesOf(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : []
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** File names of the versions in a shard. */
function namesIn(kv: KvReader, shard: string): ReadonlySet<string> {
  const rows = kv.keys(textRange(rowBase(kv, assetFileVersion, 'uid'), shard))
  return new Set(
    Array.from(rows, (row) => {
      const [uid, fileId] = rowParts(row)
      return `${fileId}.${uid}`
    }),
  )
}

/** Name of a version for people. */
export function nameOf({ asset_file_id: fileId, version }: AssetFileVersion): string {
  return `asset_file ${fileId} version ${version}`
}
