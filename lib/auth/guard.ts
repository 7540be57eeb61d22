// Lets callers in, and slows down who guesses. An address from which too many keys came that are not
// valid gets 429 for the rest of a minute, whatever key it sends: it does not learn which one is right.
// But for keys that worked from there before, with this secret or another one, in this run of the server or
// an earlier one (key-use.ts): behind one address (NAT) there may be many clients, and one that guesses must
// not lock out the others. An address that is known to be shared (a proxy, this machine) has no such limit. A
// key that is not valid and is sent over and over gets 429, too, from wherever it comes.
//
// Whoever has many addresses can make the tables of failures forget those of others, and his own: they slow
// him down, and keep nobody out who knows a key. What is familiar is no such table: only a valid key adds to it.

import { CmsError } from '../base/errors.ts'
import type { Records } from '../storage/port.ts'
import { type Caller, invalidKey, openCallers } from './caller.ts'
import { type FailureLimits, openFailures } from './failure-counts.ts'
import { openRequestRate, type RateParty, type Rates } from './request-rate.ts'
import type { Proof } from './secret.ts'

export interface Guard {
  /** Throws key-invalid or too-many-requests; as a promise, where others have to be told first. */
  authenticate(attempt: Attempt): Caller | Promise<never>
  /** Throws too-many-requests where the key or its user sends more than --rate-limit allows; a promise, where others have to be asked. */
  checkRate(caller: Caller): void | Promise<void>
}

/** Of the process that counts for all. */
export interface CountingGuard extends Guard {
  /** Counts a request of the key and of its user; gives the seconds to wait where it is one too many. */
  takeRate(party: RateParty): number | undefined
  /** Counts a key that is not valid; gives the seconds to wait where there were too many. */
  takeFailure(hash: string, source: string | undefined): number | undefined
}

interface Attempt {
  readonly secret: Proof
  /** What its address is counted as; undefined when many clients are known to be behind it. */
  readonly source: string | undefined
  readonly now: Date
}

export interface GuardOptions {
  readonly records: Pick<Records, 'get' | 'trace'>
  readonly limits: FailureLimits
  readonly rates: Rates
  /** Whether a key was used from there lately. */
  readonly isFamiliar: (apiKeyId: number, source: string) => boolean
  /** Told when too many keys have come from there that are not valid, each time, and for how long that counts. */
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

  const takeRate = (party: RateParty): number | undefined => rate?.take(party)

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

      const isLetIn = caller !== undefined && isFamiliar(caller.key.api_key_id, source)
      if (!isLetIn) throw tooManyFailures(waitSeconds)
      return caller
    },

    checkRate: ({ key }) => requireRate(takeRate(key), rates),
    takeRate,
    takeFailure,
  }
}

/** What a key gets that is not valid. */
export function invalidOrTooMany(waitSeconds: number | undefined): CmsError {
  return waitSeconds === undefined ? invalidKey() : tooManyFailures(waitSeconds)
}

/** Throws too-many-requests where there are seconds to wait. */
export function requireRate(waitSeconds: number | undefined, { ofKey, ofUser }: Rates): void {
  if (waitSeconds === undefined) return
  throw tooMany(
    waitSeconds,
    `A key may send ${ofKey} requests in a second, and all keys of a user together ${ofUser}. Wait, then send fewer.`,
  )
}

export function tooManyFailures(waitSeconds: number): CmsError {
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
