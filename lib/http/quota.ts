// What requests hold of one thing while they run, counted for all together and for whom each of them is: its
// key, the user of the key, and the address. Each may hold a part of the whole, so that one cannot use up what
// is there for all. By user as well as by key, because a key can make as many keys of its user as it likes.
//
// Who holds nothing yet is never over a share, however much it asks for: a share says how much more there may
// be beside something, and what no share would ever let through could not be done at all.

import { CmsError } from '../base/errors.ts'

/** What tells the keys and users of requests apart. */
export interface Party {
  readonly api_key_id: number
  readonly user_id: number
}

/** For whom a request counts. */
export interface Holder {
  /** Undefined: the route is open. */
  readonly party: Party | undefined
  /** What its address is counted as; undefined: many clients may be behind it. */
  readonly source: string | undefined
}

/** Parts of a whole: of each thing that is bounded for all, nobody alone may have more. */
export interface Parts {
  readonly ofKey: number
  readonly ofUser: number
  readonly ofAddress: number
}

export interface SharesOptions {
  readonly all: number
  readonly parts: Parts
  /** What is held, in words that go on "of this key use …": for the detail of a refusal. */
  readonly what: string
}

export interface Shares {
  /** Whether there is room for so much more, beside `own`, which the same request holds. */
  hasRoom(holder: Holder, amount: number, own: number): boolean
  /** Throws too-many-requests where there is none, unavailable where all is in use. */
  require(holder: Holder, amount: number, own: number): void
  /** Takes it, room or not. */
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

/** What each of them holds, as long as it holds anything. */
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
