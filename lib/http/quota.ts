// The table of everything that keys, users and addresses hold at present, and quotas over it. concurrency-limits.ts counts
// running requests in the same table.
//
// A quota limits one resource that running requests hold, counted in total and per key, user and address. Each of these may
// hold a part of the total, so that one client cannot exhaust the resource. The quota per user is needed because a key can
// create any number of keys for its user.
//
// A holder without any reservation may always exceed its part. Otherwise a single request that is larger than the part could
// never run.

import { CmsError } from '../base/errors.ts'

/** The key and the user of a request; for a reader without a key, its address and the user 0. */
export interface Party {
  readonly api_key_id: number | string
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

/** The key, user or address that something counts for. */
export interface Place {
  readonly whose: 'key' | 'user' | 'address'
  readonly id: number | string
}

type Whose = Place['whose']

/** The name of a place in a refusal. A reader without a key counts as its address, and all of them as the user 0. */
export function nameOf({ whose, id }: Place): string {
  if (whose === 'key' && typeof id === 'string') return 'address'
  return whose === 'user' && id === 0 ? 'group of all readers without a key' : whose
}

/** The requests and resources that one key, user or address holds. */
export interface Count {
  readonly place: Place
  /** For a key: the count of its user. */
  of: Count | undefined
  /** Running requests, including places that other processes have borrowed from this one. */
  requests: number
  borrowed: number
  /** Places that are being borrowed. */
  asked: number
  /** The amount of each resource, by the number of its quota. */
  readonly amounts: number[]
}

export interface Counts {
  find(whose: Whose, id: Place['id']): Count | undefined
  /** Adds an empty count if the table has none. */
  require(whose: Whose, id: Place['id']): Count
  /** Numbers a new quota. */
  newNumber(): number
}

/** Empty counts stay in the table until the table has this size, so that a request costs one lookup. */
export function openCounts(tableSize: number): Counts {
  const tables = {
    key: new Map<Place['id'], Count>(),
    user: new Map<Place['id'], Count>(),
    address: new Map<Place['id'], Count>(),
  }
  let quotas = 0

  return {
    find: (whose, id) => tables[whose].get(id),
    require(whose, id) {
      const table = tables[whose]
      const known = table.get(id)
      if (known !== undefined) return known
      // All tables are swept together, so that no key keeps a reference to the removed count of its user.
      if (table.size >= tableSize) for (const each of Object.values(tables)) sweep(each)
      const place = { whose, id }
      const count = { place, of: undefined, requests: 0, borrowed: 0, asked: 0, amounts: [] }
      table.set(id, count)
      return count
    },
    newNumber() {
      quotas += 1
      return quotas - 1
    },
  }
}

function sweep(table: Map<Place['id'], Count>): void {
  for (const [id, { requests, asked, amounts }] of table)
    if (requests + asked === 0 && !amounts.some((amount) => amount > 0)) table.delete(id)
}

export interface SharesOptions {
  readonly counts: Counts
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

export function openShares({ counts, all, parts, what }: SharesOptions): Shares {
  const number = counts.newNumber()
  const most = {
    key: all * parts.ofKey,
    user: all * parts.ofUser,
    address: all * parts.ofAddress,
  }
  let held = 0

  function addTo(whose: Whose, id: Place['id'], amount: number): void {
    const { amounts } = counts.require(whose, id)
    amounts[number] = (amounts[number] ?? 0) + amount
  }

  function add({ party, source }: Holder, amount: number): void {
    if (amount === 0) return
    held += amount
    if (party !== undefined) {
      addTo('key', party.api_key_id, amount)
      addTo('user', party.user_id, amount)
    }
    if (source !== undefined) addTo('address', source, amount)
  }

  function findFull({ party, source }: Holder, amount: number, own: number): Place | undefined {
    const places: (Place | undefined)[] = [
      party && { whose: 'key', id: party.api_key_id },
      party && { whose: 'user', id: party.user_id },
      source === undefined ? undefined : { whose: 'address', id: source },
    ]
    return places.find((place) => {
      if (place === undefined) return false
      const count = counts.find(place.whose, place.id)?.amounts[number] ?? 0
      return count > own && count + amount > most[place.whose]
    })
  }

  return {
    hasRoom: (holder, amount, own) =>
      amount <= 0 || (held + amount <= all && findFull(holder, amount, own) === undefined),

    require(holder, amount, own) {
      if (amount <= 0) return
      const place = findFull(holder, amount, own)
      if (place !== undefined) throw overShare(what, place)
      if (held + amount > all) throw allUsed(what)
    },

    add,
    give: (holder, amount) => add(holder, -amount),
  }
}

function overShare(what: string, place: Place): CmsError {
  const name = nameOf(place)
  const detail = `Other requests of this ${name} use ${what} that one ${name} may have. Wait until one of them ends, then try again.`
  return new CmsError('too-many-requests', detail, { headers: { 'retry-after': '1' } })
}

function allUsed(what: string): CmsError {
  return new CmsError('unavailable', `Other requests use ${what} that the server has. Try again.`)
}
