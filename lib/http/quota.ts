// A quota for one resource that running requests hold, counted in total and per key, user and address. Each of these may
// hold a part of the total, so that one client cannot exhaust the resource. The quota per user is needed because a key can
// create any number of keys for its user.
//
// A holder without any reservation may always exceed its part. Otherwise a single request that is larger than the part could
// never run.

import { CmsError } from '../base/errors.ts'

/** The key and the user of a request. */
export interface Party {
  readonly api_key_id: number
  readonly user_id: number
}

/** The key, user and address that a request counts for. */
export interface Holder {
  /** Undefined on open routes. */
  readonly party: Party | undefined
  /** The quota key of the address; undefined if many clients may share the address. */
  readonly source: string | undefined
}

/** The part of the total that one key, one user and one address may hold. */
export interface Parts {
  readonly ofKey: number
  readonly ofUser: number
  readonly ofAddress: number
}

export interface SharesOptions {
  readonly all: number
  readonly parts: Parts
  /** The resource, as in "Other requests of this key use …", for error details. */
  readonly what: string
}

export interface Shares {
  /** Whether the request, which already holds `own`, may take `amount` more. */
  hasRoom(holder: Holder, amount: number, own: number): boolean
  /** Throws too-many-requests if a part is exhausted, unavailable if the total is exhausted. */
  require(holder: Holder, amount: number, own: number): void
  /** Takes the amount without a check. */
  add(holder: Holder, amount: number): void
  give(holder: Holder, amount: number): void
}

type Whose = 'key' | 'user' | 'address'

export function openShares({ all, parts, what }: SharesOptions): Shares {
  const ofKeys = openCounts<number>(all * parts.ofKey)
  const ofUsers = openCounts<number>(all * parts.ofUser)
  const ofAddresses = openCounts<string>(all * parts.ofAddress)
  let held = 0

  function add({ party, source }: Holder, amount: number): void {
    held += amount
    if (party !== undefined) {
      ofKeys.add(party.api_key_id, amount)
      ofUsers.add(party.user_id, amount)
    }
    if (source !== undefined) ofAddresses.add(source, amount)
  }

  function findFull({ party, source }: Holder, amount: number, own: number): Whose | undefined {
    if (party !== undefined && ofKeys.isFull(party.api_key_id, amount, own)) return 'key'
    if (party !== undefined && ofUsers.isFull(party.user_id, amount, own)) return 'user'
    return source !== undefined && ofAddresses.isFull(source, amount, own) ? 'address' : undefined
  }

  return {
    hasRoom: (holder, amount, own) =>
      amount <= 0 || (held + amount <= all && findFull(holder, amount, own) === undefined),

    require(holder, amount, own) {
      if (amount <= 0) return
      const whose = findFull(holder, amount, own)
      if (whose !== undefined) throw overShare(what, whose)
      if (held + amount > all) throw allUsed(what)
    },

    add,
    give: (holder, amount) => add(holder, -amount),
  }
}

/** The amount that each holder has. Holders without any amount are removed. */
function openCounts<Id>(most: number) {
  const counts = new Map<Id, number>()
  return {
    add(id: Id, amount: number): void {
      const count = (counts.get(id) ?? 0) + amount
      if (count > 0) counts.set(id, count)
      else counts.delete(id)
    },
    isFull(id: Id, amount: number, own: number): boolean {
      const count = counts.get(id) ?? 0
      return count > own && count + amount > most
    },
  }
}

function overShare(what: string, whose: Whose): CmsError {
  const detail = `Other requests of this ${whose} use ${what} that one ${whose} may have. Wait until one of them ends, then try again.`
  return new CmsError('too-many-requests', detail, { headers: { 'retry-after': '1' } })
}

function allUsed(what: string): CmsError {
  return new CmsError('unavailable', `Other requests use ${what} that there is. Try again.`)
}
