// cms-server migrate: a site from its data directory to a cluster, or back. What runs is loaded when it is asked for.

import type { Command } from 'commander'
import { CmsError } from '../base/errors.ts'
import { type Place, parsePlace } from './places.ts'
import { orUsage } from './usage.ts'

interface MigrateFlags {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly leaveDamaged: boolean
}

const HELP = `
A place is a data directory, or a cluster: postgres://USER@HOST,HOST/NAME and s3://BUCKET/PREFIX/, both, one of them, or
the word "cluster". What they do not say is read from DATABASE_URL and S3_…, as a server of the cluster reads them; a
password belongs there (or into PGPASSWORD), because command lines are seen by all users of the machine.
  cms-server migrate --from /srv/cms --to postgres://cms@db/cms s3://cms
  cms-server migrate --from cluster --to /srv/cms-back
After it was cut off, the same command goes on.`

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('move a whole site from a data directory to PostgreSQL and S3, or back')
    .requiredOption('--from <place...>', 'where the site is; it stays there as it is')
    .requiredOption(
      '--to <place...>',
      'where it is to be: an empty place, or one where this was begun',
    )
    .option('--leave-damaged', 'move the rest, where contents are damaged or missing', false)
    .addHelpText('after', HELP)
    .action(async (flags: MigrateFlags) => {
      const places = orUsage(() => placesOf(flags))
      const { runMigrate } = await import('./migrate-run.ts')
      await runMigrate({ ...places, leaveDamaged: flags.leaveDamaged })
    })
}

interface Places {
  readonly from: Place
  readonly to: Place
}

function placesOf(flags: MigrateFlags): Places {
  const places = { from: parsePlace('--from', flags.from), to: parsePlace('--to', flags.to) }
  if (places.from.kind !== places.to.kind) return places
  throw new CmsError(
    'bad-request',
    'One place is a data directory, and the other a cluster. A directory is copied by "cms-server backup".',
  )
}
