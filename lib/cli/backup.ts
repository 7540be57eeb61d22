// cms-server backup | restore. This file holds the flags; the code behind them is loaded on demand, so that
// other commands start quickly.

import { type Command, Option } from 'commander'
import { dataOption } from '../config/config.ts'
import type { BackupFlags, RestoreFlags } from './backup-run.ts'
import { readCount } from './exit.ts'

export function addBackupCommands(program: Command): void {
  program
    .command('backup <target>')
    .description('back up the data directory, with or without a running server')
    .addOption(dataOption())
    .addOption(
      new Option(
        '--previous <dir>',
        'an earlier backup: unchanged files are hard-linked to its files instead of copied',
      ).conflicts('keep'),
    )
    .option(
      '--keep <number>',
      'treat the target as a directory of backups: add a backup and keep only this many',
      readCount,
    )
    .action(async (target: string, flags: BackupFlags) => {
      const { runBackup } = await import('./backup-run.ts')
      await runBackup(target, flags)
    })

  program
    .command('restore <backup>')
    .description('restore a backup to a data directory that is empty or does not exist')
    .addOption(dataOption())
    .option(
      '--revoke-keys',
      'revoke all keys, sessions and links of the backup; users keep their passwords',
    )
    .action(async (backup: string, flags: RestoreFlags) => {
      const { runRestore } = await import('./backup-run.ts')
      await runRestore(backup, flags)
    })
}
