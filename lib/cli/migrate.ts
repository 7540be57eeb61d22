// cms-server migrate: moves a site from its data directory to a cluster, or back. The code behind it is loaded
// on demand.

import type { Command } from 'commander'
import { CmsError } from '../base/errors.ts'
import { type Place, parsePlace } from './places.ts'
import { orUsage } from './exit.ts'

interface MigrateFlags {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly leaveDamaged: boolean
}

const HELP = `
A place is a data directory or a cluster. A cluster is given as postgres://USER@HOST,HOST/NAME, as s3://BUCKET/PREFIX/, as
both, or as the word "cluster". Missing parts are read from DATABASE_URL and S3_…, the variables of a cluster server. Put the
password into DATABASE_URL or PGPASSWORD, because all users of this machine can see command lines.
  cms-server migrate --from /srv/cms --to postgres://cms@db/cms s3://cms
  cms-server migrate --from cluster --to /srv/cms-back
To resume an interrupted migration, run the same command again.`

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('move a whole site from a data directory to PostgreSQL and S3, or back')
    .requiredOption('--from <place...>', 'source of the site; it is not changed')
    .requiredOption(
      '--to <place...>',
      'destination: an empty place, or the destination of an interrupted migration',
    )
    .option('--leave-damaged', 'leave out content that is damaged or missing', false)
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
    'Give a data directory and a cluster. To copy a data directory, use "cms-server backup".',
  )
}
