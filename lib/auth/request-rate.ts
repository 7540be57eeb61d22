// How many requests a key may send in a second (--rate-limit): the generic cell rate algorithm, which
// keeps one time for each key. A key that was silent for a second may send a second's worth at once.

import { LRUCache } from 'lru-cache'

export interface RequestRate {
  /** Counts a request; gives the seconds to wait where it is one too many, and does not count it then. */
  take(apiKeyId: number): number | undefined
  /** Others have let it send, too: all of it takes so long yet. */
  raise(apiKeyId: number, restedInMs: number): void
}

export function openRequestRate(perSecond: number, tableSize: number): RequestRate {
  const stepMs = 1_000 / perSecond
  /** When each key will have been silent long enough. */
  const rested = new LRUCache<number, number>({ max: tableSize })

  return {
    take(apiKeyId) {
      const nowMs = performance.now()
      const restedMs = Math.max(rested.get(apiKeyId) ?? 0, nowMs) + stepMs
      const waitMs = restedMs - nowMs - 1_000
      // Sums of fractions are a little off.
      if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)
      rested.set(apiKeyId, restedMs)
      return undefined
    },
    raise(apiKeyId, restedInMs) {
      const restedMs = performance.now() + restedInMs
      if (restedMs > (rested.get(apiKeyId) ?? 0)) rested.set(apiKeyId, restedMs)
    },
  }
}
