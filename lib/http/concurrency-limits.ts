// How many requests may run at once: with one key, of one user, and of one address behind a proxy. A request
// that waits, for the rest of its body or for its client to read, holds a connection; behind a proxy, where all
// clients share one address, one of them would else have all of them.
//
// Every request passes here, so what it costs is one look into a table. A count stays in the table when it is
// nothing again, until there are many.
//
// Several processes count together. Each that reads has a few places for its own, all of them a quarter of what there
// is; further ones it borrows, one by one, from the process that writes, which has the rest. So all together never have
// more than one process alone would, and whoever comes to one of them alone has three quarters at least.

import { CmsError } from '../base/errors.ts'
import type { Party } from './quota.ts'

export interface RunningLimits {
  readonly ofKey: number
  readonly ofUser: number
  /** 0: any number. */
  readonly ofAddress: number
  /** So many counts are kept without looking which are nothing. */
  readonly tableSize: number
}

export interface RunningOptions extends RunningLimits {
  /** Processes that read beside the one that writes. */
  readonly readers?: number
  /** Of one that reads: where it asks for more places than its own. */
  readonly lender?: Lender | undefined
}

/** For whom a request counts. */
export interface Place {
  readonly whose: 'key' | 'user' | 'address'
  readonly id: number | string
}

export interface Lender {
  /** False: there is none left. */
  borrow(place: Place): Promise<boolean>
  giveBack(place: Place): void
}

/** Requests that run; `of` counts them for somebody else as well. */
export interface Count {
  readonly place: Place
  of: Count | undefined
  /** Those of other processes that have borrowed a place here are among them. */
  requests: number
  borrowed: number
  /** Places that are asked for. */
  asked: number
}

/** Each throws too-many-requests; the answer to it ends its connection, which is what there are too few of. */
export interface Running {
  /** One more of this address; undefined where that is not counted. */
  begin(source: string | undefined): Count | undefined | Promise<Count>
  /** One more with this key. */
  beginAs(party: Party): Count | Promise<Count>
  end(count: Count | undefined): void
  /** One more in another process; false where there is no place for it. */
  lend(place: Place): boolean
  takeBack(place: Place): void
}

/** What one request counts for. */
export type Held = Partial<Record<'ofAddress' | 'ofKey', Count | undefined>>

/** Notes what was begun, be it later. */
export function hold(
  held: Held,
  what: keyof Held,
  begun: Count | undefined | Promise<Count>,
): void | Promise<void> {
  if (!(begun instanceof Promise)) held[what] = begun
  else
    return begun.then((count) => {
      held[what] = count
    })
}

/** May be called again. */
export function endAll(running: Pick<Running, 'end'>, held: Held): void {
  for (const what of ['ofKey', 'ofAddress'] as const) {
    running.end(held[what])
    held[what] = undefined
  }
}

/** What all that read may have without asking. */
const UNASKED = 1 / 4

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the counts
export function openRunning(options: RunningOptions): Running {
  const { tableSize, readers = 0, lender } = options
  const most = { key: options.ofKey, user: options.ofUser, address: options.ofAddress }
  const ofReader = (all: number): number =>
    readers === 0 ? 0 : Math.floor((all * UNASKED) / readers)
  const ofThis = (all: number): number =>
    lender === undefined ? all - readers * ofReader(all) : ofReader(all)
  const places = {
    key: ofThis(most.key),
    user: ofThis(most.user),
    address: ofThis(most.address),
  }
  const counts = {
    key: new Map<Place['id'], Count>(),
    user: new Map<Place['id'], Count>(),
    address: new Map<Place['id'], Count>(),
  }

  function countOf(place: Place): Count {
    const ofThem = counts[place.whose]
    const known = ofThem.get(place.id)
    if (known !== undefined) return known
    // A user whose count is nothing has no key left then whose count would still add to it.
    if (ofThem.size >= tableSize) for (const all of Object.values(counts)) sweep(all)
    const count: Count = { place, of: undefined, requests: 0, borrowed: 0, asked: 0 }
    ofThem.set(place.id, count)
    return count
  }

  function isFull({ place, requests, borrowed }: Count): boolean {
    return requests >= places[place.whose] + borrowed
  }

  function add(count: Count): Count {
    count.requests += 1
    return count
  }

  /** With a place that another process has. */
  async function borrow(count: Count): Promise<Count> {
    const { place } = count
    count.asked += 1
    const isGiven = await lender?.borrow(place)
    count.asked -= 1
    if (isGiven !== true) throw tooMany(place.whose, most[place.whose])
    count.borrowed += 1
    return add(count)
  }

  async function beginBoth(key: Count, user: Count): Promise<Count> {
    await (isFull(key) ? borrow(key) : add(key))
    try {
      await (isFull(user) ? borrow(user) : add(user))
      return key
    } catch (error) {
      endOne(key)
      throw error
    }
  }

  function endOne(count: Count): void {
    count.requests -= 1
    if (count.borrowed === 0) return
    count.borrowed -= 1
    lender?.giveBack(count.place)
  }

  return {
    begin(source) {
      if (source === undefined || most.address === 0) return undefined
      const count = countOf({ whose: 'address', id: source })
      if (!isFull(count)) return add(count)
      if (lender === undefined) throw tooMany('address', most.address)
      return borrow(count)
    },

    beginAs({ api_key_id: keyId, user_id: userId }) {
      const key = counts.key.get(keyId) ?? countOf({ whose: 'key', id: keyId })
      const user = countOf({ whose: 'user', id: userId })
      // One that was lent is of nobody, and that of a user is another one where it was nothing meanwhile.
      key.of = user
      if (!isFull(key) && !isFull(user)) {
        add(user)
        return add(key)
      }
      if (lender !== undefined) return beginBoth(key, user)
      const whose = isFull(key) ? 'key' : 'user'
      throw tooMany(whose, most[whose])
    },

    end(count) {
      if (count === undefined) return
      endOne(count)
      if (count.of !== undefined) endOne(count.of)
    },

    lend(place) {
      const count = countOf(place)
      if (isFull(count)) return false
      add(count)
      return true
    },

    takeBack(place) {
      const count = counts[place.whose].get(place.id)
      if (count !== undefined) endOne(count)
    },
  }
}

function sweep(counts: Map<Place['id'], Count>): void {
  for (const [id, { requests, asked }] of counts) if (requests + asked === 0) counts.delete(id)
}

function tooMany(whose: Place['whose'], most: number): CmsError {
  const detail = `The ${whose} has ${most} requests running, which is all that one may have. Wait until some are answered, then try again.`
  const headers = { 'retry-after': '1', connection: 'close' }
  return new CmsError('too-many-requests', detail, { headers })
}
