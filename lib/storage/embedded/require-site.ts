// What commands ask before they open anything: a mistyped --data must make no second site.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DataPaths, NODE_NAME } from './data-paths.ts'
import { RefusedError } from './refusal.ts'

const MAKERS = 'Give --data the directory of one; only "start" and "restore" make a site.'

/** Throws what is missing in the directory. */
export function requireSite({ dataDir, dataFile, instance }: DataPaths): void {
  requireDirectory(dataDir)
  refuseNode(dataDir)
  if (hasBytes(dataFile)) return
  if (existsSync(instance))
    throw new RefusedError(
      `The records (records/data.mdb) are missing or empty in ${dataDir}, which held a site. Restore a backup of records/.`,
    )
  throw new RefusedError(`There is no site in ${dataDir}: records/data.mdb is missing. ${MAKERS}`)
}

/** Whether a start here makes what is not there yet, be it a site or the place of a node. */
export function isFirstStart({ dataDir, instance }: DataPaths): boolean {
  return !existsSync(instance) && !existsSync(join(dataDir, NODE_NAME))
}

/** The site of a cluster is in its database and its store, and what lies here is a copy of a part of it. */
export function refuseNode(dataDir: string): void {
  if (!existsSync(join(dataDir, NODE_NAME))) return
  throw new RefusedError(
    `${dataDir} is the place of a node of a cluster: its site lies in the database and the bucket. Start the node, with DATABASE_URL and S3_BUCKET set: commands for users and keys ask the one that runs. Look at the site with "cms-server check cluster"; backups are made of the database and the bucket (docs/cluster.md).`,
  )
}

export function requireDirectory(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (found === undefined)
    throw new RefusedError(`There is no site at ${dataDir}: there is no such directory. ${MAKERS}`)
  if (!found.isDirectory()) throw new RefusedError(`${dataDir} is not a directory. ${MAKERS}`)
}

/** A start that was killed at once leaves an empty file. What may not be looked at is there: who opens it says so. */
function hasBytes(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return true
    throw error
  }
}
