// How many requests may run at once: with one key, of one user, and of one address behind a proxy. A request
// that waits, for the rest of its body or for its client to read, holds a connection; behind a proxy, where all
// clients share one address, one of them would else have all of them.
//
// Every request passes here, so what it costs is one look into a table. A count stays in the table when it is
// nothing again, until there are many.

import { CmsError } from '../errors.ts'
import type { Party } from './shares.ts'

export interface RunningLimits {
  readonly ofKey: number
  readonly ofUser: number
  /** 0: any number. */
  readonly ofAddress: number
  /** So many counts are kept without looking which are nothing. */
  readonly tableSize: number
}

/** Requests that run; `of` counts them for somebody else as well. */
export interface Count {
  readonly of: Count | undefined
  requests: number
}

/** Each throws too-many-requests; the answer to it ends its connection, which is what there are too few of. */
export interface Running {
  /** One more of this address; undefined where that is not counted. */
  begin(source: string | undefined): Count | undefined
  /** One more with this key. */
  beginAs(party: Party): Count
  end(count: Count | undefined): void
}

export function openRunning({ ofKey, ofUser, ofAddress, tableSize }: RunningLimits): Running {
  const addresses = new Map<string, Count>()
  const users = new Map<number, Count>()
  const keys = new Map<number, Count>()

  function newCount<Id>(counts: Map<Id, Count>, id: Id, of?: Count): Count {
    const count = { of, requests: 0 }
    counts.set(id, count)
    return count
  }

  function newKeyCount({ api_key_id: keyId, user_id: userId }: Party): Count {
    // A user whose count is nothing has no key left then whose count would still add to it.
    if (keys.size >= tableSize || users.size >= tableSize) {
      sweep(keys)
      sweep(users)
    }
    return newCount(keys, keyId, users.get(userId) ?? newCount(users, userId))
  }

  function newAddressCount(source: string): Count {
    if (addresses.size >= tableSize) sweep(addresses)
    return newCount(addresses, source)
  }

  return {
    begin(source) {
      if (source === undefined || ofAddress === 0) return undefined
      const count = addresses.get(source) ?? newAddressCount(source)
      if (count.requests >= ofAddress) throw tooMany('address', ofAddress)
      count.requests += 1
      return count
    },

    beginAs(party) {
      const count = keys.get(party.api_key_id) ?? newKeyCount(party)
      const { of: ofItsUser } = count
      if (count.requests >= ofKey) throw tooMany('key', ofKey)
      if (ofItsUser !== undefined && ofItsUser.requests >= ofUser) throw tooMany('user', ofUser)
      count.requests += 1
      if (ofItsUser !== undefined) ofItsUser.requests += 1
      return count
    },

    end(count) {
      if (count === undefined) return
      count.requests -= 1
      if (count.of !== undefined) count.of.requests -= 1
    },
  }
}

function sweep<Id>(counts: Map<Id, Count>): void {
  for (const [id, { requests }] of counts) if (requests === 0) counts.delete(id)
}

function tooMany(whose: 'key' | 'user' | 'address', most: number): CmsError {
  const detail = `The ${whose} has ${most} requests running, which is all that one may have. Wait until some are answered, then try again.`
  const headers = { 'retry-after': '1', connection: 'close' }
  return new CmsError('too-many-requests', detail, { headers })
}
