// Compressed forms of contents, which the site sends instead of compressing a text for each request. The forms are a cache
// beside the contents: no backup has them, and a missing or damaged form is made again.
//
//   .forms/00 … ff/<uid>.br, <uid>.gzip    the SHA-256 of the form, then the form; an empty form means that compression
//                                          does not save enough
//
// A form is written under a temporary name and renamed, but not synced: after a power failure, the hash shows whether it is
// whole. Reader processes read the same files. The total size is bounded: the forms that were made or read longest ago are
// removed first.

import { hash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormCoding, FormName, FormStore } from '../form-store.ts'
import type { ContentName, Contents } from '../port.ts'
import { newUid } from './data-paths.ts'

export interface FormStoreOptions {
  readonly directory: string
  /** A directory on the same disk that each start empties. */
  readonly tmp: string
  readonly maxBytes?: number
}

/** Files smaller than a block take a whole block. */
const BLOCK_BYTES = 4 * 1024
const MAX_BYTES = 1024 * 1024 * 1024
/** After an eviction, the forms take at most this part of the maximum. */
const KEPT = 0.9
/** The total size is measured again after this part of the maximum was written. */
const MEASURED_EACH = 1 / 16
const HASH_BYTES = 32
const CODINGS: readonly FormCoding[] = ['br', 'gzip']
/** The time of the last use is stored with this precision. */
const USED_MS = 24 * 3_600_000

export function openFormStore({
  directory,
  tmp,
  maxBytes = MAX_BYTES,
}: FormStoreOptions): FormStore {
  /** Infinity, so that the first write measures what earlier processes have left. */
  let writtenBytes = Number.POSITIVE_INFINITY
  let sweeping: Promise<void> | undefined

  const pathOf = ({ uid, coding }: FormName): string =>
    join(directory, uid.slice(0, 2), `${uid}.${coding}`)

  return {
    async read(name) {
      const file = await readForm(pathOf(name))
      if (file === undefined) return undefined
      const form = file.subarray(HASH_BYTES)
      return hash('sha256', form, 'buffer').equals(file.subarray(0, HASH_BYTES)) ? form : undefined
    },

    async write(name, form) {
      const part = join(tmp, newUid())
      try {
        await makeShard(directory, name.uid)
        const bytes = Buffer.concat([hash('sha256', form, 'buffer'), form])
        await writeFile(part, bytes, { flag: 'wx', mode: 0o600 })
        await rename(part, pathOf(name))
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

    async drop(uids) {
      // A site without forms must not pay for them when it deletes thousands of files.
      if (!existsSync(directory)) return
      for (const uid of uids)
        for (const coding of CODINGS) await unlink(pathOf({ uid, coding })).catch(orMissing)
    },
  }
}

/** Removes the forms of a content together with the content. */
export function withForms(contents: Contents, forms: FormStore): Contents {
  return {
    ...contents,
    async remove(names: readonly ContentName[]) {
      await contents.remove(names)
      await forms.drop(names.map(({ uid }) => uid))
    },
  }
}

/** Never creates the data directory itself, which may have been removed. */
async function makeShard(directory: string, uid: string): Promise<void> {
  for (const path of [directory, join(directory, uid.slice(0, 2))])
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Undefined if there is no such file. */
async function readForm(path: string): Promise<Buffer | undefined> {
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
    for (const name of await readdir(join(directory, shard))) {
      const path = join(directory, shard, name)
      const stats = await stat(path).catch(orMissing)
      if (stats !== undefined)
        found.push({ path, space: spaceOf(stats.size), usedMs: stats.mtimeMs })
    }
  let total = found.reduce((sum, { space }) => sum + space, 0)
  if (total <= maxBytes) return
  for (const { path, space } of found.toSorted((left, right) => left.usedMs - right.usedMs)) {
    if (total <= maxBytes * KEPT) return
    await unlink(path).catch(orMissing)
    total -= space
  }
}

function spaceOf(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
