// How many requests a key, and all keys of a user together, may send in a second (--rate-limit): the generic cell rate
// algorithm, which keeps one time for each of them. By user as well as by key, because a key can make other keys of its
// user. Whoever was silent for a second may send a second's worth at once.

import { LRUCache } from 'lru-cache'
import type { ApiKey } from '../schema/api-key.ts'

/** The key of a request, and its user. */
export type RateParty = Pick<ApiKey, 'api_key_id' | 'user_id'>

/** Requests in a second; 0: any number. */
export interface Rates {
  readonly ofKey: number
  readonly ofUser: number
}

/** A user may send as much more than one key as it may have of everything else. */
export function ratesOf(
  ofKey: number,
  { keyShare, userShare }: { readonly keyShare: number; readonly userShare: number },
): Rates {
  return { ofKey, ofUser: Math.ceil((ofKey * userShare) / keyShare) }
}

/** What one request of the party spends. */
export interface RateCost {
  readonly name: string
  readonly stepMs: number
}

export interface RequestRate {
  /** Counts a request; gives the seconds to wait where it is one too many, and does not count it then. */
  take(party: RateParty): number | undefined
  costsOf(party: RateParty): readonly RateCost[]
  /** Others have let it send, too: all of it takes so long yet. */
  raise(name: string, restedInMs: number): void
}

export function openRequestRate({ ofKey, ofUser }: Rates, tableSize: number): RequestRate {
  /** When each key and user will have been silent long enough. */
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
      // Sums of fractions are a little off.
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
