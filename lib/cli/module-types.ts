// cms-server types: writes TypeScript types of the entries of a site to stdout.

import { type Command, Option } from 'commander'
import { dataOption } from '../config/config.ts'
import type { TypesFlags } from './module-types-run.ts'

export function addTypesCommand(program: Command): void {
  const command = program
    .command('types')
    .description('write TypeScript types of all datatables and calendars to stdout')
    .addOption(dataOption())
    .option('--url <url>', 'read the types from this server instead of a directory')
    .addOption(
      new Option(
        '--key <secret>',
        'API key; without it, the types that the server shows to everybody',
      ).env('CMS_KEY'),
    )
    .action(async (flags: TypesFlags) => {
      const isDirectory = command.getOptionValueSource('data') === 'cli'
      if (isDirectory && flags.url !== undefined)
        command.error('error: give --data for a directory, or --url for a server')
      const { runTypes } = await import('./module-types-run.ts')
      await runTypes(flags)
    })
}
