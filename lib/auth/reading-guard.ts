// Authenticates callers in a process that does not count failures itself. A valid key is accepted here. An invalid
// key is refused here after the counting process has counted it. Only the counting process knows which keys are
// exempt at an address that guesses, so requests from such an address are handed over.

import { LRUCache } from 'lru-cache'
import { HandOver } from '../base/errors.ts'
import type { Records } from '../storage/port.ts'
import { openCallers } from './caller.ts'
import { type Guard, invalidOrTooMany, requireRate } from './guard.ts'
import type { RateParty, Rates } from './request-rate.ts'

export interface ReadingGuard extends Guard {
  /** Notes that an address has sent too many invalid keys, and for how many seconds this counts. */
  noteGuessing(source: string, seconds: number): void
}

export interface ReadingGuardOptions {
  readonly records: Pick<Records, 'get' | 'trace'>
  readonly tableSize: number
  readonly rates: Rates
  /** Has the request counted; resolves to the seconds to wait if the limit is exceeded. */
  readonly takeRate: (party: RateParty) => Promise<number | undefined>
  /** Has an invalid key counted; resolves to the seconds to wait if there were too many. */
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
