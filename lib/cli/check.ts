// cms-server check: what is stored, verified; with --repair mended where it can be. What runs is loaded
// when it is asked for.

import type { Command } from 'commander'
import { dataOption } from '../config/config.ts'
import { CmsError } from '../base/errors.ts'
import type { CheckFlags } from './check-run.ts'
import { type Place, parsePlace } from './places.ts'
import { orUsage } from './usage.ts'

const HELP = `
Without a place it is the data directory of --data. A cluster is named as in migrate, and read as its nodes have it, while
they go on; there --repair changes only which contents are marked damaged:
  DATABASE_URL=… S3_BUCKET=… cms-server check cluster`

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .argument('[place...]', 'a data directory, or "cluster", or postgres://… s3://…')
    .description('verify every record, pointer and byte of a data directory or a cluster')
    .addOption(dataOption())
    .option('--repair', 'mend what can be mended; of a directory the server must be stopped', false)
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
  /** On the command line. */
  readonly isGiven: boolean
}

function placeOf(words: readonly string[], { data, isGiven }: GivenData): Place {
  if (words.length === 0) return { kind: 'directory', dataDir: data }
  if (!isGiven) return parsePlace('check', words)
  throw new CmsError('bad-request', `Give a place, or --data ${data}: not both.`)
}
