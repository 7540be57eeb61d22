// Fetches contents from the object store into the cache: once for all concurrent readers, hashed before a file gets its
// name. Wrong bytes are fetched a second time; if they are wrong again, the object itself is damaged.

import { hash } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { CREATE_FLAGS, FILE_MODE } from '../workers/files.ts'
import type { Pool } from '../workers/pool.ts'
import { newUid } from '../storage/embedded/data-paths.ts'
import { openReusedMemory, type ReusedMemory } from '../storage/embedded/buffer-pool.ts'
import type { ContentName } from '../storage/port.ts'
import type { ContentCache } from './content-cache.ts'
import { type Gate, openGate } from './semaphore.ts'
import type { ObjectFacts, ReadPart } from './object-reads.ts'
import type { ObjectStore } from './object-store.ts'
import { toStoreFault } from './store-faults.ts'

/** `unkept`: the content is too large for the cache. */
export type Brought = 'here' | 'missing' | 'wrong' | 'unkept'

export interface FetchesOptions {
  readonly store: ObjectStore
  readonly cache: ContentCache
  readonly pool: Pick<Pool, 'run'>
  readonly keyOf: (name: ContentName) => string
  /** Longest wait for a free slot. */
  readonly waitMs: number
}

interface Work extends FetchesOptions {
  readonly gate: Gate
  /** Limits contents of more than one block, so that they do not hold up small ones. */
  readonly largeGate: Gate
  readonly memory: ReusedMemory
}

const FETCHES_IN_FLIGHT = 8
const LARGE_IN_FLIGHT = 2
const BLOCK_BYTES = 8 * 1024 * 1024
/** Up to this size bytes are hashed on the main thread. */
const INLINE_BYTES = 256 * 1024
const ATTEMPTS = 2

/** On return the content is cached and verified, or the reason is returned. Throws if the store does not answer. */
export function openFetches(options: FetchesOptions): (name: ContentName) => Promise<Brought> {
  const memory = openReusedMemory({ sizeBytes: BLOCK_BYTES, maxIdle: 2 })
  const gate = openGate(FETCHES_IN_FLIGHT, options.waitMs)
  const largeGate = openGate(LARGE_IN_FLIGHT, options.waitMs)
  const work: Work = { gate, largeGate, memory, ...options }
  const running = new Map<string, Promise<Brought>>()

  return (name) => {
    const key = options.keyOf(name)
    const current = running.get(key)
    if (current !== undefined) return current
    const begun = bring(work, name).finally(() => running.delete(key))
    running.set(key, begun)
    return begun
  }
}

async function bring(work: Work, name: ContentName): Promise<Brought> {
  const { cache, pool } = work
  const cached = cache.find(name)
  if (cached?.isVerified === true) return 'here'
  if (cached !== undefined) {
    if (await isRight(pool, cache.pathOf(name), cached.sha256)) {
      cache.noteVerified(name)
      return 'here'
    }
    cache.drop(name)
  }

  for (let attempt = 1; ; attempt += 1) {
    const brought = await fetchInTurn(work, name)
    if (brought !== 'wrong' || attempt === ATTEMPTS) return brought
  }
}

async function isRight(pool: Pick<Pool, 'run'>, path: string, sha256: string): Promise<boolean> {
  return pool.run('verifyContent', { source: path, sha256, type: '', textBytes: 0 })
}

/** The first block reveals the size of the content. */
async function fetchInTurn(work: Work, name: ContentName): Promise<Brought> {
  const brought = await work.gate.run(() => fetchInto(work, name, BLOCK_BYTES))
  if (brought !== 'larger') return brought
  const whole = await work.largeGate.run(() => fetchInto(work, name, Number.POSITIVE_INFINITY))
  return whole === 'larger' ? 'unkept' : whole
}

async function fetchInto(
  work: Work,
  name: ContentName,
  maxBytes: number,
): Promise<Brought | 'larger'> {
  const { store, cache, keyOf } = work
  const memory = work.memory.take()
  const first = await store.read(keyOf(name), 0, memory)
  const refusal = refusalOf(cache, first, maxBytes)
  if (first === undefined || refusal !== undefined) {
    work.memory.give(memory)
    return refusal ?? 'missing'
  }

  const release = cache.reserve(first.sizeBytes)
  try {
    const path = join(cache.tmp, newUid())
    const facts = await writeFile(work, { name, first, memory, path }).catch(
      async (error: unknown) => {
        await unlink(path).catch(() => undefined)
        // Also if the local disk is full: the reader is not told that detail.
        throw toStoreFault(error)
      },
    )
    work.memory.give(memory)
    release()
    if (typeof facts === 'string') return facts
    cache.add(name, facts, path)
    return 'here'
  } catch (error) {
    release()
    throw error
  }
}

function refusalOf(
  cache: ContentCache,
  first: ReadPart | undefined,
  maxBytes: number,
): 'missing' | 'unkept' | 'larger' | undefined {
  if (first === undefined) return 'missing'
  if (!cache.takes(first.sizeBytes)) return 'unkept'
  return first.sizeBytes > maxBytes ? 'larger' : undefined
}

interface Fetching {
  readonly name: ContentName
  /** The first bytes, in memory that is reused for the rest. */
  readonly first: ReadPart
  readonly memory: Buffer
  readonly path: string
}

/** Leaves no file if the bytes are not those that were uploaded, or if the object was removed meanwhile. */
async function writeFile(
  work: Work,
  fetching: Fetching,
): Promise<ObjectFacts | 'wrong' | 'missing'> {
  const { first, memory, path } = fetching
  const { sizeBytes } = first
  const file = await open(path, CREATE_FLAGS, FILE_MODE)
  let isWhole: boolean
  try {
    await writeAll(file, memory.subarray(0, first.bytesRead), 0)
    isWhole = await writeRest(work, fetching, file)
  } finally {
    await file.close()
  }

  if (!isWhole) {
    await unlink(path)
    return 'missing'
  }
  if (sizeBytes <= INLINE_BYTES) {
    const sha256 = hash('sha256', memory.subarray(0, sizeBytes))
    // Another program put the object there without a hash; the caller compares it.
    if (first.sha256 === '' || first.sha256 === sha256) return { sizeBytes, sha256 }
  } else if (first.sha256 !== '') {
    if (await isRight(work.pool, path, first.sha256)) return first
  } else {
    const [hashed] = await work.pool.run('hashFiles', { paths: [path], isInBackup: false })
    if (hashed?.sizeBytes === sizeBytes) return hashed
  }
  await unlink(path)
  return 'wrong'
}

/** Returns false if the content was removed meanwhile. */
async function writeRest(
  { store, keyOf }: Work,
  { name, first, memory }: Fetching,
  file: FileHandle,
): Promise<boolean> {
  for (let at = first.bytesRead; at < first.sizeBytes; ) {
    const part = await store.read(keyOf(name), at, memory)
    if (part === undefined) return false
    if (part.sizeBytes !== first.sizeBytes) throw new Error('A content was replaced.')
    await writeAll(file, memory.subarray(0, part.bytesRead), at)
    at += part.bytesRead
  }
  return true
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
}
