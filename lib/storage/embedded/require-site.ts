// Checks of commands before they open a directory: a mistyped --data must not create a second site.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DataPaths, NODE_NAME, requireKinds } from './data-paths.ts'
import { refusalOf } from './permission-error.ts'
import { RefusedError } from './refusal.ts'

const MAKERS = 'Give --data the directory of a site; only "start" and "restore" create one.'

/** Throws a message that names what is missing in the directory, what is a link, or what this user may not read. */
export function requireSite(dataPaths: DataPaths): void {
  const { dataDir } = dataPaths
  requireDirectory(dataDir)
  try {
    refuseNode(dataDir)
    requireKinds(dataPaths)
    requireRecords(dataPaths)
  } catch (error) {
    throw refusalOf(dataDir, error)
  }
}

/** A start that is killed at once leaves an empty file. */
function requireRecords({ dataDir, dataFile, instance }: DataPaths): void {
  if ((statSync(dataFile, { throwIfNoEntry: false })?.size ?? 0) > 0) return
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
