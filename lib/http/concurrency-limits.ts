// Limits the number of requests that run at once per key, user and address. A request that waits for its body or for its
// client holds a connection. Behind a proxy, all clients share the connections of the proxy, and one client could otherwise
// use all of them.
//
// Every request is counted, so the cost is one lookup in the table of all counts (quota.ts).
//
// Several processes share the limits. The reader processes together own a quarter of each limit, in equal parts. A reader
// process borrows further places one by one from the writer process, which owns the rest. So all processes together never
// exceed the limit, and a client of a single process can use at least three quarters of it.

import { CmsError } from '../base/errors.ts'
import { type Count, type Counts, openCounts, type Party, type Place } from './quota.ts'

export interface RunningLimits {
  readonly ofKey: number
  readonly ofUser: number
  /** 0 means no limit. */
  readonly ofAddress: number
  /** Size of the table of counts: see openCounts. */
  readonly tableSize: number
}

export interface RunningOptions extends RunningLimits {
  /** Number of reader processes. */
  readonly readers?: number
  /** Defined in a reader process, which borrows places from the writer process. */
  readonly lender?: Lender | undefined
}

export interface Lender {
  /** Returns false if no place is left. */
  borrow(place: Place): Promise<boolean>
  giveBack(place: Place): void
}

/** begin and beginAs throw too-many-requests. The error response closes its connection, because connections are scarce. */
export interface Running {
  /** The table of all counts. */
  readonly counts: Counts
  /** Counts a request of this address; undefined if the address is not counted. */
  begin(source: string | undefined): Count | undefined | Promise<Count>
  /** Counts a request of this key and its user. */
  beginAs(party: Party): Count | Promise<Count>
  end(count: Count | undefined): void
  /** Counts a request of another process; returns false if no place is left. */
  lend(place: Place): boolean
  takeBack(place: Place): void
}

/** The counts that one request holds. */
export type Held = Partial<Record<'ofAddress' | 'ofKey', Count | undefined>>

/** Stores a count of a request, possibly later. */
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

/** The part of each limit that all reader processes together may use without borrowing. */
const UNASKED = 1 / 4

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the limits
export function openRunning(options: RunningOptions): Running {
  const { readers = 0, lender } = options
  const counts = openCounts(options.tableSize)
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

  function isFull({ place, requests, borrowed }: Count): boolean {
    return requests >= places[place.whose] + borrowed
  }

  function add(count: Count): Count {
    count.requests += 1
    return count
  }

  /** Counts the request with a place that is borrowed from the writer process. */
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
    counts,
    begin(source) {
      if (source === undefined || most.address === 0) return undefined
      const count = counts.require('address', source)
      if (!isFull(count)) return add(count)
      if (lender === undefined) throw tooMany('address', most.address)
      return borrow(count)
    },

    beginAs({ api_key_id: keyId, user_id: userId }) {
      const key = counts.require('key', keyId)
      const user = counts.require('user', userId)
      // A lent count has no user yet, and the count of the user may have been removed and created again.
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

    lend({ whose, id }) {
      const count = counts.require(whose, id)
      if (isFull(count)) return false
      add(count)
      return true
    },

    takeBack({ whose, id }) {
      const count = counts.find(whose, id)
      if (count !== undefined) endOne(count)
    },
  }
}

function tooMany(whose: Place['whose'], most: number): CmsError {
  const detail = `The ${whose} has ${most} running requests, which is the limit. Wait until some are answered, then try again.`
  const headers = { 'retry-after': '1', connection: 'close' }
  return new CmsError('too-many-requests', detail, { headers })
}
