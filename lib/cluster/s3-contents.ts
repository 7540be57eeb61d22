// Contents as objects of a store on the S3 interface, under keys that equal the paths of the embedded engine:
//
//   <prefix>00 … ff/<id>.<uid>     bytes of versions, immutable, with the SHA-256 in their metadata
//   <prefix>instance.json          names the site of these contents (site-mark.ts)
//
// New bytes are received into a local file and are durable when the store has answered their PUT. Small contents are
// stored inline in the commit and become objects later (inline-contents.ts, content-flush.ts), written by any node and
// perhaps more than once, with the same key and the same bytes. Contents are read from local files, to which they are
// fetched (content-fetches.ts); large contents that are not cached are read from the store (remote-content.ts).

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import type { Pool } from '../workers/pool.ts'
import { findInline } from '../storage/records/inline-contents.ts'
import type { KvReader } from '../storage/records/kv.ts'
import type { ContentLimits } from '../storage/engine.ts'
import type { ContentDisk } from '../storage/embedded/content-disk.ts'
import { type ContentReads, openContentReads } from '../storage/embedded/content-reads.ts'
import { openContentWrites } from '../storage/embedded/content-writes.ts'
import type { WriteOut } from '../storage/embedded/content-flush.ts'
import type { ContentName, Contents, OpenContent, Sealed } from '../storage/port.ts'
import type { ContentCache } from './content-cache.ts'
import { type Brought, openFetches } from './content-fetches.ts'
import type { ObjectStore } from './object-store.ts'
import { buildOpenRemote, type OpenRemote } from './remote-content.ts'

export interface S3ContentsOptions {
  readonly store: ObjectStore
  readonly cache: ContentCache
  readonly disk: ContentDisk
  readonly limits: ContentLimits
  readonly kv: KvReader
  readonly writeOut: WriteOut
  readonly keyOf: (name: ContentName) => string
  /** Longest wait of a read for a free slot. */
  readonly waitMs: number
  /** Reports objects that could not be removed: they stay until the orphan sweep. */
  readonly onLeft: (cause: unknown) => void
  /** Reports whether a read is a cache hit. */
  readonly onRead: (isHere: boolean) => void
}

interface Work extends S3ContentsOptions {
  readonly pool: Pool
  readonly reads: ContentReads
  readonly bring: (name: ContentName) => Promise<Brought>
  readonly openRemote: OpenRemote
  /** By uid: bytes that were read straight from the store. */
  readonly readThere: LRUCache<string, number>
}

/** Up to this size a content is fetched completely before its first byte is returned. */
const WHOLE_BYTES = 4 * 1024 * 1024
const MOST_COUNTED = 10_000

export function openS3Contents(options: S3ContentsOptions): Contents {
  const { store, cache, disk, limits, kv, writeOut, keyOf, waitMs } = options
  const { pool } = disk
  const reads = openContentReads({ kv, pool, limits, pathOf: cache.pathOf })
  const bring = openFetches({ store, cache, pool, keyOf, waitMs })
  const readThere = new LRUCache<string, number>(upTo(MOST_COUNTED))
  const work: Work = { pool, reads, bring, openRemote: buildOpenRemote(), readThere, ...options }
  const pathOf = ({ uid }: ContentName): string => join(cache.tmp, `${uid}.sealed`)
  const writes = openContentWrites({
    tmp: cache.tmp,
    disk,
    limits,
    writeOut,
    reads,
    pathOf,
    store: (name, sealed) => putSealed(work, name, { path: pathOf(name), ...sealed }),
  })

  return {
    requireWritable: disk.requireWritable,
    write: writes.write,
    receive: writes.receive,
    read: (name, expected) =>
      look(work, name, { ...expected, at: () => reads.read(name, expected) }),
    lend: (name, expected) =>
      look(work, name, { ...expected, at: () => reads.lend(name, expected) }),
    encode: (name, expected) =>
      look(work, name, { ...expected, at: () => reads.encode(name, expected) }),
    open: (name) => openContent(work, name),
    // A cached file may be evicted at any moment, so no other process may send it by its path.
    placeOf: () => undefined,
    verify: (name, expected) => verify(work, name, expected),

    async diff(left, right) {
      const release = [left, right].map((name) => cache.hold(name))
      try {
        for (const name of [left, right]) if (!isInline(work, name)) await bring(name)
        return await reads.diff(left, right)
      } finally {
        for (const giveBack of release) giveBack()
      }
    },

    // A backup copies the store, not the cache of a node.
    held: () => undefined,
    remove: (names) => remove(work, names),
  }
}

