// Cache of contents in local files, bounded in bytes, least recently used first out. A file gets its name when it is
// complete and matches its hash, which is part of the name:
//
//   <directory>/00 … ff/<id>.<uid>.<sha256>     the first two digits of <uid> name the shard
//   <directory>/.tmp/<uid>                      on its way in or out; purged at start
//
// Nothing is synced. A file that is found at start must be hashed again before it is trusted (isVerified).
// One process owns the directory and holds the lock of its parent.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, unlink } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { SHARDS, newUid, parseContentName } from '../storage/embedded/data-paths.ts'
import type { ContentName } from '../storage/port.ts'
import type { ObjectFacts } from './object-reads.ts'

export interface Cached extends ObjectFacts {
  /** Compared with its hash since this process started. */
  readonly isVerified: boolean
}

export interface ContentCache {
  readonly tmp: string
  /** Path of the cached file if it exists. */
  pathOf(name: ContentName): string
  /** Counts as a use. */
  find(name: ContentName): Cached | undefined
  /** Whether a content of this size is cached at all. */
  takes(sizeBytes: number): boolean
  /** Makes room for a content that is being fetched, until the returned function is called. */
  reserve(sizeBytes: number): () => void
  /** Takes over a file with exactly these bytes. The file leaves its old path, whether it is cached or not. */
  add(name: ContentName, facts: ObjectFacts, path: string): void
  noteVerified(name: ContentName): void
  drop(name: ContentName): void
  /** Keeps the file until the returned function is called, even if it is dropped meanwhile. */
  hold(name: ContentName): () => void
  status(): { readonly files: number; readonly bytes: number }
}

export interface ContentCacheOptions {
  readonly directory: string
  readonly maxBytes: number
}

/** The largest content is this part of the bound; a larger one would evict all others. */
const LARGEST_PART = 8
/** Even an empty file takes a disk block and an entry in memory. */
const LEAST_BYTES = 4 * 1024

export function openContentCache({ directory, maxBytes }: ContentCacheOptions): ContentCache {
  const tmp = join(directory, '.tmp')
  makeDirectories(directory, tmp)
  const uses = openUses(removeFile)
  const lru = new LRUCache<string, Cached>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: (cached, key, reason) => {
      if (reason === 'evict' || reason === 'delete') uses.leave(key, place(key, cached))
    },
  })
  let reserved = 0

  function place(key: string, cached: Cached | undefined): string {
    const shard = key.slice(key.indexOf('.') + 1).slice(0, 2)
    // Not cached: a name that no file has.
    return join(directory, shard, cached === undefined ? key : `${key}.${cached.sha256}`)
  }

  function makeRoom(sizeBytes: number): void {
    while (lru.size > 0 && lru.calculatedSize + reserved + sizeBytes > maxBytes) lru.pop()
  }

  /** Renames the file first, because its own name may be written again before the removal is done. */
  function removeFile(path: string): void {
    const leaving = join(tmp, newUid())
    try {
      renameSync(path, leaving)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    // The next start removes a leftover.
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
      uses.stay(key)
      lru.set(key, cached)
    },

    noteVerified(name) {
      const cached = lru.peek(keyOf(name))
      if (cached !== undefined) lru.set(keyOf(name), { ...cached, isVerified: true })
    },

    drop: (name) => void lru.delete(keyOf(name)),
    hold: (name) => uses.take(keyOf(name)),
    status: () => ({ files: lru.size, bytes: lru.calculatedSize }),
  }
  for (const [key, cached] of findFiles(directory)) lru.set(key, cached)
  return cache
}

interface Uses {
  take(key: string): () => void
  /** Removes the file of the key when nobody holds it any more. */
  leave(key: string, path: string): void
  /** Cancels the removal. */
  stay(key: string): void
}

function openUses(remove: (path: string) => void): Uses {
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

/** Returns files of an earlier run, most recently read last. Removes files with other names. */
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
