// cms-server check: what is stored, verified; with --repair mended where it can be. What runs is loaded
// when it is asked for.

import type { Command } from 'commander'
import { dataOption } from '../config.ts'
import type { CheckFlags } from './check-run.ts'

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('verify every record, pointer and byte of a data directory')
    .addOption(dataOption())
    .option('--repair', 'mend what can be mended; the server must be stopped', false)
    .action(async (flags: CheckFlags) => {
      const { runCheck } = await import('./check-run.ts')
      await runCheck(flags)
    })
}
