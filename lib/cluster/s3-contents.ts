// Bytes of versions as objects of a store on the S3 interface, under keys that are the paths of the embedded engine:
//
//   <prefix>00 … ff/<id>.<uid>     bytes of versions, immutable, with the SHA-256 in their metadata
//   <prefix>instance.json          whose contents these are (site-mark.ts)
//
// New bytes are received into a file of this machine, and are durable when the store has answered their PUT. Small
// ones ride in the commit and become objects later (inline-contents.ts, content-flush.ts), by any node and more than once: the
// same key and the same bytes. Reads are of files of this machine, to which contents are fetched (content-fetches.ts); what
// is large and not here yet is read from the store (remote-content.ts).

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Pool } from '../workers/pool.ts'
import { findCarried } from '../storage/records/inline-contents.ts'
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
  /** So long a read waits for its turn at the store. */
  readonly waitMs: number
  /** Objects that could not be removed: they stay until orphans are looked for. */
  readonly onLeft: (cause: unknown) => void
  /** What is to be read is on this machine, or has to come from the store. */
  readonly onRead: (isHere: boolean) => void
}

interface Work extends S3ContentsOptions {
  readonly pool: Pool
  readonly reads: ContentReads
  readonly bring: (name: ContentName) => Promise<Brought>
  readonly openRemote: OpenRemote
  /** By uid, how many bytes came straight from the store. */
  readonly readThere: LRUCache<string, number>
}

/** Up to this size a content is brought here before its first byte is given. */
const WHOLE_BYTES = 4 * 1024 * 1024
const MOST_COUNTED = 10_000

export function openS3Contents(options: S3ContentsOptions): Contents {
  const { store, cache, disk, limits, kv, writeOut, keyOf, waitMs } = options
  const { pool } = disk
  const reads = openContentReads({ kv, pool, limits, pathOf: cache.pathOf })
  const bring = openFetches({ store, cache, pool, keyOf, waitMs })
  const readThere = new LRUCache<string, number>({ max: MOST_COUNTED })
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
    // What a cache has may be gone the next moment, so nobody else may send it from there.
    placeOf: () => undefined,
    verify: (name, expected) => verify(work, name, expected),

    async diff(left, right) {
      const release = [left, right].map((name) => cache.hold(name))
      try {
        for (const name of [left, right]) if (!isCarried(work, name)) await bring(name)
        return await reads.diff(left, right)
      } finally {
        for (const giveBack of release) giveBack()
      }
    },

    // A backup copies the store, and not what this node has of it.
    held: () => undefined,
    remove: (names) => remove(work, names),
  }
}

/** Durable on return; when it fails there is nothing here, and at most an orphan there. */
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

function isCarried({ kv }: Work, name: ContentName): boolean {
  return findCarried(kv, name) !== undefined
}

interface Look<T> {
  readonly sha256: string
  readonly at: () => Promise<T | undefined>
}

/** What is here, and else what is here after it was fetched. */
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
    // Somebody else has brought it while this one looked at what was not there: that is good, and is not dropped.
    const brought = work.cache.find(name) === before ? undefined : await at()
    if (brought !== undefined) return brought
    const cached = work.cache.find(name)
    // Other bytes are asked for than were saved: to fetch them again would make them no other.
    if (cached !== undefined && cached.sha256 !== sha256) return undefined
    work.cache.drop(name)
    return (await work.bring(name)) === 'here' ? await at() : undefined
  } finally {
    release()
  }
}

async function openContent(work: Work, name: ContentName): Promise<OpenContent | undefined> {
  const { store, cache, reads, keyOf, bring } = work
  const here = isCarried(work, name) ? await reads.open(name) : await openHere(work, name)
  work.onRead(here !== undefined)
  if (here !== undefined) return here

  const key = keyOf(name)
  const facts = cache.find(name) ?? (await store.find(key))
  if (facts === undefined) return undefined
  const { sizeBytes } = facts
  if (sizeBytes <= WHOLE_BYTES)
    return (await bring(name)) === 'here' ? openHere(work, name) : undefined

  // Of an earlier run of this process; who reads it does not wait until it is compared.
  if (cache.find(name) !== undefined) bringInBackground(work, name)
  return work.openRemote({
    store,
    key,
    sizeBytes,
    openHere: () => openHere(work, name),
    onRead: (bytes) => countRead(work, name, { bytes, sizeBytes }),
  })
}

/** The file here, where it was compared; what is no more what it was is dropped. */
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

/** Half of it was read from there: now it is worth the rest. One byte of it must not cost all of it. */
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

/** Nobody waits for it, and who reads goes on without it. */
function bringInBackground({ bring }: Work, name: ContentName): void {
  bring(name).catch(() => undefined)
}

/** What lies in the store counts, and not a copy of it that is right. */
async function verify(
  work: Work,
  name: ContentName,
  expected: Parameters<Contents['verify']>[1],
): Promise<boolean> {
  const { store, cache, reads, keyOf, bring } = work
  if (isCarried(work, name)) return reads.verify(name, expected)
  const facts = await store.find(keyOf(name))
  if (facts?.sizeBytes !== expected.sizeBytes) return false
  if (facts.sha256 !== '' && facts.sha256 !== expected.sha256) return false

  const release = cache.hold(name)
  try {
    const brought = await bring(name)
    // By the word of the store: a page is never so large.
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
 * What cannot be removed now is named by nobody, and is found as that later: a change that was made is not told to
 * have failed for it.
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
