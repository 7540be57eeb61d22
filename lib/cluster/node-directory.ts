// The local directory of a cluster node. It contains nothing that exists only there: without it the node rebuilds
// everything, which takes longer.
//
//   node.json     {"format":1}: marks a node directory, as opposed to a site
//   copy/         the node's copy of the records (local-copy.ts)
//   cache/        contents that were read or saved here (content-cache.ts)
//   .forms/       compressed forms of contents (embedded/coded-forms.ts)
//   .pictures/    pictures in other sizes and formats (embedded/picture-store.ts)
//   .tmp/         purged at start
//   lock          Unix socket of the process that owns it (embedded/lock.ts)

import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  dataPathsOf,
  foreignNames,
  NODE_NAME,
  readSmallFile,
} from '../storage/embedded/data-paths.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'

export interface NodePaths {
  readonly dataDir: string
  readonly copy: string
  readonly cache: string
  readonly forms: string
  readonly pictures: string
  readonly tmp: string
}

const FORMAT = 1

/** Call before taking the lock: the directory may belong to something else. */
export function requireNodeDirectory(dataDir: string): void {
  const { dataFile, instance, manifest, restoring } = dataPathsOf(dataDir)
  if (!existsSync(dataDir)) return
  if (!statSync(dataDir).isDirectory()) throw new RefusedError(`${dataDir} is not a directory.`)
  if ([dataFile, instance, manifest, restoring].some((path) => existsSync(path)))
    throw new RefusedError(
      `${dataDir} holds a site of a single server. Move the site with "cms-server migrate", or give --data a separate directory for this node.`,
    )
  if (existsSync(join(dataDir, NODE_NAME))) return
  const others = foreignNames(dataDir).filter((name) => !name.startsWith('.'))
  if (others.length === 0) return
  throw new RefusedError(
    `${dataDir} holds other files. Give --data an empty directory or the directory of a cluster node.`,
  )
}

/** Call while holding the lock. */
export async function makeNodeDirectory(dataDir: string): Promise<NodePaths> {
  const mark = join(dataDir, NODE_NAME)
  const found = await readSmallFile(mark)
  if (found !== undefined && found['format'] !== FORMAT)
    throw new RefusedError(
      `${dataDir} was made by another version of cms-server. Give --data an empty directory: the node fills it again from the database and the bucket.`,
    )
  if (found === undefined)
    writeFileSync(mark, `${JSON.stringify({ format: FORMAT })}\n`, { mode: 0o600 })
  const paths = {
    dataDir,
    copy: join(dataDir, 'copy'),
    cache: join(dataDir, 'cache'),
    forms: dataPathsOf(dataDir).forms,
    pictures: dataPathsOf(dataDir).pictures,
    tmp: join(dataDir, '.tmp'),
  }
  rmSync(paths.tmp, { recursive: true, force: true })
  for (const path of [paths.copy, paths.cache, paths.tmp])
    mkdirSync(path, { recursive: true, mode: 0o700 })
  return paths
}
