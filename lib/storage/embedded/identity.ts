// Identity of a site: instance.json and a row of the records must hold the same uuid.

import { readdirSync, statSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { IDENTITY_KEY } from '../records/format.ts'
import type { KvReader } from '../records/kv.ts'
import {
  type DataPaths,
  readSmallFile,
  requireReadable,
  SHARDS,
  hasDirectories,
  writeSmallFile,
} from './data-paths.ts'
import type { UpgradeStep } from './upgrade-steps.ts'
import { RefusedError } from './refusal.ts'
import { findFileFault } from '../../workers/files.ts'

/** False for the empty file that a start leaves if it is killed at once. */
export function hasBytes(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Refuses contents without records, which must never be served as an empty site. */
export async function requireIdentityFiles(
  dataPaths: DataPaths,
  steps?: readonly UpgradeStep[],
): Promise<void> {
  const instance = await requireReadable(dataPaths, steps)
  if (hasBytes(dataPaths.dataFile)) return

  const shards = readdirSync(dataPaths.dataDir).filter((name) => SHARDS.includes(name))
  const hasContent = shards.some((shard) => readdirSync(join(dataPaths.dataDir, shard)).length > 0)
  if (instance !== undefined || hasContent) {
    throw new RefusedError(
      'The records (records/data.mdb) are missing or empty, but this directory held a site. Restore a backup of records/.',
    )
  }
}

/** Checks only. An interrupted first start may have written only the row, which is enough for reading. */
export async function requireIdentity(dataPaths: DataPaths, kv: KvReader): Promise<void> {
  const inRecords = kv.get(IDENTITY_KEY)?.toString()
  if (inRecords === undefined)
    throw new RefusedError('The records hold no site identity. Restore a backup of records/.')
  const instance = await readSmallFile(dataPaths.instance)
  if (instance !== undefined) requireSame(instance, inRecords)
}

export function requireSame(instance: Readonly<Record<string, unknown>>, inRecords: string): void {
  if (instance['uuid'] === inRecords) return
  throw new RefusedError(
    'The records (records/) and the contents of this directory belong to different sites. Restore both from one backup.',
  )
}

// The mark of a clean stop: size and time of the records file.

interface CleanMark {
  readonly size: number
  readonly mtimeMs: number
}

/** Returns false if the disk has no space for the mark: the next start then verifies everything. */
export function markClean(dataPaths: DataPaths): boolean {
  try {
    writeSmallFile(dataPaths, dataPaths.clean, cleanMark(dataPaths))
    return true
  } catch (error) {
    if (findFileFault((error as NodeJS.ErrnoException).code)?.code !== 'disk-full') throw error
    return false
  }
}

export function cleanMark(dataPaths: DataPaths): CleanMark {
  const { size, mtimeMs } = statSync(dataPaths.dataFile)
  return { size, mtimeMs }
}

/** True if the last owner closed the records, the file is unchanged since, and no directory is missing. */
export async function wasClosedCleanly(dataPaths: DataPaths): Promise<boolean> {
  const mark = await readSmallFile(dataPaths.clean)
  if (mark === undefined || !existsSync(dataPaths.dataFile) || !hasDirectories(dataPaths))
    return false
  const now = cleanMark(dataPaths)
  return mark['size'] === now.size && mark['mtimeMs'] === now.mtimeMs
}
