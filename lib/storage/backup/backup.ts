// `cms-server backup`: copies a snapshot of a site to a separate data directory while the server keeps running.
//
//   .cms-backup-<uuid>-<random>/   beside the target, until it is complete: records, contents, backup.json
//   <target>/                      the same after one rename
//
// A backup shares no bytes with the original, so that damage to one does not affect the other. Backups may share bytes
// with each other. An interrupted run leaves a directory with the first name; the next run beside it removes that
// directory, because only one backup of a site is made at a time.

import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { CmsError } from '../../base/errors.ts'
import type { Pool } from '../../workers/pool.ts'
import { syncDirectory } from '../../workers/files.ts'
import { requireWhole } from '../integrity/inspect-records.ts'
import { type CopiedContents, copyContents, type OnProgress } from './copy-contents.ts'
import { holdContents, notifyBackupDone } from './hold-contents.ts'
import {
  type DataPaths,
  dataPathsOf,
  makeDirectories,
  newUid,
  readSmallFile,
  requireReadable,
  SHARDS,
  writeSmallFile,
} from '../embedded/data-paths.ts'
import { FORMAT } from '../embedded/upgrade-steps.ts'
import { type Manifest, requireManifest } from './manifest.ts'
import { copyMoment, type Moment } from './moment.ts'
import { requireSite } from '../embedded/require-site.ts'
import { makeDirectory } from '../../base/make-directory.ts'

export interface BackupOptions {
  readonly dataDir: string
  /** Must not exist; its parent must. */
  readonly target: string
  /** An older backup of the same site: unchanged contents are hard-linked. */
  readonly previous?: string | undefined
  readonly pool: Pool
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

export interface BackupReport {
  readonly manifest: Manifest
  readonly linked: number
  /** Contents that were already marked as damaged. */
  readonly known: number
}

export async function backupEmbedded(options: BackupOptions): Promise<BackupReport> {
  const from = dataPathsOf(options.dataDir)
  requireSite(from)
  await requireReadable(from)
  requireWhole(from)
  requireFreeTarget(options)
  const older = await findOlder(from, options.previous)

  const hold = await holdContents(from)
  const stop = AbortSignal.any([hold.lost, options.signal])
  let partial: DataPaths | undefined
  try {
    partial = await makePartial(from, options.target)
    const report = await fill(from, partial, { ...options, older, stop })
    renameSync(partial.dataDir, options.target)
    syncDirectory(dirname(options.target))
    if (report.manifest.faults.length === 0) await notifyBackupDone(from)
    return report
  } finally {
    if (partial !== undefined) rmSync(partial.dataDir, { recursive: true, force: true })
    await hold.release()
  }
}

interface Fill extends BackupOptions {
  readonly older: DataPaths | undefined
  /** Aborts when contents are no longer held, or when the backup is canceled. */
  readonly stop: AbortSignal
}

async function fill(from: DataPaths, to: DataPaths, options: Fill): Promise<BackupReport> {
  const { older, pool, onProgress, stop } = options
  makeDirectories(to)
  const moment = await copyMoment(from, to)
  try {
    const { files } = moment
    const copied = await copyContents({ from, to, older, files, pool, signal: stop, onProgress })
    const manifest = describeBackup(moment, copied)
    await finish(to, moment, manifest)
    stop.throwIfAborted()
    return { manifest, linked: copied.linked, known: copied.known }
  } finally {
    await moment.close()
  }
}

/** Makes the names durable; writes the manifest last. */
async function finish(to: DataPaths, { uuid }: Moment, manifest: Manifest): Promise<void> {
  for (const shard of SHARDS) syncDirectory(join(to.dataDir, shard))
  syncDirectory(to.records)
  writeSmallFile(to, to.instance, { format: FORMAT, uuid })
  writeSmallFile(to, to.manifest, manifest)
}

type Counted = Pick<CopiedContents, 'count' | 'bytes' | 'faults'>

export function describeBackup(moment: Moment, { count, bytes, faults }: Counted): Manifest {
  const { uuid, records } = moment
  return {
    format: FORMAT,
    uuid,
    moment: moment.moment,
    records,
    contents: { count, bytes },
    faults: [...moment.faults, ...faults],
  }
}

function requireFreeTarget({ dataDir, target }: BackupOptions): void {
  const parent = dirname(target)
  if (existsSync(target))
    throw new CmsError('in-use', `${target} already exists. Choose another name.`)
  if (!existsSync(parent))
    throw new CmsError('not-found', `The directory ${parent} does not exist. Create it first.`)
  const path = relative(realpathSync(dataDir), realpathSync(parent))
  if (path.split(sep)[0] !== '..')
    throw new CmsError(
      'bad-request',
      'A backup cannot be inside the data directory. Choose another place.',
    )
}

async function findOlder(
  from: DataPaths,
  previous: string | undefined,
): Promise<DataPaths | undefined> {
  if (previous === undefined) return undefined
  const { uuid } = await requireManifest(previous)
  const instance = await readSmallFile(from.instance)
  if (uuid !== instance?.['uuid'])
    throw new CmsError('bad-request', `${previous} is a backup of another site.`)
  return dataPathsOf(previous)
}

/** Creates a fresh directory beside the target and removes leftovers of interrupted runs. */
async function makePartial(from: DataPaths, target: string): Promise<DataPaths> {
  const instance = await readSmallFile(from.instance)
  const prefix = `.cms-backup-${String(instance?.['uuid'])}-`
  const parent = dirname(target)
  for (const name of readdirSync(parent).filter((item) => item.startsWith(prefix)))
    rmSync(join(parent, name), { recursive: true, force: true })

  const partial = join(parent, `${prefix}${newUid()}`)
  mkdirSync(partial, { mode: 0o700 })
  return dataPathsOf(partial)
}

// Rotates backups in one directory: each is named after its time, linked to the previous one, and the oldest is removed.

const NAME = /^cms-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

export interface RotationOptions extends Omit<BackupOptions, 'target' | 'previous'> {
  /** Created if it is missing. Holds the backups of one site, and may hold other files. */
  readonly directory: string
  /** Number of backups to keep, including the new one. */
  readonly keep: number
}

export interface RotationReport extends BackupReport {
  readonly target: string
  readonly removed: readonly string[]
}

/** Keeps all older backups if the new one has faults, because an older one may hold the missing bytes. */
export async function rotateBackups(options: RotationOptions): Promise<RotationReport> {
  const { directory, keep, ...run } = options
  makeDirectory(directory)
  const older = await backupsIn(directory)
  const stamp = new Date().toISOString().replaceAll(':', '-')
  const target = join(directory, `cms-backup-${stamp}`)
  const report = await backupEmbedded({ ...run, target, previous: older.at(-1) })
  const isWhole = report.manifest.faults.length === 0
  const removed = isWhole ? older.slice(0, Math.max(0, older.length + 1 - keep)) : []
  for (const path of removed) rmSync(path, { recursive: true })
  return { ...report, target, removed }
}

/** Oldest first. A directory without backup.json is not a backup, regardless of its name. */
async function backupsIn(directory: string): Promise<readonly string[]> {
  const names = readdirSync(directory).filter((name) => NAME.test(name))
  const paths = names.toSorted().map((name) => join(directory, name))
  const manifests = await Promise.all(
    paths.map((path) => readSmallFile(dataPathsOf(path).manifest)),
  )
  return paths.filter((_, at) => manifests[at] !== undefined)
}
