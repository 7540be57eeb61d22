// Moves contents from files of a data directory to objects of a store, and reads them back.

import { open, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AssetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import type { Pool } from '../../workers/pool.ts'
import { contentKey, type ObjectStore, sumObject } from '../object-store.ts'
import { contentPath, type DataPaths, newUid } from '../../storage/embedded/data-paths.ts'
import type { ContentMover } from './move-contents.ts'
import { CREATE_FLAGS, FILE_MODE, nameDurably } from '../../workers/files.ts'

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
      const { uid, size: sizeBytes, sha256 } = version
      const key = objectKey(prefix, version)
      const there = await store.find(key)
      if (there?.sizeBytes === sizeBytes && there.sha256 === sha256 && !refused.has(uid))
        return 'there'

      const path = contentPath(from, contentNameOf(version))
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
async function readObject(
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

function objectKey(prefix: string, version: AssetFileVersion): string {
  return contentKey(prefix)(contentNameOf(version))
}

// Moves contents from objects of a store to files of a data directory.

interface IntoFiles extends StorePlace {
  readonly to: DataPaths
  readonly pool: Pool
}

/** A file gets its name when it is complete and durable. */
export function openIntoFiles({ to, store, prefix, pool }: IntoFiles): ContentMover {
  const pathOf = (version: AssetFileVersion): string => contentPath(to, contentNameOf(version))

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
