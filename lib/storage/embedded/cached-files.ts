// Which files the system most likely holds in its memory: those that were read lately. To read them at once costs a
// fifth of the way through the thread pool, and no more than a look at a mapped page. Where that turns out to be
// wrong, because the system had to give the memory to somebody else, nobody reads at once for a while: a slow disk
// must not hold up the answers that have nothing to do with it.

import { LRUCache } from 'lru-cache'

export interface WarmFiles {
  /** Whether a read of the file may hold the main thread. */
  has(path: string): boolean
  /** It was read from its beginning to its end. */
  add(path: string, sizeBytes: number): void
  /** How long a read of one chunk has held the main thread. */
  note(ms: number): void
}

/** So much of what was read lately is taken to be in memory. */
const WARM_BYTES = 128 * 1024 * 1024
/** Even an empty file takes a page of the system, and a row here. */
const LEAST_BYTES = 4 * 1024
/** A chunk comes from memory in less than a tenth of a millisecond. */
const SLOW_MS = 5
/** A thread that is kept from its processor takes as long, but one read in a hundred of it. */
const MOST_SLOW = 3
const FORGIVEN = 0.1
const PAUSE_MS = 1_000

export function openWarmFiles(now: () => number = () => performance.now()): WarmFiles {
  const warm = new LRUCache<string, true>({ maxSize: WARM_BYTES })
  let resumeAt = Number.NEGATIVE_INFINITY
  let slow = 0

  return {
    has: (path) => now() >= resumeAt && warm.get(path) === true,
    add: (path, sizeBytes) => void warm.set(path, true, { size: Math.max(sizeBytes, LEAST_BYTES) }),
    note(ms) {
      slow = ms < SLOW_MS ? Math.max(0, slow - FORGIVEN) : slow + 1
      if (slow < MOST_SLOW) return
      slow = 0
      resumeAt = now() + PAUSE_MS
    },
  }
}
