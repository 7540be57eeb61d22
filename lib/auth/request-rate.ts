// Limits the requests per second of a key, and of all keys of a user together (--rate-limit), by the generic cell
// rate algorithm, which stores one time for each of them. The user is limited too, because a key can create other
// keys of its user. A client that was silent for a second may send a burst of one second.

import { LRUCache } from 'lru-cache'
import type { ApiKey } from '../schema/api-key.ts'

/** The key of a request, and its user. */
export type RateParty = Pick<ApiKey, 'api_key_id' | 'user_id'>

/** Requests per second; 0 means unlimited. */
export interface Rates {
  readonly ofKey: number
  readonly ofUser: number
}

/** The ratio of user to key is the same as for all other shares. */
export function ratesOf(
  ofKey: number,
  { keyShare, userShare }: { readonly keyShare: number; readonly userShare: number },
): Rates {
  return { ofKey, ofUser: Math.ceil((ofKey * userShare) / keyShare) }
}

/** The cost of one request for a key or user. */
export interface RateCost {
  readonly name: string
  readonly stepMs: number
}

export interface RequestRate {
  /** Counts a request; returns the seconds to wait if the limit is exceeded, and does not count it then. */
  take(party: RateParty): number | undefined
  costsOf(party: RateParty): readonly RateCost[]
  /** Adds requests that other processes admitted: the whole load takes this long to drain. */
  raise(name: string, restedInMs: number): void
}

export function openRequestRate({ ofKey, ofUser }: Rates, tableSize: number): RequestRate {
  /** The time at which each key and user has drained its load. */
  const rested = new LRUCache<string, number>({ max: tableSize * 2 })

  function costsOf({ api_key_id: keyId, user_id: userId }: RateParty): readonly RateCost[] {
    return [
      { name: String(keyId), stepMs: 1_000 / ofKey },
      { name: `user ${userId}`, stepMs: 1_000 / ofUser },
    ]
  }

  return {
    costsOf,
    take(party) {
      const nowMs = performance.now()
      const next = costsOf(party).map(({ name, stepMs }) => ({
        name,
        restedMs: Math.max(rested.get(name) ?? 0, nowMs) + stepMs,
      }))
      const waitMs = Math.max(...next.map(({ restedMs }) => restedMs)) - nowMs - 1_000
      // Sums of fractions are slightly inexact.
      if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)
      for (const { name, restedMs } of next) rested.set(name, restedMs)
      return undefined
    },
    raise(name, restedInMs) {
      const restedMs = performance.now() + restedInMs
      if (restedMs > (rested.get(name) ?? 0)) rested.set(name, restedMs)
    },
  }
}
