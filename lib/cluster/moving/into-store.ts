// Moves contents from files of a data directory to objects of a store, and reads them back.

import type { AssetFileVersion } from '../../schema/asset-file.ts'
import type { Pool } from '../../workers/pool.ts'
import { contentKey } from '../content-key.ts'
import type { ObjectStore } from '../object-store.ts'
import { sumObject } from '../object-hash.ts'
import { contentPath, type DataPaths } from '../../storage/embedded/data-paths.ts'
import type { ContentMover } from './move-contents.ts'

export interface StorePlace {
  readonly store: ObjectStore
  readonly prefix: string
}

export interface IntoStore extends StorePlace {
  readonly from: DataPaths
  readonly pool: Pool
}

/** An existing object is accepted for now, because all objects are read back at the end. */
export function openIntoStore({ from, store, prefix, pool }: IntoStore): ContentMover {
  const refused = new Set<string>()
  return {
    async bring(version) {
      const { asset_file_id: fileId, uid, size: sizeBytes, sha256 } = version
      const key = objectKey(prefix, version)
      const there = await store.find(key)
      if (there?.sizeBytes === sizeBytes && there.sha256 === sha256 && !refused.has(uid))
        return 'there'

      const path = contentPath(from, { fileId, uid })
      const [found] = await pool.run('hashFiles', { paths: [path], isInBackup: false })
      if (found === undefined) return 'missing'
      if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256) return 'wrong'
      await store.putFile(key, { path, sizeBytes, sha256 })
      return 'moved'
    },
    async isRight(version) {
      const isRight = await readObject({ store, prefix }, version)
      // Despite its metadata: the next attempt uploads the object again.
      if (!isRight) refused.add(version.uid)
      return isRight
    },
  }
}

const BLOCK_BYTES = 8 * 1024 * 1024

/** Whether all bytes are right. `onBytes` receives each block; its memory is reused afterwards. */
export async function readObject(
  { store, prefix }: StorePlace,
  version: AssetFileVersion,
  onBytes: (bytes: Buffer, at: number) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const { size, sha256 } = version
  const key = objectKey(prefix, version)
  const memory = Buffer.allocUnsafe(Math.max(1, Math.min(size, BLOCK_BYTES)))
  const found = await sumObject(store, { key, memory, onBytes })
  return found?.sizeBytes === size && found.sha256 === sha256
}

function objectKey(prefix: string, { asset_file_id: fileId, uid }: AssetFileVersion): string {
  return contentKey(prefix)({ fileId, uid })
}
