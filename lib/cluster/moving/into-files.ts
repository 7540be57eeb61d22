// Moves contents from objects of a store to files of a data directory.

import { open, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { CREATE_FLAGS, FILE_MODE, nameDurably } from '../../workers/files.ts'
import type { Pool } from '../../workers/pool.ts'
import { contentPath, type DataPaths, newUid } from '../../storage/embedded/data-paths.ts'
import type { ContentMover } from './move-contents.ts'
import { readObject, type StorePlace } from './into-store.ts'

export interface IntoFiles extends StorePlace {
  readonly to: DataPaths
  readonly pool: Pool
}

/** A file gets its name when it is complete and durable. */
export function openIntoFiles({ to, store, prefix, pool }: IntoFiles): ContentMover {
  const pathOf = ({ asset_file_id: fileId, uid }: AssetFileVersion): string =>
    contentPath(to, { fileId, uid })

  async function isRight(version: AssetFileVersion): Promise<boolean> {
    const [found] = await pool.run('hashFiles', { paths: [pathOf(version)], isInBackup: false })
    return found?.sizeBytes === version.size && found.sha256 === version.sha256
  }

  return {
    isRight,
    async bring(version) {
      const path = pathOf(version)
      if (existsSync(path)) {
        if (await isRight(version)) return 'there'
        await rm(path)
      }
      const tmpPath = join(to.tmp, newUid())
      if (await fetchTo({ store, prefix }, version, tmpPath)) {
        nameDurably(tmpPath, path)
        return 'moved'
      }
      await rm(tmpPath)
      return 'wrong'
    },
  }
}

/** The bytes are durable on return; the name is not. */
async function fetchTo(
  place: StorePlace,
  version: AssetFileVersion,
  path: string,
): Promise<boolean> {
  const file = await open(path, CREATE_FLAGS, FILE_MODE)
  try {
    const isRight = await readObject(place, version, async (bytes, position) => {
      for (let at = 0; at < bytes.length; )
        at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
    })
    if (isRight) await file.sync()
    return isRight
  } finally {
    await file.close()
  }
}
