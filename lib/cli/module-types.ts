// cms-server types: writes TypeScript types of the entries of a site to standard output.

import { type Command, Option } from 'commander'
import { dataOption } from '../config/config.ts'
import type { TypesFlags } from './module-types-run.ts'

export function addTypesCommand(program: Command): void {
  program
    .command('types')
    .description('write TypeScript types of all datatables and calendars to standard output')
    .addOption(dataOption())
    .addOption(
      new Option('--url <url>', 'read the types from this server instead of a directory').conflicts(
        'data',
      ),
    )
    .addOption(
      new Option('--key <secret>', 'API key; without it, the types of what is public').env(
        'CMS_KEY',
      ),
    )
    .action(async (flags: TypesFlags) => {
      const { runTypes } = await import('./module-types-run.ts')
      await runTypes(flags)
    })
}
