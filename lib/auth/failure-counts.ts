// Counts what failed, for each address or key, in windows of fixed length. The table is bounded: past its
// size what was counted longest ago is forgotten. (rate-limiter-flexible was looked at: it keeps a timer
// for each key and has no bound, so that whoever changes his address could fill the memory.)

import { LRUCache } from 'lru-cache'

export interface Failures {
  note(key: string): void
  /** What was noted last was none. */
  takeBack(key: string): void
  /** Seconds until the window ends; undefined while there are not too many in it. */
  waitOf(key: string): number | undefined
}

export interface FailureLimits {
  readonly most: number
  readonly windowMs: number
  readonly tableSize: number
}

interface Window {
  readonly endMs: number
  count: number
}

export function openFailures({ most, windowMs, tableSize }: FailureLimits): Failures {
  const windows = new LRUCache<string, Window>({ max: tableSize })

  // The monotonic clock: that of the wall may be set back.
  function currentOf(key: string): Window | undefined {
    const window = windows.get(key)
    return window !== undefined && window.endMs > performance.now() ? window : undefined
  }

  return {
    note(key) {
      const window = currentOf(key)
      if (window === undefined) windows.set(key, { endMs: performance.now() + windowMs, count: 1 })
      else window.count += 1
    },
    takeBack(key) {
      const window = currentOf(key)
      if (window !== undefined) window.count -= 1
    },
    waitOf(key) {
      const window = currentOf(key)
      if (window === undefined || window.count < most) return undefined
      return Math.ceil((window.endMs - performance.now()) / 1_000)
    },
  }
}
