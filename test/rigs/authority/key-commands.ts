// Commands on keys: make, change, rotate, and revoke with or without descendants.

import fc from 'fast-check'
import type { Grant } from '../../../lib/shared/grants.ts'
import {
  act,
  anyGrants,
  anyHours,
  anyOne,
  anyScope,
  askingOf,
  command,
  isSpared,
  pick,
  pickActor,
  type Site,
  toEnd,
  toScope,
  type WeightedCommand,
} from './command.ts'
import {
  judgeKeyChange,
  judgeKeyRemoval,
  judgeNewKey,
  judgeRotation,
  type KeyChange,
} from './key-rules.ts'
import { descendants, type Key, type Model, type Principal, seesKey } from './state.ts'
import type { World } from './world.ts'

const KEY = '/api/v2/api_key'

interface NewKey {
  readonly user: number
  readonly grants: readonly Grant[] | null
  readonly scope: number | null
  readonly ends: string | null
}

export function bodyOf(world: World, { user, grants, scope, ends }: NewKey): object {
  const limits = { grants, asset_category_id: scope, date_expires: ends }
  return { name: world.newName('key'), user_id: user, ...limits }
}

export function addKey(site: Site, actor: Principal, made: NewKey & { readonly body: any }): void {
  const { body, ...wanted } = made
  const { api_key_id: keyId, secret } = body
  const secrets = [{ text: secret, until: null }]
  // A session acts for a person, so its keys do not descend from it.
  const isByPerson = site.model.keys.get(actor.keyId)?.session !== undefined
  const madeBy = isByPerson ? null : actor.keyId
  site.model.keys.set(keyId, { ...wanted, isActive: true, madeBy, secrets })
  site.model.makers.set(keyId, madeBy)
  addPrincipal(site, actor, { keyId, secret })
}

export function addPrincipal(site: Site, actor: Principal, made: Principal): void {
  site.model.principals.push(made)
  site.ceilings.learn(actor, made)
}

/** The limits of the new key: any, the limits of the asking key, tighter limits, or another end. */
const anyFit = fc.constantFrom('any', 'like', 'within', 'within', 'late')

const makeKey = command({
  name: 'makeKey',
  args: fc.record({
    actor: anyOne,
    user: fc.option(anyOne, { nil: undefined, freq: 2 }),
    grants: anyGrants,
    scope: anyScope,
    hours: anyHours,
    fit: anyFit,
  }),
  async run(site, world, { actor: number, user, grants, scope, hours, fit }) {
    const actor = pickActor(site, world, number)
    const users = [...site.model.users.keys()]
    const own = site.model.keys.get(actor.keyId)
    const limits = { grants, scope: toScope(site.model, scope), ends: toEnd(world, hours) }
    const wanted = {
      ...(own === undefined ? limits : fitTo(own, limits, fit)),
      user: user === undefined ? (own?.user ?? pick(users, 0)) : pick(users, user),
    }
    await act(site, world, {
      actor,
      verdict: judgeNewKey(askingOf(site, world, actor), wanted),
      wish: { method: 'POST', path: KEY, json: bodyOf(world, wanted) },
      object: 'api_key',
      apply: (body) => addKey(site, actor, { ...wanted, body }),
    })
  },
})

type Limits = Pick<Key, 'grants' | 'scope' | 'ends'>

function fitTo(own: Limits, wanted: Limits, fit: string): Limits {
  if (fit === 'any') return wanted
  const { scope, ends, grants } = own
  if (fit === 'like') return { scope, ends, grants }
  if (fit === 'late') return { scope, ends: wanted.ends, grants }
  const less = wanted.grants?.filter((grant) => grants?.includes(grant) !== false)
  return { scope, ends, grants: less ?? grants }
}

type Change =
  | { readonly kind: 'grants'; readonly grants: readonly Grant[] | null }
  | { readonly kind: 'scope'; readonly scope: number | undefined }
  | { readonly kind: 'ends'; readonly hours: number | undefined }
  | { readonly kind: 'status'; readonly isActive: boolean }
  | { readonly kind: 'user'; readonly user: number }
  | { readonly kind: 'name' }

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('grants' as const), grants: anyGrants }),
  fc.record({ kind: fc.constant('scope' as const), scope: anyScope }),
  fc.record({ kind: fc.constant('ends' as const), hours: anyHours }),
  fc.record({ kind: fc.constant('status' as const), isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('user' as const), user: anyOne }),
  fc.record({ kind: fc.constant('name' as const) }),
)

