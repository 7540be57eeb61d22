// The central property, without any rule about permissions: nobody gains more than was given. A party
// knows a secret from the start, and all secrets that it learns by using its secrets. Actions of
// others may give the party something; actions with its own secrets must not.

import {
  grantsOf,
  isPart,
  type Key,
  type Mask,
  type Model,
  type Principal,
  type Reach,
  reachOf,
} from './state.ts'

interface Party {
  readonly name: string
  /** The known secrets, with the key of each secret. */
  readonly known: Map<string, number>
  /** Everything that was ever given. */
  readonly given: Map<string, Mask>
  /** The latest expiry; null means never. Undefined until a valid key was given. */
  ends: string | null | undefined
}

export interface Ceilings {
  /**
   * Records that the actor has learned a secret. A secret that the operator makes starts a new
   * party.
   */
  learn(actor: Principal, secret: Principal): void
  /**
   * Call before a change. After the change, the returned function reports a party that has too
   * much.
   */
  watch(actor: Principal, what: { readonly isMove: boolean }): () => string | undefined
}

export function openCeilings(model: Model): Ceilings {
  const parties: Party[] = []
  const isOperator = (actor: Principal): boolean => actor.secret === model.operator.secret

  function snapshot(): ReadonlyMap<number, Reach> {
    return new Map([...holdersOf(model)].map(([id, key]) => [id, reachOf(model, key)]))
  }

  /**
   * A giver cannot give what it does not hold. A move is an exception, because it may make things
   * visible to others.
   */
  function findGift(
    actor: Principal,
    before: ReadonlyMap<number, Reach>,
    after: ReadonlyMap<number, Reach>,
  ): string | undefined {
    const held = before.get(actor.keyId) ?? new Map<string, Mask>()
    for (const [id, reach] of after) {
      const old = before.get(id)
      const given = parties.filter(({ known }) => [...known.values()].includes(id))
      for (const [place, mask] of old === undefined ? [] : reach) {
        const earlier = given.reduce((all, party) => all | (party.given.get(place) ?? 0), 0)
        const most = (held.get(place) ?? 0) | (old?.get(place) ?? mask) | earlier
        if (old?.has(place) === true && !isPart(mask, most))
          return `key ${id} was given ${show(mask & ~most)} on ${place} by who does not hold it`
      }
    }
    return undefined
  }

  return {
    learn(actor, { keyId, secret }) {
      const key = holdersOf(model).get(keyId)
      const party: Party = {
        name:
          keyId < 0 ? `who got the password of user ${-keyId}` : `who got a secret of key ${keyId}`,
        known: new Map([[secret, keyId]]),
        given: new Map(key && reachOf(model, key)),
        ends: key && endOf(key),
      }
      for (const other of parties.filter(({ known }) => known.has(actor.secret))) {
        other.known.set(secret, keyId)
        // A password has no end, even if a key with an end sets it.
        if (keyId < 0) other.ends = null
      }
      parties.push(party)
    },

    watch(actor, { isMove }) {
      const before = snapshot()
      const places = new Set([...before.values()].flatMap((reach) => [...reach.keys()]))
      const mover = model.keys.get(actor.keyId)?.user

      return () => {
        const after = snapshot()
        const gift = isMove || isOperator(actor) ? undefined : findGift(actor, before, after)
        const excess = parties.map((party) => {
          const isNew = (place: string): boolean => !places.has(place)
          const isOwn = party.known.has(actor.secret)
          // A permitted move may make things visible to other users who hold more than the mover.
          const isGiven = (key: Key): boolean => !isOwn || (isMove && key.user !== mover)
          raise({ model, party, reaches: after, isGiven, isNew })
          return findExcess(model, party, after)
        })
        return gift ?? excess.find((text) => text !== undefined)
      }
    },
  }
}

interface Raising {
  readonly model: Model
  readonly party: Party
  readonly reaches: ReadonlyMap<number, Reach>
  /** Whether the current grants of a key were given by somebody else. */
  readonly isGiven: (key: Key) => boolean
  /** A new object has the grants of its folder. */
  readonly isNew: (place: string) => boolean
}

function raise({ model, party, reaches, isGiven, isNew }: Raising): void {
  for (const [secret, id] of party.known) {
    const key = findKey(model, secret, id)
    if (key === undefined) continue
    const isGift = isGiven(key)
    for (const [place, mask] of reaches.get(id) ?? [])
      if (isGift || isNew(place)) party.given.set(place, (party.given.get(place) ?? 0) | mask)
    if (isGift) party.ends = laterOf(party.ends, endOf(key))
  }
}

function findExcess(
  model: Model,
  party: Party,
  reaches: ReadonlyMap<number, Reach>,
): string | undefined {
  for (const [secret, id] of party.known) {
    const key = findKey(model, secret, id)
    if (key === undefined) continue
    for (const [place, mask] of reaches.get(id) ?? []) {
      const most = party.given.get(place) ?? 0
      if (!isPart(mask, most))
        return `${party.name} has ${show(mask & ~most)} on ${place} through key ${id}, and was never given it`
    }
    if (key.isActive && laterOf(party.ends, endOf(key)) !== party.ends)
      return `${party.name} holds key ${id} until ${key.ends}, and was given nothing beyond ${party.ends}`
  }
  return undefined
}

/** All that gives authority: the keys, and the passwords by their negative identifiers. */
function holdersOf(model: Model): ReadonlyMap<number, Key> {
  const passwords = [...model.credentials].flatMap(([user, { password }]): [number, Key][] => {
    if (password === null) return []
    const limits = { user, grants: null, scope: null, ends: null, madeBy: null }
    return [[-user, { ...limits, isActive: true, secrets: [{ text: password, until: null }] }]]
  })
  return new Map([...model.keys, ...passwords])
}

/** Undefined if the secret, cookie or password is not valid any more. */
function findKey(model: Model, secret: string, id: number): Key | undefined {
  const key = holdersOf(model).get(id)
  const isKnown =
    key?.session?.cookie === secret || key?.secrets.some(({ text }) => text === secret)
  return isKnown === true ? key : undefined
}

/** The end of a session limits the visit and not the person: its keys may end later. */
function endOf({ session, ends }: Key): string | null {
  return session === undefined ? ends : null
}

function laterOf(left: string | null | undefined, right: string | null): string | null {
  if (left === undefined) return right
  if (left === null || right === null) return null
  return left > right ? left : right
}

function show(mask: Mask): string {
  return grantsOf(mask).join(', ')
}
