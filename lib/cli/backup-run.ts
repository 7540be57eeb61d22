// Runs the commands backup and restore.

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { openProgress } from '../client/progress.ts'
import { CmsError } from '../base/errors.ts'
import { counted } from '../schema/message-text.ts'
import type { BackupReport } from '../storage/backup/backup.ts'
import type { RestoreReport } from '../storage/backup/restore.ts'
import { backUpStorage, restoreStorage, rotateBackups } from '../server/open-storage.ts'
import { openPool, type Pool } from '../workers/pool.ts'
import { EXIT } from './exit.ts'
import { printLine } from './print.ts'

export interface BackupFlags {
  readonly data: string
  readonly previous?: string
  readonly keep?: number
}

const THREADS = 4
const SHOWN_FAULTS = 100

export async function runBackup(
  target: string,
  { data, previous, keep }: BackupFlags,
): Promise<void> {
  if (keep !== undefined) return runRotation(resolve(target), { dataDir: resolve(data), keep })
  const report = await work('backup', (run) =>
    backUpStorage({
      dataDir: resolve(data),
      target: resolve(target),
      previous: previous && resolve(previous),
      ...run,
    }),
  )
  printBackup(report)
}

async function runRotation(
  directory: string,
  { dataDir, keep }: { readonly dataDir: string; readonly keep: number },
): Promise<void> {
  const report = await work('backup', (run) => rotateBackups({ dataDir, directory, keep, ...run }))
  printLine(report.target)
  printBackup(report)
  for (const path of report.removed) printLine(`removed ${path}`)
}

export interface RestoreFlags {
  readonly data: string
  readonly revokeKeys?: true
}

export async function runRestore(
  backup: string,
  { data, revokeKeys }: RestoreFlags,
): Promise<void> {
  const dataDir = resolve(data)
  const report = await work('restore', (run) =>
    restoreStorage({ backup: resolve(backup), dataDir, ...run }),
  )
  printRestore(report)
  if (revokeKeys === true) revokeAll(dataDir)
  else
    printLine(
      'Keys and users are restored as they were when the backup was made. Keys that were revoked and users that were disabled since then are active again. To revoke all keys: cms-server key revoke --all',
    )
  printFaults(report.faults, report.known)
}

/**
 * Runs in another process, because every command on a data directory changes to the user that owns the
 * directory.
 */
function revokeAll(dataDir: string): void {
  const { execPath, execArgv, argv } = process
  const args = [...execArgv, argv[1] ?? '', 'key', 'revoke', '--all', '--data', dataDir]
  const { status } = spawnSync(execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = EXIT.failed
}

interface Run {
  readonly pool: Pool
  readonly signal: AbortSignal
  readonly onProgress: (count: number, total: number, bytes: number) => void
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C or a closed terminal ends the work; the unfinished copy is removed. */
async function work<T>(label: string, task: (run: Run) => Promise<T>): Promise<T> {
  process.umask(0o077)
  const pool = openPool(THREADS)
  const progress = openProgress({ label })
  const stop = new AbortController()
  const onSignal = (): void => {
    stop.abort(
      new CmsError('unavailable', `The ${label} was stopped; its incomplete files were removed.`),
    )
  }
  for (const signal of STOPPING) process.once(signal, onSignal)
  try {
    return await task({ pool, signal: stop.signal, onProgress: progress.update })
  } finally {
    progress.close()
    for (const signal of STOPPING) process.off(signal, onSignal)
    await pool.close()
  }
}

function printBackup({ manifest, linked, known }: BackupReport): void {
  const { moment, records, contents, faults } = manifest
  const files = `${counted(contents.count, 'file')} of ${counted(contents.bytes, 'byte')}`
  printLine(`moment ${moment}`)
  printLine(`${counted(records.count, 'record')}, ${files}, ${linked} of them linked`)
  printFaults(faults, known)
}

function printRestore({ manifest, count, bytes }: RestoreReport): void {
  const files = `${counted(count, 'file')} of ${counted(bytes, 'byte')}`
  printLine(`moment ${manifest.moment}`)
  printLine(`${counted(manifest.records.count, 'record')}, ${files}`)
}

function printFaults(faults: readonly string[], known: number): void {
  for (const fault of faults.slice(0, SHOWN_FAULTS)) printLine(`FAULT ${fault}`)
  if (faults.length > SHOWN_FAULTS) printLine(`… and ${faults.length - SHOWN_FAULTS} more`)
  if (known > 0) printLine(`known: ${counted(known, 'version')} already marked as damaged.`)
  if (faults.length === 0) return
  printLine(`${counted(faults.length, 'fault')}. Everything else is complete.`)
  process.exitCode = EXIT.failed
}
