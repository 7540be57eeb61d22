// A server that is started on a backup makes it its own. Backups share the bytes that did not change;
// content that a server works with is its own alone, so what is shared is copied first, and only then is
// the directory a backup no more. A start that is cut off goes on with it.

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
    // Also what a start before has named, whose sync may have failed.
    syncDirectory(directory)
  }
  await renewEpochOf(dataPaths)
  await removeSmallFile(dataPaths, dataPaths.manifest)
}

/** True where some of the bytes belong to another backup, too. */
export function sharesBytes({ dataDir }: DataPaths): boolean {
  return SHARDS.filter((shard) => existsSync(join(dataDir, shard))).some((shard) =>
    readdirSync(join(dataDir, shard)).some(
      (name) => lstatSync(join(dataDir, shard, name)).nlink !== 1,
    ),
  )
}

/** The bytes stay under their name whatever fails: no other file here has them. */
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
