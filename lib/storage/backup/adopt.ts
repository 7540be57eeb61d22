// A server that starts on a backup takes the directory over. Backups share unchanged bytes by hard links, while a server
// must be the only owner of its contents. Shared files are therefore copied first, and only then does the directory stop
// being a backup. An interrupted start repeats this.

import { copyFileSync, existsSync, lstatSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory, syncFile, unlinkQuietly } from '../../workers/files.ts'
import { renewEpochOf } from '../embedded/change-epoch.ts'
import { type DataPaths, newUid, removeSmallFile, SHARDS } from '../embedded/data-paths.ts'

export async function adoptBackup(dataPaths: DataPaths): Promise<void> {
  if (!existsSync(dataPaths.manifest)) return
  for (const shard of SHARDS) {
    const directory = join(dataPaths.dataDir, shard)
    for (const name of readdirSync(directory)) separate(dataPaths, join(directory, name))
    // Also syncs names of an earlier start, whose own sync may have failed.
    syncDirectory(directory)
  }
  await renewEpochOf(dataPaths)
  await removeSmallFile(dataPaths, dataPaths.manifest)
}

/** True if some of the bytes also belong to another backup. */
export function sharesBytes({ dataDir }: DataPaths): boolean {
  return SHARDS.filter((shard) => existsSync(join(dataDir, shard))).some((shard) =>
    readdirSync(join(dataDir, shard)).some(
      (name) => lstatSync(join(dataDir, shard, name)).nlink !== 1,
    ),
  )
}

/** Keeps the bytes under their name if a step fails: no other file of this directory has them. */
function separate(dataPaths: DataPaths, path: string): void {
  const stats = lstatSync(path)
  if (!stats.isFile() || stats.nlink === 1) return
  const tmpPath = join(dataPaths.tmp, newUid())
  try {
    copyFileSync(path, tmpPath)
    syncFile(tmpPath)
    renameSync(tmpPath, path)
  } catch (error) {
    unlinkQuietly(tmpPath)
    throw error
  }
}
