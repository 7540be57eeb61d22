// cms-server check: verifies stored data; --repair fixes faults where possible. The code behind it is loaded on
// demand.

import type { Command } from 'commander'
import { dataOption } from '../config/config.ts'
import { CmsError } from '../base/errors.ts'
import type { CheckFlags } from './check-run.ts'
import { type Place, parsePlace } from './places.ts'
import { orUsage } from './exit.ts'

const HELP = `
Without a place, the command checks the data directory of --data. Name a cluster as for migrate. The nodes of the
cluster may run during the check; --repair then only adds and removes the marks of damaged content:
  DATABASE_URL=… S3_BUCKET=… cms-server check cluster`

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .argument('[place...]', 'a data directory, or "cluster", or postgres://… s3://…')
    .description('verify every record, pointer and byte of a data directory or a cluster')
    .addOption(dataOption())
    .option(
      '--repair',
      'fix faults where possible; for a data directory, stop the server first',
      false,
    )
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], flags: CheckFlags, command: Command) => {
      const isGiven = command.getOptionValueSource('data') === 'cli'
      const place = orUsage(() => placeOf(words, { data: flags.data, isGiven }))
      const { runCheck } = await import('./check-run.ts')
      await runCheck(place, flags)
    })
}

interface GivenData {
  readonly data: string
  /** Whether --data is on the command line. */
  readonly isGiven: boolean
}

function placeOf(words: readonly string[], { data, isGiven }: GivenData): Place {
  if (words.length === 0) return { kind: 'directory', dataDir: data }
  if (!isGiven) return parsePlace('check', words)
  throw new CmsError('bad-request', `Give either a place or --data ${data}, not both.`)
}
