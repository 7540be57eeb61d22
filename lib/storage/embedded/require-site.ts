// Checks of commands before they open a directory: a mistyped --data must not create a second site.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DataPaths, NODE_NAME } from './data-paths.ts'
import { RefusedError } from './refusal.ts'

const MAKERS = 'Give --data the directory of a site; only "start" and "restore" create one.'

/** Throws a message that names what is missing in the directory. */
export function requireSite({ dataDir, dataFile, instance }: DataPaths): void {
  requireDirectory(dataDir)
  refuseNode(dataDir)
  if (hasBytes(dataFile)) return
  if (existsSync(instance))
    throw new RefusedError(
      `The records (records/data.mdb) are missing or empty in ${dataDir}, which held a site. Restore a backup of records/.`,
    )
  throw new RefusedError(`${dataDir} holds no site: records/data.mdb is missing. ${MAKERS}`)
}

/** Whether a start here creates a site or the directory of a node. */
export function isFirstStart({ dataDir, instance }: DataPaths): boolean {
  return !existsSync(instance) && !existsSync(join(dataDir, NODE_NAME))
}

/** Refuses the directory of a cluster node: its site is in the database and the store, and the directory is only a cache. */
export function refuseNode(dataDir: string): void {
  if (!existsSync(join(dataDir, NODE_NAME))) return
  throw new RefusedError(
    `${dataDir} is the directory of a cluster node; the site is in the database and the bucket. Start the node with DATABASE_URL and S3_BUCKET set: commands for users and keys use the running node. Check the site with "cms-server check cluster". Back up the database and the bucket (docs/cluster.md).`,
  )
}

export function requireDirectory(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (found === undefined)
    throw new RefusedError(`The directory ${dataDir} does not exist. ${MAKERS}`)
  if (!found.isDirectory()) throw new RefusedError(`${dataDir} is not a directory. ${MAKERS}`)
}

/** False for the empty file that a start leaves if it is killed at once. An inaccessible file counts as present: opening it reports the error. */
function hasBytes(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return true
    throw error
  }
}
