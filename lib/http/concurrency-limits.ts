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
import { type Count, type Counts, nameOf, openCounts, type Party, type Place } from './quota.ts'

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

/** The counts that one request holds. */
export type RequestCounts = Partial<Record<'ofAddress' | 'ofKey', Count | undefined>>

/** Stores a count of a request, possibly later. */
export function storeCount(
  counts: RequestCounts,
  what: keyof RequestCounts,
  begun: Count | undefined | Promise<Count>,
): void | Promise<void> {
  if (!(begun instanceof Promise)) counts[what] = begun
  else
    return begun.then((count) => {
      counts[what] = count
    })
}

/** May be called again. */
export function endAll(running: Pick<Running, 'end'>, counts: RequestCounts): void {
  for (const what of ['ofKey', 'ofAddress'] as const) {
    running.end(counts[what])
    counts[what] = undefined
  }
}

/** The part of each limit that all reader processes together may use without borrowing. */
const UNASKED = 1 / 4

export function openRunning(options: RunningOptions): Running {
  return new Running(options)
}

type Limits = Readonly<Record<Place['whose'], number>>

/**
 * The running requests of this process. begin and beginAs throw too-many-requests. The error response closes its connection,
 * because connections are scarce.
 */
export class Running {
  /** The table of all counts. */
  readonly counts: Counts
  readonly #most: Limits
  /** The part of each limit that this process owns. */
  readonly #places: Limits
  readonly #lender: Lender | undefined

  constructor({ ofKey, ofUser, ofAddress, tableSize, readers = 0, lender }: RunningOptions) {
    const ofReader = (all: number): number =>
      readers === 0 ? 0 : Math.floor((all * UNASKED) / readers)
    const ofThis = (all: number): number =>
      lender === undefined ? all - readers * ofReader(all) : ofReader(all)
    this.counts = openCounts(tableSize)
    this.#most = { key: ofKey, user: ofUser, address: ofAddress }
    this.#places = { key: ofThis(ofKey), user: ofThis(ofUser), address: ofThis(ofAddress) }
    this.#lender = lender
  }

  /** Counts a request of this address; undefined if the address is not counted. */
  begin(source: string | undefined): Count | undefined | Promise<Count> {
    if (source === undefined || this.#most.address === 0) return undefined
    const count = this.counts.require('address', source)
    if (!this.#isFull(count)) return add(count)
    if (this.#lender === undefined) throw this.#tooMany(count.place)
    return this.#borrow(count, this.#lender)
  }

  /** Counts a request of this key and its user. */
  beginAs({ api_key_id: keyId, user_id: userId }: Party): Count | Promise<Count> {
    const key = this.counts.require('key', keyId)
    const user = this.counts.require('user', userId)
    // A lent count has no user yet, and the count of the user may have been removed and created again.
    key.of = user
    if (!this.#isFull(key) && !this.#isFull(user)) {
      add(user)
      return add(key)
    }
    if (this.#lender !== undefined) return this.#beginBoth(key, user, this.#lender)
    throw this.#tooMany(this.#isFull(key) ? key.place : user.place)
  }

  end(count: Count | undefined): void {
    if (count === undefined) return
    this.#endOne(count)
    if (count.of !== undefined) this.#endOne(count.of)
  }

  /** Counts a request of another process; returns false if no place is left. */
  lend({ whose, id }: Place): boolean {
    const count = this.counts.require(whose, id)
    if (this.#isFull(count)) return false
    add(count)
    return true
  }

  takeBack({ whose, id }: Place): void {
    const count = this.counts.find(whose, id)
    if (count !== undefined) this.#endOne(count)
  }

  #isFull({ place, requests, borrowed }: Count): boolean {
    return requests >= this.#places[place.whose] + borrowed
  }

  /** Counts the request with a place that is borrowed from the writer process. */
  async #borrow(count: Count, lender: Lender): Promise<Count> {
    const { place } = count
    count.asked += 1
    const isGiven = await lender.borrow(place)
    count.asked -= 1
    if (!isGiven) throw this.#tooMany(place)
    count.borrowed += 1
    return add(count)
  }

  async #beginBoth(key: Count, user: Count, lender: Lender): Promise<Count> {
    await (this.#isFull(key) ? this.#borrow(key, lender) : add(key))
    try {
      await (this.#isFull(user) ? this.#borrow(user, lender) : add(user))
      return key
    } catch (error) {
      this.#endOne(key)
      throw error
    }
  }

  #tooMany(place: Place): CmsError {
    const most = this.#most[place.whose]
    const detail = `The ${nameOf(place)} has ${most} running requests, which is the limit. Wait until some are answered, then try again.`
    const headers = { 'retry-after': '1', connection: 'close' }
    return new CmsError('too-many-requests', detail, { headers })
  }

  #endOne(count: Count): void {
    count.requests -= 1
    if (count.borrowed === 0) return
    count.borrowed -= 1
    this.#lender?.giveBack(count.place)
  }
}

function add(count: Count): Count {
  count.requests += 1
  return count
}
