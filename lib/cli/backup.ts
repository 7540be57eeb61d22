// cms-server backup | restore

import { resolve } from 'node:path'
import type { Command } from 'commander'
import { openProgress } from '../client/progress.ts'
import { dataOption } from '../config.ts'
import { CmsError } from '../errors.ts'
import { counted } from '../schema/sentence.ts'
import { backupEmbedded, type BackupReport } from '../storage/embedded/backup.ts'
import { restoreEmbedded, type RestoreReport } from '../storage/embedded/restore.ts'
import { openPool, type Pool } from '../workers/pool.ts'
import { EXIT } from './exit.ts'

const THREADS = 4
const SHOWN_FAULTS = 100

export function addBackupCommands(program: Command): void {
  program
    .command('backup <target>')
    .description('copy the data directory as it is now; works while the server runs')
    .addOption(dataOption())
    .option('--previous <dir>', 'an older backup: files that it has too are linked, not copied')
    .action(async (target: string, { data, previous }: BackupFlags) => {
      const report = await work('backup', (run) =>
        backupEmbedded({
          dataDir: resolve(data),
          target: resolve(target),
          previous: previous && resolve(previous),
          ...run,
        }),
      )
      printBackup(report)
    })

  program
    .command('restore <backup>')
    .description('make a data directory from a backup; the directory must be empty or not there')
    .addOption(dataOption())
    .action(async (backup: string, { data }: { readonly data: string }) => {
      const report = await work('restore', (run) =>
        restoreEmbedded({ backup: resolve(backup), dataDir: resolve(data), ...run }),
      )
      printRestore(report)
    })
}

interface BackupFlags {
  readonly data: string
  readonly previous?: string
}

interface Run {
  readonly pool: Pool
  readonly signal: AbortSignal
  readonly onProgress: (count: number, total: number, bytes: number) => void
}

/** Ctrl-C ends the work; what was made of the copy is removed. */
async function work<T>(label: string, task: (run: Run) => Promise<T>): Promise<T> {
  process.umask(0o077)
  const pool = openPool(THREADS)
  const progress = openProgress({ label })
  const stop = new AbortController()
  const onSignal = (): void => {
    stop.abort(new CmsError('unavailable', `The ${label} was stopped; nothing is left of it.`))
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await task({ pool, signal: stop.signal, onProgress: progress.update })
  } finally {
    progress.close()
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await pool.close()
  }
}

function printBackup({ manifest, linked, known }: BackupReport): void {
  const { moment, records, contents, faults } = manifest
  const files = `${counted(contents.count, 'file')} of ${counted(contents.bytes, 'byte')}`
  console.log(`moment ${moment}`)
  console.log(`${counted(records.count, 'record')}, ${files}, ${linked} of them linked`)
  printFaults(faults, known)
}

function printRestore({ manifest, count, bytes, faults, known }: RestoreReport): void {
  const files = `${counted(count, 'file')} of ${counted(bytes, 'byte')}`
  console.log(`moment ${manifest.moment}`)
  console.log(`${counted(manifest.records.count, 'record')}, ${files}`)
  printFaults(faults, known)
}

function printFaults(faults: readonly string[], known: number): void {
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.log(`FAULT ${fault}`)
  if (faults.length > SHOWN_FAULTS) console.log(`… and ${faults.length - SHOWN_FAULTS} more`)
  if (known > 0) console.log(`known: ${counted(known, 'version')} marked damaged before.`)
  if (faults.length === 0) return
  console.log(`${counted(faults.length, 'fault')}. All else is there.`)
  process.exitCode = EXIT.failed
}
