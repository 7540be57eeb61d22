// cms-server publish-to: keeps a bucket equal to the public live files of a site.

import type { Command } from 'commander'
import { readCount } from './exit.ts'
import type { PublishFlags } from './publish-run.ts'
import { addServerFlags } from './transfer.ts'

export function addPublishCommand(program: Command): void {
  addServerFlags(program.command('publish-to <bucket>'))
    .description(
      'make a bucket (s3://BUCKET/PREFIX) equal to the public live files of a folder: upload what differs, then remove what is not live',
    )
    .option('--category <id>', 'identifier of the root folder of the site', readCount, 1)
    .option('--dry-run', 'change nothing, and print what would change', false)
    .addHelpText('after', HELP)
    .action(async (bucket: string, flags: PublishFlags) => {
      const { runPublish } = await import('./publish-run.ts')
      await runPublish(bucket, flags)
    })
}

const HELP = `
S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_FORCE_PATH_STYLE describe the store, as for
a cluster (cms-server start --help). Objects of other programs are neither replaced nor removed.`
