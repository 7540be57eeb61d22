// Assembles the contents of a cluster: the object store, the local cache, and the flush of inline contents.

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import type { Pool } from '../workers/pool.ts'
import type { EngineOptions, ScrubPlace } from '../storage/engine.ts'
import { watchContentDisk } from '../storage/embedded/content-disk.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { openWriteOut, type WriteOutOptions } from '../storage/embedded/content-flush.ts'
import type { Kv } from '../storage/records/kv.ts'
import type { Partials } from '../storage/partials.ts'
import type { ContentName, Contents, Records } from '../storage/port.ts'
import type { CacheStatus, StoreStatus } from '../storage/status.ts'
import { openContentCache } from './content-cache.ts'
import { contentKey, type ObjectStore, openObjectStore, sumObject } from './object-store.ts'
import { openPartialObjects } from './partial-objects.ts'
import { openS3Contents } from './s3-contents.ts'
import { runAll } from './semaphore.ts'
import { isNamed, type OrphansFound, removeOrphans } from './orphan-sweep.ts'
import { type S3Settings, STORE_TIMES, type StoreTimes } from './store-client.ts'
import { markOf, type Place } from './site-mark.ts'
import { watchStore } from './store-monitor.ts'
import { type AssetFileVersion, contentNameOf } from '../schema/asset-file.ts'
import type { FileFault, Scrubbed } from '../workers/scrub.ts'

export interface ClusterContentsOptions {
  readonly settings: S3Settings
  /** Throws if the place does not belong to the site of the records. */
  readonly settle: (place: Place) => Promise<void>
  /** Used by this process only; the caller holds the lock of the parent directory. */
  readonly cacheDir: string
  /** Holds the rows that any node has committed. */
  readonly kv: Kv
  /** Reads the same rows. */
  readonly records: Records
  readonly pool: Pool
  readonly limits: EngineOptions['limits']
  readonly onTrouble: EngineOptions['onTrouble']
  readonly onOutage?: EngineOptions['onOutage']
  readonly times?: StoreTimes | undefined
}

export interface ClusterContents {
  readonly contents: Contents
  readonly partials: Partials
  /** Call after a commit of this node with this many inline bytes. */
  readonly onInline: (sizeBytes: number) => void
  removeOrphans(options: OrphansRun): Promise<OrphansFound>
  scrubPlace(bytesPerSecond: number): ScrubPlace
  status(): ClusterContentsStatus
  /** Call before the pool and the records are closed. */
  close(): Promise<void>
}

export interface OrphansRun {
  readonly records: Records
  readonly signal: AbortSignal
  readonly graceMs?: number
}

export interface ClusterContentsStatus {
  readonly isReadOnly: boolean
  readonly waitingBytes: number
  readonly store: StoreStatus
  readonly cache: CacheStatus
}

/** The largest cached content is an eighth of the cache, so that even the smallest cache holds any page. */
const MIN_CACHE_BYTES = 256 * 1024 * 1024
/** Inline contents of other nodes are flushed by this node after this time, because the other node may be gone. */
const TAKE_OVER_MS = 60_000
const MOST_INLINE = 100_000
const PUTS_IN_FLIGHT = 16
const ORPHAN_GRACE_MS = 24 * 3_600_000

const READ_ONLY =
  'the disk of the content cache failed to write; changes are rejected, reads still work; check the disk and restart the server'
const NOT_REMOVED =
  'contents could not be removed from the store; the next orphan sweep removes them'

export async function openClusterContents(
  options: ClusterContentsOptions,
): Promise<ClusterContents> {
  const { settings, settle, cacheDir, kv, records, pool, limits, onTrouble, onOutage } = options
  const { times = STORE_TIMES } = options
  const { prefix = '', cacheBytes } = settings
  if (cacheBytes < MIN_CACHE_BYTES)
    throw new RefusedError(
      `The content cache must have at least ${MIN_CACHE_BYTES} bytes. Increase --content-cache-mb.`,
    )
  const plain = await openObjectStore({ settings, pool, times })
  const watched = watchStore(plain, { host: hostOf(settings), onOutage })
  const { store } = watched
  const counts = { hits: 0, misses: 0 }
  const keyOf = contentKey(prefix)
  const put: WriteOutOptions['write'] = async (contents) => {
    await runAll(contents, PUTS_IN_FLIGHT, ({ name, bytes }) => store.put(keyOf(name), bytes))
  }

  try {
    await settle({ store, prefix })
    const cache = openContentCache({ directory: cacheDir, maxBytes: cacheBytes })
    const disk = watchContentDisk(pool, (cause) => onTrouble(READ_ONLY, cause))
    const flushPolicy = openFlushPolicy()
    const onLeft = (cause: unknown): void => onTrouble(NOT_REMOVED, cause)
    const onGone = removingUnnamed({ records, store, keyOf, onLeft })
    const writeOut = openWriteOut({ kv, write: put, isDue: flushPolicy.isDue, onGone, onTrouble })
    const kept = { store, cache, disk, limits, kv, writeOut, keyOf }
    const onRead = (isHere: boolean): void => {
      counts[isHere ? 'hits' : 'misses'] += 1
    }
    const opened = openS3Contents({ ...kept, waitMs: times.callMs, onLeft, onRead })
    const contents = flushPolicy.noting(opened)
    const timer = setInterval(() => writeOut.add(0), TAKE_OVER_MS).unref()
    watched.begin(markOf(prefix))
    return {
      contents,
      partials: openPartialObjects({ ...kept, prefix, contents, onLeft }),
      onInline: writeOut.add,
      removeOrphans: ({ graceMs = ORPHAN_GRACE_MS, ...asked }) =>
        removeOrphans({ store, prefix, graceMs, ...asked }),
      scrubPlace: (bytesPerSecond) =>
        openObjectPlace({ store, keyOf, mark: markOf(prefix), bytesPerSecond }),
      status: () => ({
        isReadOnly: disk.isReadOnly(),
        waitingBytes: writeOut.waitingBytes(),
        store: watched.status(),
        cache: { ...cache.status(), ...counts },
      }),
      async close() {
        clearInterval(timer)
        watched.close()
        await writeOut.close()
        store.close()
      },
    }
  } catch (error) {
    store.close()
    throw error
  }
}