/** The changed fields of the key, and the request body. */
function readChange(site: Site, world: World, change: Change): readonly [KeyChange, object] {
  const { model } = site
  if (change.kind === 'grants') return [{ grants: change.grants }, { grants: change.grants }]
  if (change.kind === 'scope') {
    const scope = toScope(model, change.scope)
    return [{ scope }, { asset_category_id: scope }]
  }
  if (change.kind === 'ends') {
    const ends = toEnd(world, change.hours)
    return [{ ends }, { date_expires: ends }]
  }
  if (change.kind === 'status') {
    const { isActive } = change
    return [{ isActive }, { status: isActive ? 'active' : 'inactive' }]
  }
  if (change.kind === 'name') return [{}, { name: world.newName('renamed') }]
  const user = pick([...model.users.keys()], change.user)
  return [{ user }, { user_id: user }]
}

const changeKey = command({
  name: 'changeKey',
  args: fc.record({ actor: anyOne, key: anyOne, change: anyChange }),
  async run(site, world, { actor: number, key, change }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = pickKey(model, actor, key)
    const [next, json] = readChange(site, world, change)
    const verdict = judgeKeyChange(askingOf(site, world, actor), id, next)
    if (isSpared({ site, world, verdict }, { key: id })) return
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'POST', path: `${KEY}/${id}`, json },
      object: 'api_key',
      id,
      apply: () => changeIn(model, id, next),
    })
  },
})

const rotateKey = command({
  name: 'rotateKey',
  args: fc.record({ actor: anyOne, key: anyOne, keepSeconds: fc.constantFrom(0, 0, 7_200) }),
  async run(site, world, { actor: number, key, keepSeconds }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = pickKey(model, actor, key)
    const verdict = judgeRotation(askingOf(site, world, actor), id)
    if (isSpared({ site, world, verdict }, { key: id })) return
    const until = new Date(Date.parse(world.now()) + keepSeconds * 1_000).toISOString()
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'POST', path: `${KEY}/${id}/rotate`, json: { keep_old: keepSeconds } },
      object: 'api_key',
      id,
      apply({ secret }) {
        const kept = keepSeconds === 0 ? [] : (model.keys.get(id)?.secrets ?? [])
        const old = kept.filter((item) => item.until === null).map(({ text }) => ({ text, until }))
        changeIn(model, id, { secrets: [...old, { text: secret, until: null }] })
        addPrincipal(site, actor, { keyId: id, secret })
      },
    })
  },
})

const revokeKey = command({
  name: 'revokeKey',
  args: fc.record({ actor: anyOne, key: anyOne, isCascade: fc.boolean() }),
  async run(site, world, { actor: number, key, isCascade }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = isCascade ? pickMaker(model, actor, key) : pickKey(model, actor, key)
    const verdict = judgeKeyRemoval(askingOf(site, world, actor), id)
    if (isSpared({ site, world, verdict }, { key: id })) return
    const below = isCascade ? descendants(model, id) : []
    // The operator is never a descendant, because no key has made it.
    const others = below.filter((other) => seesKey(model, actor, other))
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'DELETE', path: `${KEY}/${id}${isCascade ? '?cascade=true' : ''}` },
      object: 'api_key',
      id,
      apply() {
        for (const gone of [id, ...others]) model.keys.delete(gone)
        return others
      },
    })
  },
})

function changeIn(model: Model, id: number, next: Partial<Key>): void {
  const key = model.keys.get(id)
  if (key !== undefined) model.keys.set(id, { ...key, ...next })
}

/** Picks a visible key that has made others, if such a key exists. */
function pickMaker(model: Model, actor: Principal, number: number): number {
  const makers = new Set(model.makers.values())
  const seen = [...model.keys.keys()].filter(
    (id) => id !== model.operator.keyId && makers.has(id) && seesKey(model, actor, id),
  )
  return seen.length > 0 ? pick(seen, number) : pickKey(model, actor, number)
}

/** Picks a visible key in half of the cases, sometimes the actor's own key or a deleted key. */
function pickKey(model: Model, actor: Principal, number: number): number {
  if (number % 5 === 4 && model.keys.has(actor.keyId)) return actor.keyId
  const seen = [...model.keys.keys()].filter((id) => seesKey(model, actor, id))
  if (number % 2 === 0 && seen.length > 0) return pick(seen, number)
  const gone = number % 13 === 12 ? [...model.makers.keys()] : []
  return pick([...model.keys.keys(), ...gone], number)
}

export const keyCommands: readonly WeightedCommand[] = [
  { weight: 6, ...makeKey },
  { weight: 6, ...changeKey },
  { weight: 3, ...rotateKey },
  { weight: 4, ...revokeKey },
]
