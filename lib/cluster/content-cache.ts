// Copies of contents in files of this machine, as many as a bound in bytes allows; what was not asked for the longest
// goes first. A file gets its name when it is complete and was compared with its hash, which is part of the name:
//
//   <directory>/00 … ff/<id>.<uid>.<sha256>     the first two digits of <uid> name the shard
//   <directory>/.tmp/<uid>                      on its way in or out; purged at start
//
// Nothing is synced: what lies here after a start is taken for complete only when it was compared anew (isVerified).
// The directory belongs to one process, which holds the lock of what it lies in.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, unlink } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { SHARDS, newUid, parseContentName } from '../storage/embedded/data-paths.ts'
import type { ContentName } from '../storage/port.ts'
import type { ObjectFacts } from './object-reads.ts'

export interface Cached extends ObjectFacts {
  /** Compared with its hash since this process began. */
  readonly isVerified: boolean
}

export interface ContentCache {
  readonly tmp: string
  /** Of the file, where there is one. */
  pathOf(name: ContentName): string
  /** Counts as a use. */
  find(name: ContentName): Cached | undefined
  /** Whether a content of this size is kept at all. */
  takes(sizeBytes: number): boolean
  /** Makes room for what is on its way in, until the returned function is called. */
  reserve(sizeBytes: number): () => void
  /** Takes over a file with just these bytes, which is gone from where it was, kept or not. */
  add(name: ContentName, facts: ObjectFacts, path: string): void
  noteVerified(name: ContentName): void
  drop(name: ContentName): void
  /** The file stays until the returned function is called, though it be dropped meanwhile. */
  hold(name: ContentName): () => void
  status(): { readonly files: number; readonly bytes: number }
}

export interface ContentCacheOptions {
  readonly directory: string
  readonly maxBytes: number
}

/** No content takes more than this part: one would put out all others. */
const LARGEST_PART = 8
/** Even an empty file takes a block of the disk, and a row here. */
const LEAST_BYTES = 4 * 1024

export function openContentCache({ directory, maxBytes }: ContentCacheOptions): ContentCache {
  const tmp = join(directory, '.tmp')
  makeDirectories(directory, tmp)
  const held = openHeld(removeFile)
  const lru = new LRUCache<string, Cached>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: (cached, key, reason) => {
      if (reason === 'evict' || reason === 'delete') held.leave(key, place(key, cached))
    },
  })
  let reserved = 0

  function place(key: string, cached: Cached | undefined): string {
    const shard = key.slice(key.indexOf('.') + 1).slice(0, 2)
    // Without one a name that no file has.
    return join(directory, shard, cached === undefined ? key : `${key}.${cached.sha256}`)
  }

  function makeRoom(sizeBytes: number): void {
    while (lru.size > 0 && lru.calculatedSize + reserved + sizeBytes > maxBytes) lru.pop()
  }

  /** By another name first: under its own it may be written anew before it is gone. */
  function removeFile(path: string): void {
    const leaving = join(tmp, newUid())
    try {
      renameSync(path, leaving)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    // A start removes what is left of it.
    unlink(leaving, () => undefined)
  }

  const cache: ContentCache = {
    tmp,
    pathOf: (name) => place(keyOf(name), lru.peek(keyOf(name))),
    find: (name) => lru.get(keyOf(name)),
    takes: (sizeBytes) => sizeBytes <= maxBytes / LARGEST_PART,

    reserve(sizeBytes) {
      makeRoom(sizeBytes)
      reserved += sizeBytes
      return () => {
        reserved -= sizeBytes
      }
    },

    add(name, { sizeBytes, sha256 }, path) {
      if (!cache.takes(sizeBytes)) return removeFile(path)
      const [key, cached] = [keyOf(name), { sizeBytes, sha256, isVerified: true }]
      makeRoom(sizeOf(cached))
      renameSync(path, place(key, cached))
      held.stay(key)
      lru.set(key, cached)
    },

    noteVerified(name) {
      const cached = lru.peek(keyOf(name))
      if (cached !== undefined) lru.set(keyOf(name), { ...cached, isVerified: true })
    },

    drop: (name) => void lru.delete(keyOf(name)),
    hold: (name) => held.take(keyOf(name)),
    status: () => ({ files: lru.size, bytes: lru.calculatedSize }),
  }
  for (const [key, cached] of findFiles(directory)) lru.set(key, cached)
  return cache
}

interface Held {
  take(key: string): () => void
  /** The file of the key is to be removed, when nobody holds it any more. */
  leave(key: string, path: string): void
  /** It is to stay after all. */
  stay(key: string): void
}

function openHeld(remove: (path: string) => void): Held {
  const counts = new Map<string, number>()
  const leaving = new Map<string, string>()

  function giveBack(key: string): void {
    const count = (counts.get(key) ?? 1) - 1
    if (count > 0) return void counts.set(key, count)
    counts.delete(key)
    const path = leaving.get(key)
    leaving.delete(key)
    if (path !== undefined) remove(path)
  }

  return {
    take(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return () => giveBack(key)
    },
    leave(key, path) {
      if (counts.has(key)) leaving.set(key, path)
      else remove(path)
    },
    stay: (key) => void leaving.delete(key),
  }
}

function sizeOf({ sizeBytes }: ObjectFacts): number {
  return Math.max(sizeBytes, LEAST_BYTES)
}

function keyOf({ fileId, uid }: ContentName): string {
  return `${fileId}.${uid}`
}

function makeDirectories(directory: string, tmp: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  rmSync(tmp, { recursive: true, force: true })
  for (const path of [tmp, ...SHARDS.map((shard) => join(directory, shard))])
    mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** What an earlier run has left, that which was read last at the end. What is no such file is removed. */
function findFiles(directory: string): readonly (readonly [string, Cached])[] {
  const found: { key: string; cached: Cached; usedMs: number }[] = []
  for (const shard of SHARDS) {
    for (const name of readdirSync(join(directory, shard))) {
      const path = join(directory, shard, name)
      const [, key = '', sha256 = ''] = /^(.*)\.([0-9a-f]{64})$/.exec(name) ?? []
      const stats = statSync(path)
      if (parseContentName(key) === undefined || !stats.isFile()) {
        rmSync(path, { recursive: true, force: true })
        continue
      }
      const cached = { sizeBytes: stats.size, sha256, isVerified: false }
      found.push({ key, cached, usedMs: Math.max(stats.atimeMs, stats.mtimeMs) })
    }
  }
  return found
    .toSorted((left, right) => left.usedMs - right.usedMs)
    .map(({ key, cached }) => [key, cached] as const)
}
