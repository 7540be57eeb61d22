// What is behind the servers of the tests: a data directory; in npm run test:distributed a database and a store. What
// there is in one server alone is left out there, with its reason, by oneServer() and by nothing else.

import type { ClusterSettings } from '../../lib/config/cluster-settings.ts'

const ENGINE = process.env['CMS_TEST_ENGINE']

const OF_ONE_SERVER = {
  backup: 'a node makes no archive: the database and the bucket have backups of their own',
  child: 'the server is a process of its own, which begins with a data directory',
  damage: 'bytes are damaged in a file of one server: storage/distributed damages those of a store',
  numbers: 'a number that a node was given and has not used stays a gap',
  proxy: 'a node gives no files to a proxy',
} as const

/** Options of a test, or of a suite, that is about what there is in one server alone. */
export function oneServer(what: keyof typeof OF_ONE_SERVER): { readonly skip: string | false } {
  return { skip: ENGINE === undefined ? false : OF_ONE_SERVER[what] }
}

/** What is answered to who may have an archive of the whole site. */
export const BACKUP_STATUS = ENGINE === undefined ? 200 : 503

/** The site of the servers on this directory; undefined: it is the directory itself. */
export async function siteBehind(dataDir: string): Promise<ClusterSettings | undefined> {
  if (ENGINE === undefined) return undefined
  // Loaded there alone.
  const { siteOf } = await import('./cluster.ts')
  return siteOf(ENGINE, dataDir)
}
