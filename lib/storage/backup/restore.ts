// `cms-server restore`: creates a data directory from a backup and compares every byte. `.restoring` is the first file in
// the directory and is removed last: no server starts on half a site, and the next restore starts over.

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { makeDirectory } from '../../base/make-directory.ts'
import { CmsError } from '../../base/errors.ts'
import { syncDirectory } from '../../workers/files.ts'
import type { Pool } from '../../workers/pool.ts'
import { type CopiedContents, copyContents, type OnProgress } from './copy-contents.ts'
import {
  type DataPaths,
  dataPathsOf,
  foreignNames,
  makeDirectories,
  readSmallFile,
  removeSmallFile,
  SHARDS,
  writeSmallFile,
} from '../embedded/data-paths.ts'
import { FORMAT, stepsFrom, type UpgradeStep } from '../embedded/upgrade-steps.ts'
import { renewEpochOf } from '../embedded/change-epoch.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { refuseAll, requireUnused } from '../embedded/lock.ts'
import { type Manifest, requireManifest } from './manifest.ts'
import { eachFile } from './moment.ts'
import { RefusedError } from '../embedded/refusal.ts'
import { takeDirectory } from '../embedded/taken-directory.ts'

export interface RestoreOptions {
  readonly backup: string
  /** Must be empty or must not exist. */
  readonly dataDir: string
  readonly pool: Pool
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  /** Conversions of earlier formats. Default: UPGRADE_STEPS. */
  readonly upgradeSteps?: readonly UpgradeStep[]
}

export interface RestoreReport extends CopiedContents {
  readonly manifest: Manifest
}

export async function restoreEmbedded(options: RestoreOptions): Promise<RestoreReport> {
  const manifest = await requireManifest(options.backup, options.upgradeSteps)
  const to = dataPathsOf(options.dataDir)
  const made = makeDirectory(to.dataDir)
  await requireUnused(to.dataDir)
  const begun = await readSmallFile(to.restoring)
  if (begun === undefined) requireEmpty(to)
  const taken = await takeDirectory(to.dataDir, begun)
  taken.lock.serve(
    refuseAll('A backup is being restored into this directory. Try again when it has finished.'),
  )
  try {
    if (existsSync(to.restoring)) clear(to)
    requireEmpty(to)
    mkdirSync(to.tmp, { recursive: true, mode: 0o700 })
    const { owner } = taken
    writeSmallFile(to, to.restoring, { backup: options.backup, ...(owner && { owner }) })
    const copied = await fill(to, manifest, options)
    taken.giveContents()
    await removeSmallFile(to, to.restoring)
    await taken.release()
    return { manifest, ...copied }
  } catch (error) {
    if (existsSync(to.restoring)) clear(to)
    await taken.release()
    if (made !== undefined) rmSync(made, { recursive: true })
    throw error
  }
}

async function fill(
  to: DataPaths,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<CopiedContents> {
  const from = dataPathsOf(options.backup)
  makeDirectories(to)
  await copyRecords(from, to, { manifest, pool: options.pool })
  await upgradeCopy(to, stepsFrom(manifest.format, options.upgradeSteps))
  await renewEpochOf(to)

  const copied = await copyFiles(from, to, options)
  for (const shard of SHARDS) syncDirectory(join(to.dataDir, shard))
  writeSmallFile(to, to.instance, { format: FORMAT, uuid: manifest.uuid })
  return copied
}

/** Upgrades a copy of an earlier format, because its contents are found by the keys of this version. */
async function upgradeCopy(to: DataPaths, steps: readonly UpgradeStep[] = []): Promise<void> {
  if (steps.length === 0) return
  const kv = openLmdb({ path: to.records, onFailure: () => undefined })
  try {
    for (const { run } of steps) await run(kv, () => setImmediate())
  } finally {
    await kv.close()
  }
}

async function copyFiles(
  from: DataPaths,
  to: DataPaths,
  { pool, signal, onProgress }: RestoreOptions,
): Promise<CopiedContents> {
  const kv = openLmdb({ path: to.records, readOnly: true, onFailure: () => undefined })
  try {
    const files = () => eachFile(kv)
    return await copyContents({ from, to, isFromBackup: true, files, pool, signal, onProgress })
  } finally {
    await kv.close()
  }
}

/** Compares the records before any code maps them, because damaged records crash their reader. */
async function copyRecords(
  from: DataPaths,
  to: DataPaths,
  { manifest, pool }: { readonly manifest: Manifest; readonly pool: Pool },
): Promise<void> {
  const outcome = await pool.run('copyContent', {
    from: from.dataFile,
    to: to.dataFile,
    sizeBytes: manifest.records.bytes,
    sha256: manifest.records.sha256,
    isFromBackup: true,
  })
  if (outcome !== 'copied')
    throw new RefusedError(
      `The records of the backup (records/data.mdb) are ${outcome}: they do not match backup.json. Nothing was restored. Use another backup.`,
    )
  syncDirectory(to.records)
}

function requireEmpty({ dataDir }: DataPaths): void {
  const names = foreignNames(dataDir)
  if (names.length === 0) return
  throw new CmsError('not-empty', `${dataDir} is not empty. Give --data an empty or new directory.`)
}

/** Removes everything that a restore has created; the mark last. */
function clear(dataPaths: DataPaths): void {
  const { dataDir, records, tmp, quarantine, instance, restoring } = dataPaths
  const shards = SHARDS.map((shard) => join(dataDir, shard))
  for (const path of [records, tmp, quarantine, instance, ...shards, restoring])
    rmSync(path, { recursive: true, force: true })
  syncDirectory(dataDir)
}