/** Durable on return. A failure leaves nothing in the cache and at most an orphan in the store. */
async function putSealed(
  { store, cache, keyOf }: Work,
  name: ContentName,
  { path, ...sealed }: Sealed & { readonly path: string },
): Promise<void> {
  try {
    await store.putFile(keyOf(name), { path, ...sealed })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  cache.add(name, sealed, path)
}

function isInline({ kv }: Work, name: ContentName): boolean {
  return findInline(kv, name) !== undefined
}

interface Look<T> {
  readonly sha256: string
  readonly at: () => Promise<T | undefined>
}

/** Looks in the cache, and fetches the content first if it is not cached. */
async function look<T>(
  work: Work,
  name: ContentName,
  { sha256, at }: Look<T>,
): Promise<T | undefined> {
  const release = work.cache.hold(name)
  try {
    const before = work.cache.find(name)
    const found = await at()
    work.onRead(found !== undefined)
    if (found !== undefined) return found
    // Another reader may have fetched the content meanwhile; that copy is good and is kept.
    const brought = work.cache.find(name) === before ? undefined : await at()
    if (brought !== undefined) return brought
    const cached = work.cache.find(name)
    // The caller asks for other bytes than were saved: fetching again would not change them.
    if (cached !== undefined && cached.sha256 !== sha256) return undefined
    work.cache.drop(name)
    return (await work.bring(name)) === 'here' ? await at() : undefined
  } finally {
    release()
  }
}

async function openContent(work: Work, name: ContentName): Promise<OpenContent | undefined> {
  const { store, cache, reads, keyOf, bring } = work
  const here = isInline(work, name) ? await reads.open(name) : await openHere(work, name)
  work.onRead(here !== undefined)
  if (here !== undefined) return here

  const key = keyOf(name)
  const facts = cache.find(name) ?? (await store.find(key))
  if (facts === undefined) return undefined
  const { sizeBytes } = facts
  if (sizeBytes <= WHOLE_BYTES)
    return (await bring(name)) === 'here' ? openHere(work, name) : undefined

  // A file of an earlier run is not verified yet; the reader does not wait for that.
  if (cache.find(name) !== undefined) bringInBackground(work, name)
  return work.openRemote({
    store,
    key,
    sizeBytes,
    openHere: () => openHere(work, name),
    onRead: (bytes) => countRead(work, name, { bytes, sizeBytes }),
  })
}

/** Opens the cached file if it was verified; drops a file whose size has changed. */
async function openHere(work: Work, name: ContentName): Promise<OpenContent | undefined> {
  const { cache, reads } = work
  const cached = cache.find(name)
  if (cached?.isVerified !== true) return undefined
  const file = await reads.open(name)
  if (file?.sizeBytes === cached.sizeBytes) return file
  await file?.close()
  cache.drop(name)
  return undefined
}

/** Fetches the content once half of its size was read from the store: reading one byte must not fetch all bytes. */
function countRead(
  work: Work,
  name: ContentName,
  { bytes, sizeBytes }: { readonly bytes: number; readonly sizeBytes: number },
): void {
  const read = (work.readThere.get(name.uid) ?? 0) + bytes
  work.readThere.set(name.uid, read)
  if (read < sizeBytes / 2 || !work.cache.takes(sizeBytes)) return
  work.readThere.delete(name.uid)
  bringInBackground(work, name)
}

/** Readers neither wait for the fetch nor depend on it. */
function bringInBackground({ bring }: Work, name: ContentName): void {
  bring(name).catch(() => undefined)
}

/** Verifies the object in the store: a right copy in the cache does not count. */
async function verify(
  work: Work,
  name: ContentName,
  expected: Parameters<Contents['verify']>[1],
): Promise<boolean> {
  const { store, cache, reads, keyOf, bring } = work
  if (isInline(work, name)) return reads.verify(name, expected)
  const facts = await store.find(keyOf(name))
  if (facts?.sizeBytes !== expected.sizeBytes) return false
  if (facts.sha256 !== '' && facts.sha256 !== expected.sha256) return false

  const release = cache.hold(name)
  try {
    const brought = await bring(name)
    // Trusts the store's metadata: a page is never this large.
    if (brought === 'unkept') return true
    if (brought !== 'here') return false
    if (await reads.verify(name, expected)) return true
    cache.drop(name)
    return (await bring(name)) === 'here' && (await reads.verify(name, expected))
  } finally {
    release()
  }
}

/**
 * An object that cannot be removed now is an orphan, and the orphan sweep removes it later. The committed change is not
 * reported as failed for that reason.
 */
async function remove(
  { store, cache, reads, writeOut, keyOf, onLeft }: Work,
  names: readonly ContentName[],
): Promise<void> {
  if (names.length === 0) return
  await writeOut.forget(names)
  for (const name of names) {
    reads.forget(name.uid)
    cache.drop(name)
  }
  await store.remove(names.map(keyOf)).catch(onLeft)
}
