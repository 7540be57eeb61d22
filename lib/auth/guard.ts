// Authenticates callers and slows down attackers who guess keys. An address that sent too many invalid keys gets 429
// for the rest of a minute, whatever key it sends, so that it does not learn which key is valid. Keys that worked
// from this address before, with any secret and in any run of the server (key-use.ts), are exempt: many clients may
// share one address (NAT), and one attacker must not lock out the others. An address known to be shared (a proxy,
// this machine) has no limit. An invalid key that is sent repeatedly gets 429 from any address.
//
// An attacker with many addresses can evict entries from the failure tables. The tables slow attackers down, but
// never refuse a valid key from a familiar address: only valid keys make an address familiar.

import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import { CmsError, HandOver } from '../base/errors.ts'
import type { Party } from '../http/quota.ts'
import type { Records } from '../storage/port.ts'
import { isNobody } from './anonymous.ts'
import { type Caller, invalidKey, openCallers } from './caller.ts'
import { type FailureLimits, openFailures } from './failure-counts.ts'
import type { Proof } from './secret.ts'

export interface Guard {
  /** Throws key-invalid or too-many-requests; returns a promise if another process must be asked first. */
  authenticate(attempt: Attempt): Caller | Promise<never>
  /**
   * Throws too-many-requests if the key or its user exceeds --rate-limit; returns a promise if another process must
   * be asked.
   */
  checkRate(party: Party): void | Promise<void>
}

/** The guard of the process that counts for all processes. */
export interface CountingGuard extends Guard {
  /** Counts a request of the key and of its user; returns the seconds to wait if the limit is exceeded. */
  takeRate(party: Party): number | undefined
  /** Counts an invalid key; returns the seconds to wait if there were too many. */
  takeFailure(hash: string, source: string | undefined): number | undefined
}

interface Attempt {
  readonly secret: Proof
  /** The address as it is counted; undefined if many clients are known to share it. */
  readonly source: string | undefined
  readonly now: Date
}

export interface GuardOptions {
  readonly records: Pick<Records, 'get' | 'trace'>
  readonly limits: FailureLimits
  readonly rates: Rates
  /** Whether the key was recently used from this address. */
  readonly isFamiliar: (apiKeyId: number, source: string) => boolean
  /** Called for each invalid key above the limit, with the address and the remaining seconds. */
  readonly onGuessing?: ((source: string, seconds: number) => void) | undefined
}

export function openGuard({
  records,
  limits,
  rates,
  isFamiliar,
  onGuessing = () => undefined,
}: GuardOptions): CountingGuard {
  const findCaller = openCallers(records, limits.tableSize)
  const bySource = openFailures(limits)
  const bySecret = openFailures(limits)
  const rate = rates.ofKey === 0 ? undefined : openRequestRate(rates, limits.tableSize)

  const takeRate = (party: Party): number | undefined => rate?.take(party)

  function takeFailure(hash: string, source: string | undefined): number | undefined {
    const ofSource = source === undefined ? undefined : bySource.waitOf(source)
    if (ofSource !== undefined) return ofSource
    const waitSeconds = bySecret.waitOf(hash)
    bySecret.note(hash)
    if (source !== undefined) {
      bySource.note(source)
      const seconds = bySource.waitOf(source)
      if (seconds !== undefined) onGuessing(source, seconds)
    }
    return waitSeconds
  }

  return {
    authenticate({ secret, source, now }) {
      const caller = findCaller(secret, now)
      const waitSeconds = source === undefined ? undefined : bySource.waitOf(source)
      if (source === undefined || waitSeconds === undefined) {
        if (caller !== undefined) return caller
        throw invalidOrTooMany(takeFailure(secret.hash, source))
      }

      const isExempt = caller !== undefined && isFamiliar(caller.key.api_key_id, source)
      if (!isExempt) throw tooManyFailures(waitSeconds)
      return caller
    },

    checkRate: (party) => requireRate(takeRate(party), rates, party),
    takeRate,
    takeFailure,
  }
}

/** The error for an invalid key. */
export function invalidOrTooMany(waitSeconds: number | undefined): CmsError {
  return waitSeconds === undefined ? invalidKey() : tooManyFailures(waitSeconds)
}

