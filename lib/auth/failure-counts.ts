// Counts failures per address or key in windows of fixed length. The table is bounded: when it is full, the least
// recently used entry is evicted. (rate-limiter-flexible was considered: it keeps a timer per key and has no bound,
// so an attacker with many addresses could fill the memory.)

import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import type { AskedCount, Counts } from '../storage/counts.ts'

interface Failures {
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
  const windows = new LRUCache<string, Window>(upTo(tableSize))

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

/**
 * Counts attempts in a single process. The count happens synchronously, before the promise is returned, so that parallel
 * attempts are all counted.
 */
export function openOwnCounts(tableSize: number): Counts {
  const tables = new Map<string, Failures>()

  function tableOf({ kind, most, windowMs }: AskedCount): Failures {
    const known = tables.get(kind) ?? openFailures({ most, windowMs, tableSize })
    tables.set(kind, known)
    return known
  }

  return {
    async take(asked) {
      const waits = asked.map((one) => tableOf(one).waitOf(one.name) ?? 0)
      const waitSeconds = Math.max(...waits)
      if (waitSeconds > 0) return waitSeconds
      for (const one of asked) tableOf(one).note(one.name)
      return undefined
    },
    takeBack(counted) {
      for (const { kind, name } of counted) tables.get(kind)?.takeBack(name)
    },
  }
}
