// cms-server backup | restore. The flags are here; what runs is loaded when it is asked for, so that no
// other command waits for it.

import { type Command, Option } from 'commander'
import { dataOption } from '../config/config.ts'
import type { BackupFlags, RestoreFlags } from './backup-run.ts'
import { readCount } from './read-count.ts'

export function addBackupCommands(program: Command): void {
  program
    .command('backup <target>')
    .description('copy the data directory as it is now; whether a server runs or not')
    .addOption(dataOption())
    .addOption(
      new Option(
        '--previous <dir>',
        'an older backup: what has not changed since is linked to its files, not copied',
      ).conflicts('keep'),
    )
    .option(
      '--keep <number>',
      'the target is a directory of backups: make another one in it, and keep so many',
      readCount,
    )
    .action(async (target: string, flags: BackupFlags) => {
      const { runBackup } = await import('./backup-run.ts')
      await runBackup(target, flags)
    })

  program
    .command('restore <backup>')
    .description('make a data directory from a backup; the directory must be empty or not there')
    .addOption(dataOption())
    .option('--revoke-keys', 'end all keys and sessions of the backup; users keep their passwords')
    .action(async (backup: string, flags: RestoreFlags) => {
      const { runRestore } = await import('./backup-run.ts')
      await runRestore(backup, flags)
    })
}
