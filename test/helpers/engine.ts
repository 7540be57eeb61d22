// The storage of the test servers: a data directory, or with npm run test:distributed a database and a store.
// Tests of features that only a single server has are skipped by oneServer() alone, with a reason.

import type { ClusterSettings } from '../../lib/config/cluster-settings.ts'

const ENGINE = process.env['CMS_TEST_ENGINE']

const OF_ONE_SERVER = {
  backup: 'a node makes no archive: the database and the bucket have backups of their own',
  child: 'the server is a process of its own, which begins with a data directory',
  damage: 'bytes are damaged in a file of one server: storage/distributed damages those of a store',
  earlier: 'an earlier build stored records in a data directory alone',
  numbers: 'a number that a node was given and has not used stays a gap',
  proxy: 'a node gives no files to a proxy',
} as const

/** Options of a test or suite about a feature that only a single server has. */
export function oneServer(what: keyof typeof OF_ONE_SERVER): { readonly skip: string | false } {
  return { skip: ENGINE === undefined ? false : OF_ONE_SERVER[what] }
}

/** Status for a permitted download of the backup archive. */
export const BACKUP_STATUS = ENGINE === undefined ? 200 : 503

/** The cluster site behind this directory; undefined if the directory itself holds the data. */
export async function siteBehind(dataDir: string): Promise<ClusterSettings | undefined> {
  if (ENGINE === undefined) return undefined
  // Loaded only for clusters.
  const { siteOf } = await import('./cluster.ts')
  return siteOf(ENGINE, dataDir)
}
