// Rotates backups in one directory: each is named after its time, linked to the previous one, and the oldest is removed.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../base/make-directory.ts'
import { dataPathsOf, readSmallFile } from '../embedded/data-paths.ts'
import { type BackupOptions, type BackupReport, backupEmbedded } from './backup.ts'

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

/** Oldest first. A directory without backup.json is no backup, regardless of its name. */
async function backupsIn(directory: string): Promise<readonly string[]> {
  const names = readdirSync(directory).filter((name) => NAME.test(name))
  const paths = names.toSorted().map((name) => join(directory, name))
  const manifests = await Promise.all(
    paths.map((path) => readSmallFile(dataPathsOf(path).manifest)),
  )
  return paths.filter((_, at) => manifests[at] !== undefined)
}
