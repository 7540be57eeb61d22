// Guesses which files are in the page cache of the system: those that were read recently. A synchronous read of such a
// file takes a fifth of the time of a read through the thread pool, no more than an access to a mapped page. If the guess
// proves wrong because the system needed the memory, synchronous reads stop for a while: a slow disk must not delay
// unrelated responses.

import { LRUCache } from 'lru-cache'

export interface WarmFiles {
  /** Whether a read of the file may block the main thread. */
  has(path: string): boolean
  /** Call after the file was read completely. */
  add(path: string, sizeBytes: number): void
  /** Call with the time that a read of one chunk has blocked the main thread. */
  note(ms: number): void
}

/** Amount of recently read data that is assumed to be in memory. */
const WARM_BYTES = 128 * 1024 * 1024
/** Even an empty file takes a page of the system and an entry here. */
const LEAST_BYTES = 4 * 1024
/** A chunk from memory takes less than a tenth of a millisecond. */
const SLOW_MS = 5
/** A preempted thread takes as long, but only for about one read in a hundred. */
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
