// Counts failures per address or key in windows of fixed length. The table is bounded: when it is full, the least
// recently used entry is evicted. (rate-limiter-flexible was considered: it keeps a timer per key and has no bound,
// so an attacker with many addresses could fill the memory.)

import { LRUCache } from 'lru-cache'

export interface Failures {
  note(key: string): void
  /** Removes the last noted failure, because the attempt succeeded. */
  takeBack(key: string): void
  /** Seconds until the window ends; undefined while the window holds fewer failures than the limit. */
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

  // Uses the monotonic clock, because the wall clock may be set back.
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
