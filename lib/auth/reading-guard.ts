// Lets callers in where another process counts: a key that holds is let in here, and one that does not is refused here,
// once that process has counted it. Only it knows who is let in all the same from where somebody guesses.

import { LRUCache } from 'lru-cache'
import { HandOver } from '../base/errors.ts'
import type { Records } from '../storage/port.ts'
import { openCallers } from './caller.ts'
import { type Guard, invalidOrTooMany, requireRate } from './guard.ts'
import type { RateParty, Rates } from './request-rate.ts'

export interface ReadingGuard extends Guard {
  /** From there keys have come that are not valid, so many that it takes more than a valid one for so long. */
  noteGuessing(source: string, seconds: number): void
}

export interface ReadingGuardOptions {
  readonly records: Pick<Records, 'get' | 'trace'>
  readonly tableSize: number
  readonly rates: Rates
  /** Has the request counted; gives the seconds to wait where it is one too many. */
  readonly takeRate: (party: RateParty) => Promise<number | undefined>
  /** Has a key counted that is not valid; gives the seconds to wait where there were too many. */
  readonly takeFailure: (hash: string, source: string | undefined) => Promise<number | undefined>
}

export function openReadingGuard({
  records,
  tableSize,
  rates,
  takeRate,
  takeFailure,
}: ReadingGuardOptions): ReadingGuard {
  const findCaller = openCallers(records, tableSize)
  const guessing = new LRUCache<string, true>({ max: tableSize })

  return {
    authenticate({ secret, source, now }) {
      if (source !== undefined && guessing.has(source)) throw new HandOver()
      const caller = findCaller(secret, now)
      if (caller !== undefined) return caller
      return takeFailure(secret.hash, source).then((waitSeconds) => {
        throw invalidOrTooMany(waitSeconds)
      })
    },
    checkRate({ key }) {
      if (rates.ofKey === 0) return undefined
      return takeRate(key).then((seconds) => requireRate(seconds, rates))
    },
    noteGuessing: (source, seconds) => void guessing.set(source, true, { ttl: seconds * 1_000 }),
  }
}
