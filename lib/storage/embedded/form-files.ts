// Files of derived forms: a cache beside the contents, which no backup has. A missing or damaged form is made again.
//
// A file holds the SHA-256 of the form, then the form. It is written under a temporary name and renamed, but not synced:
// after a power failure, the hash shows whether it is whole. Reader processes read the same files. The total size is
// bounded: the forms that were made or read longest ago are removed first.

import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { newUid } from './data-paths.ts'

export interface FormFilesOptions {
  readonly directory: string
  /** A directory on the same disk that each start empties. */
  readonly tmp: string
  readonly maxBytes: number
}

export interface FormFiles {
  /** Undefined if the file is missing or damaged. `path` is below the directory. */
  read(path: string): Promise<Buffer | undefined>
  /** Replaces the file atomically. Throws the error of the system if it cannot be written. */
  write(path: string, form: Uint8Array): Promise<void>
}

/** Files smaller than a block take a whole block. */
const BLOCK_BYTES = 4 * 1024
/** After an eviction, the forms take at most this part of the maximum. */
const KEPT = 0.9
/** The total size is measured again after this part of the maximum was written. */
const MEASURED_EACH = 1 / 16
const HASH_BYTES = 32
/** The time of the last use is stored with this precision. */
const USED_MS = 24 * 3_600_000

export function openFormFiles({ directory, tmp, maxBytes }: FormFilesOptions): FormFiles {
  /** Infinity, so that the first write measures what earlier processes have left. */
  let writtenBytes = Number.POSITIVE_INFINITY
  let sweeping: Promise<void> | undefined

  return {
    async read(path) {
      const file = await readFileAt(join(directory, path))
      if (file === undefined) return undefined
      const form = file.subarray(HASH_BYTES)
      return hash('sha256', form, 'buffer').equals(file.subarray(0, HASH_BYTES)) ? form : undefined
    },

    async write(path, form) {
      const part = join(tmp, newUid())
      try {
        await makeFolders(directory, dirname(path))
        const bytes = Buffer.concat([hash('sha256', form, 'buffer'), form])
        await writeFile(part, bytes, { flag: 'wx', mode: 0o600 })
        await rename(part, join(directory, path))
      } finally {
        await rm(part, { force: true })
      }
      writtenBytes += spaceOf(form.length)
      if (writtenBytes < maxBytes * MEASURED_EACH) return
      writtenBytes = 0
      sweeping ??= evict(directory, maxBytes).finally(() => {
        sweeping = undefined
      })
      await sweeping
    },
  }
}

/** Never creates the data directory itself, which may have been removed. */
async function makeFolders(directory: string, path: string): Promise<void> {
  let folder = directory
  for (const name of ['', ...path.split(sep)]) {
    folder = join(folder, name)
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Undefined if there is no such file. */
async function readFileAt(path: string): Promise<Buffer | undefined> {
  const file = await open(path, FLAGS).catch(orMissing)
  if (file === undefined) return undefined
  try {
    const { mtimeMs } = await file.stat()
    const now = Date.now()
    // Only the order of eviction depends on the time.
    if (now - mtimeMs > USED_MS) await file.utimes(now / 1000, now / 1000).catch(() => undefined)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

interface Found {
  readonly path: string
  readonly space: number
  readonly usedMs: number
}

/** Removes the forms that were used longest ago, if all forms take more than the maximum. */
async function evict(directory: string, maxBytes: number): Promise<void> {
  const found: Found[] = []
  for (const shard of await readdir(directory))
    for (const path of await filesBelow(join(directory, shard))) {
      const stats = await stat(path).catch(orMissing)
      if (stats !== undefined)
        found.push({ path, space: spaceOf(stats.size), usedMs: stats.mtimeMs })
    }
  let total = found.reduce((sum, { space }) => sum + space, 0)
  if (total <= maxBytes) return
  for (const { path, space } of found.toSorted((left, right) => left.usedMs - right.usedMs)) {
    if (total <= maxBytes * KEPT) return
    await unlink(path).catch(orMissing)
    const folder = dirname(path)
    // A folder of one content; the shards stay.
    if (relative(directory, folder).includes(sep)) await rmdir(folder).catch(() => undefined)
    total -= space
  }
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
}

function spaceOf(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES
}

export function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