function hostOf({ endpoint, region, bucket }: S3Settings): string {
  return endpoint === undefined ? `${bucket} in ${region ?? 'AWS'}` : new URL(endpoint).host
}

interface Removing extends Pick<ClusterContentsOptions, 'records'> {
  readonly store: Pick<ObjectStore, 'remove'>
  readonly keyOf: (name: ContentName) => string
  readonly onLeft: (cause: unknown) => void
}

/** Removes contents that another node deleted during the upload, or flushed itself. */
function removingUnnamed({ records, store, keyOf, onLeft }: Removing) {
  return async (names: readonly ContentName[]): Promise<void> => {
    const left = names.filter((name) => !isNamed(records, name))
    await store.remove(left.map(keyOf)).catch(onLeft)
  }
}

interface FlushPolicy {
  /** Whether this node flushes the content now: at once if its own commit holds it, else after TAKE_OVER_MS. */
  isDue(name: ContentName): boolean
  noting(contents: Contents): Contents
}

function openFlushPolicy(now: () => number = () => performance.now()): FlushPolicy {
  const own = new LRUCache<string, true>(upTo(MOST_INLINE))
  const seen = new LRUCache<string, number>(upTo(MOST_INLINE))
  return {
    isDue({ uid }) {
      if (own.has(uid)) return true
      const since = seen.get(uid)
      if (since === undefined) seen.set(uid, now())
      return since !== undefined && now() - since >= TAKE_OVER_MS
    },
    noting: (contents) => ({
      ...contents,
      async write(source, asked) {
        const sealed = await contents.write(source, asked)
        if (sealed.inline !== undefined) own.set(sealed.uid, true)
        return sealed
      },
      async receive(stream, asked) {
        const received = await contents.receive(stream, asked)
        return {
          ...received,
          async seal(named) {
            const sealed = await received.seal(named)
            if (sealed.inline !== undefined) own.set(sealed.uid, true)
            return sealed
          },
        }
      },
    }),
  }
}

// Scrubs contents that are objects of a store. A damaged object stays in place for the operator, who may find a good
// version of it in a versioned bucket; no node serves it.

interface ObjectPlaceOptions {
  readonly store: Pick<ObjectStore, 'read' | 'find'>
  readonly keyOf: (name: ContentName) => string
  /** Key of the object that names the site of these contents. */
  readonly mark: string
  readonly bytesPerSecond: number
}

/** Bytes hashed at a time on the main thread. */
const BLOCK_BYTES = 1024 * 1024
/** A call costs a store about as much as reading this many bytes. */
const LEAST_BYTES = 64 * 1024

function openObjectPlace(options: ObjectPlaceOptions): ScrubPlace {
  const { store, keyOf, mark, bytesPerSecond } = options
  const memory = Buffer.allocUnsafeSlow(BLOCK_BYTES)

  async function faultOf(version: AssetFileVersion, spend: Spend): Promise<FileFault | undefined> {
    const { size, sha256 } = version
    const key = keyOf(contentNameOf(version))
    const onBytes = ({ length }: Buffer): Promise<void> => spend(length)
    await spend(LEAST_BYTES)
    const found = await sumObject(store, { key, memory, onBytes })
    if (found === undefined) return 'missing'
    return found.sizeBytes === size && found.sha256 === sha256 ? undefined : 'damaged'
  }

  return {
    async compare(versions, signal) {
      const spend = openPace(bytesPerSecond, signal)
      const faults: { at: number; fault: FileFault }[] = []
      const done: Writable<Omit<Scrubbed, 'faults'>> = { done: 0, bytes: 0 }
      for (const [at, version] of versions.entries()) {
        if (signal.aborted) break
        // Bytes that changed on the way are right the second time.
        const fault = (await faultOf(version, spend)) && (await faultOf(version, spend))
        if (fault !== undefined) faults.push({ at, fault })
        done.done += 1
        done.bytes += version.size
      }
      return { ...done, faults }
    },
    async requireThere() {
      if ((await store.find(mark)) === undefined)
        throw new Error('The store no longer holds the contents of this site.')
    },
    setApart: () => undefined,
    apart: 'damaged content found in the store',
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Waits until this many bytes may have been read. Throws when the signal aborts. */
type Spend = (bytes: number) => Promise<void>

function openPace(bytesPerSecond: number, signal: AbortSignal): Spend {
  let due = performance.now()
  return async (bytes) => {
    signal.throwIfAborted()
    due += (bytes / bytesPerSecond) * 1_000
    const waitMs = due - performance.now()
    if (waitMs >= 1) await sleep(waitMs, undefined, { signal, ref: false })
  }
}