/** Throws too-many-requests if there are seconds to wait. */
export function requireRate(
  waitSeconds: number | undefined,
  { ofKey, ofUser }: Rates,
  party: Party,
): void {
  if (waitSeconds === undefined) return
  const limit = isNobody(party)
    ? `Without a key, an address may send ${ofKey} requests per second.`
    : `A key may send ${ofKey} requests per second, and all keys of a user together ${ofUser}.`
  throw tooMany(waitSeconds, `${limit} Wait, then send fewer requests.`)
}

export function tooManyFailures(waitSeconds: number): CmsError {
  return tooMany(
    waitSeconds,
    'Too many requests were sent with an invalid key. Check the key, and wait before the next request.',
  )
}

function tooMany(waitSeconds: number, detail: string): CmsError {
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

interface ReadingGuard extends Guard {
  /** Notes that an address has sent too many invalid keys, and for how many seconds this counts. */
  noteGuessing(source: string, seconds: number): void
}

interface ReadingGuardOptions {
  readonly records: Pick<Records, 'get' | 'trace'>
  readonly tableSize: number
  readonly rates: Rates
  /** Has the request counted; resolves to the seconds to wait if the limit is exceeded. */
  readonly takeRate: (party: Party) => Promise<number | undefined>
  /** Has an invalid key counted; resolves to the seconds to wait if there were too many. */
  readonly takeFailure: (hash: string, source: string | undefined) => Promise<number | undefined>
}

/**
 * Authenticates callers in a process that does not count failures itself. A valid key is accepted here. An invalid
 * key is refused here after the counting process has counted it. Only the counting process knows which keys are
 * exempt at an address that guesses, so requests from such an address are handed over.
 */
export function openReadingGuard({
  records,
  tableSize,
  rates,
  takeRate,
  takeFailure,
}: ReadingGuardOptions): ReadingGuard {
  const findCaller = openCallers(records, tableSize)
  const guessing = new LRUCache<string, true>(upTo(tableSize))

  return {
    authenticate({ secret, source, now }) {
      if (source !== undefined && guessing.has(source)) throw new HandOver()
      const caller = findCaller(secret, now)
      if (caller !== undefined) return caller
      return takeFailure(secret.hash, source).then((waitSeconds) => {
        throw invalidOrTooMany(waitSeconds)
      })
    },
    checkRate(party) {
      if (rates.ofKey === 0) return undefined
      return takeRate(party).then((seconds) => requireRate(seconds, rates, party))
    },
    noteGuessing: (source, seconds) => void guessing.set(source, true, { ttl: seconds * 1_000 }),
  }
}

/** Requests per second; 0 means unlimited. */
interface Rates {
  readonly ofKey: number
  readonly ofUser: number
}

/**
 * Limits the requests per second of a key, and of all keys of a user together (--rate-limit), by the generic cell
 * rate algorithm, which stores one time for each of them. The user is limited too, because a key can create other
 * keys of its user. A client that was silent for a second may send a burst of one second. The ratio of the limit of a user
 * to that of a key is the same as for all other shares.
 */
export function ratesOf(
  ofKey: number,
  { keyShare, userShare }: { readonly keyShare: number; readonly userShare: number },
): Rates {
  return { ofKey, ofUser: Math.ceil((ofKey * userShare) / keyShare) }
}

/** The cost of one request for a key or user. */
interface RateCost {
  readonly name: string
  readonly stepMs: number
}

interface RequestRate {
  /** Counts a request; returns the seconds to wait if the limit is exceeded, and does not count it then. */
  take(party: Party): number | undefined
  costsOf(party: Party): readonly RateCost[]
  /** Adds requests that other processes admitted: the whole load takes this long to drain. */
  raise(name: string, restedInMs: number): void
}

export function openRequestRate({ ofKey, ofUser }: Rates, tableSize: number): RequestRate {
  /** The time at which each key and user has drained its load. */
  const rested = new LRUCache<string, number>(upTo(tableSize * 2))

  function costsOf(party: Party): readonly RateCost[] {
    const { api_key_id: keyId, user_id: userId } = party
    // Visitors come from any number of addresses, so only each address has a limit.
    if (isNobody(party)) return [{ name: `address ${keyId}`, stepMs: 1_000 / ofKey }]
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
