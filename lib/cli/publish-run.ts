// Runs the command publish-to.

import { ClientError } from '../client/client-error.ts'
import { publishTo } from '../client/publish-to.ts'
import { formatPublish } from '../client/summary.ts'
import { bucketOf } from '../config/environment.ts'
import { CmsError } from '../base/errors.ts'
import { shown } from '../schema/visible.ts'
import { openSiteBucket, whatStoreSaid } from '../cluster/open-cluster.ts'
import { openPool } from '../workers/pool.ts'
import { orUsage } from './exit.ts'
import { finish, type ServerFlags, withProgress } from './transfer-run.ts'

export interface PublishFlags extends ServerFlags {
  readonly category: number
  readonly dryRun: boolean
}

export async function runPublish(address: string, flags: PublishFlags): Promise<void> {
  const settings = orUsage(() => bucketOf(address))
  const { url, key, concurrency, category: categoryId, dryRun: isDry } = flags
  const pool = openPool(1)
  const bucket = await openSiteBucket({ settings: { ...settings, cacheBytes: 0 }, pool })
  const stop = 'publish-to was stopped; run it again to continue.'
  const onChange = (change: string, name: string): void => {
    if (isDry) process.stdout.write(`${change} ${shown(name)}\n`)
  }
  try {
    const summary = await withProgress({ label: 'publish-to', unit: 'files', stop }, (run) =>
      publishTo({
        url,
        key,
        concurrency,
        categoryId,
        isDry,
        onChange,
        ...run,
        bucket: {
          keys: () => said(bucket.keys()),
          find: (name) => said(bucket.find(name)),
          put: (name, file) => said(bucket.put(name, file)),
          remove: (names) => said(bucket.remove(names)),
        },
      }),
    )
    finish(formatPublish(summary, isDry), summary.failed === 0)
  } finally {
    bucket.close()
    await pool.close()
  }
}

/** A store that refuses one call refuses the others, too. */
function said<T>(outcome: Promise<T>): Promise<T> {
  return outcome.catch((cause: unknown) => {
    if (!(cause instanceof CmsError)) throw cause
    const why = whatStoreSaid(cause) ?? cause.message
    throw new ClientError('connection', `The bucket does not accept the request: ${why}`, { cause })
  })
}
