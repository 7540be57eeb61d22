// Lets callers in, and slows down who guesses. An address from which too many keys came that are not
// valid gets 429 for the rest of a minute, whatever key it sends: it does not learn which one is right.
// But for keys that worked from there before: behind one address (NAT) there may be many clients, and
// one that guesses must not lock out the others. An address that is known to be shared (a proxy, this
// machine) has no such limit. A key that is not valid and is sent over and over gets 429, too, from
// wherever it comes.

import { LRUCache } from 'lru-cache'
import { CmsError } from '../errors.ts'
import type { Records } from '../storage/port.ts'
import { type Caller, invalidKey, openCallers } from './caller.ts'
import { type FailureLimits, openFailures } from './failures.ts'
import { openRequestRate } from './request-rate.ts'
import type { Secret } from './secret.ts'

export interface Guard {
  /** Throws key-invalid or too-many-requests. */
  authenticate(attempt: Attempt): Caller
  /** Throws too-many-requests where the key sends more than --rate-limit allows. */
  checkRate(caller: Caller): void
}

export interface Attempt {
  readonly secret: Secret
  readonly address: string
  readonly now: Date
}

export interface GuardOptions {
  readonly records: Pick<Records, 'get' | 'state'>
  readonly limits: FailureLimits
  /** Requests in a second of one key; 0: any number. */
  readonly ratePerSecond: number
  /** What an address is counted as; undefined when many clients are known to be behind it. */
  readonly sourceOf: (address: string) => string | undefined
}

export function openGuard({ records, limits, ratePerSecond, sourceOf }: GuardOptions): Guard {
  const findCaller = openCallers(records, limits.tableSize)
  const bySource = openFailures(limits)
  const bySecret = openFailures(limits)
  /** Keys that worked, with where they came from. */
  const familiar = new LRUCache<string, true>({ max: limits.tableSize })
  const rate = ratePerSecond === 0 ? undefined : openRequestRate(ratePerSecond, limits.tableSize)

  function refuse({ hash }: Secret, source: string | undefined): never {
    const waitSeconds = bySecret.waitOf(hash)
    bySecret.note(hash)
    if (source !== undefined) bySource.note(source)
    if (waitSeconds !== undefined) throw tooManyFailures(waitSeconds)
    throw invalidKey()
  }

  return {
    authenticate({ secret, address, now }) {
      const caller = findCaller(secret, now)
      const source = sourceOf(address)
      if (source === undefined) return caller ?? refuse(secret, source)

      const waitSeconds = bySource.waitOf(source)
      const name = caller && `${source} ${caller.secretHash}`
      const isLetIn = waitSeconds === undefined || (name !== undefined && familiar.has(name))
      if (!isLetIn) throw tooManyFailures(waitSeconds)
      if (caller === undefined || name === undefined) return refuse(secret, source)
      familiar.set(name, true)
      return caller
    },

    checkRate({ key }) {
      const waitSeconds = rate?.take(key.api_key_id)
      if (waitSeconds === undefined) return
      throw tooMany(
        waitSeconds,
        `The key may send ${ratePerSecond} requests in a second. Wait, then send fewer.`,
      )
    },
  }
}

function tooManyFailures(waitSeconds: number): CmsError {
  return tooMany(
    waitSeconds,
    'Too many requests came with a key that is not valid. Check the key, and wait before the next one.',
  )
}

function tooMany(waitSeconds: number, detail: string): CmsError {
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}
