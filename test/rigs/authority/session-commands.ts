// Commands of people: sign in, renew and sign out, change passwords and second factors.

import fc from 'fast-check'
import { codeAt } from '../../helpers/second-factors.ts'
import {
  act,
  anyOne,
  askingOf,
  command,
  isSpared,
  pick,
  pickActor,
  pickAdmin,
  type Site,
  type WeightedCommand,
} from './command.ts'
import { addPrincipal } from './key-commands.ts'
import {
  judgeCredentials,
  judgeOwnFactor,
  judgeOwnPassword,
  judgeRenewal,
  judgeSignIn,
  type Proof,
} from './session-rules.ts'
import { GRANTED } from './rules.ts'
import {
  endSessions,
  isAlive,
  isOpenSession,
  type Model,
  OPERATOR_USER,
  passwordOf,
  type Principal,
  sessionsOf,
} from './state.ts'
import { pickUser } from './user-commands.ts'
import type { World } from './world.ts'

const SESSION = '/api/v2/session'
const OWN_FACTOR = '/api/v2/me/second_factor'
const SECRET_MINUTES = 10
const IDLE_HOURS = 24
const MOST_HOURS = 14 * 24

export function newPassword(world: World): string {
  return `${world.newName('password')} of a person`
}

/** Signs in as a user; the site knows everything else. */
export async function enter(site: Site, world: World, user: number, proof: Proof): Promise<void> {
  const { model } = site
  const name = model.users.get(user)?.name ?? ''
  const actor = passwordOf(model, user)
  await act(site, world, {
    actor,
    verdict: judgeSignIn(model, user, proof),
    wish: { method: 'POST', path: SESSION, json: { name, ...proof }, cookie: '' },
    object: 'api_key',
    ids: ({ api_key_id: id }) => [id],
    author: ({ api_key_id: keyId }) => ({ userId: user, keyId }),
    apply({ api_key_id: keyId, secret }, { cookie }) {
      useCode(model, user, proof.code)
      const session = { cookie, ends: after(world, MOST_HOURS) }
      const limits = { user, grants: null, scope: null, madeBy: null }
      const secrets = [{ text: secret, until: after(world, SECRET_MINUTES / 60) }]
      const ends = after(world, IDLE_HOURS)
      model.keys.set(keyId, { ...limits, ends, isActive: true, secrets, session })
      model.makers.set(keyId, null)
      model.cookies.push({ keyId, secret: cookie })
      site.ceilings.learn(actor, { keyId, secret: cookie })
      addPrincipal(site, actor, { keyId, secret })
    },
  })
}

function after(world: World, hours: number): string {
  return new Date(Date.parse(world.now()) + hours * 3_600_000).toISOString()
}

/** Mostly right; otherwise another password, another code, or none. */
const anyProof = fc.record({
  isPassword: fc.constantFrom(true, true, true, false),
  code: fc.constantFrom('right', 'right', 'right', 'wrong', undefined),
})

type ProofKind = typeof anyProof extends fc.Arbitrary<infer P> ? P : never

function toProof(model: Model, user: number, { isPassword, code }: ProofKind): Proof {
  const known = model.credentials.get(user)
  const password = isPassword ? (known?.password ?? undefined) : undefined
  const right = code === 'right' ? known?.codes?.[0] : undefined
  return {
    password: password ?? 'the password of nobody',
    code: code === 'wrong' ? '000000-of-nobody' : right,
  }
}

/** Each code is good for one time. */
function useCode(model: Model, user: number, code: string | undefined): void {
  const known = model.credentials.get(user)
  if (known?.codes === undefined) return
  model.credentials.set(user, { ...known, codes: known.codes.filter((item) => item !== code) })
}

const signIn = command({
  name: 'signIn',
  args: fc.record({ user: anyOne, proof: anyProof }),
  async run(site, world, { user: number, proof }) {
    const { model } = site
    const all = [...model.users.keys()].filter((id) => id !== OPERATOR_USER)
    const known = all.filter((id) => typeof model.credentials.get(id)?.password === 'string')
    const users = number % 7 === 6 || known.length === 0 ? all : known
    if (users.length === 0) return
    const user = pick(users, number)
    await enter(site, world, user, toProof(model, user, proof))
  },
})

const renewSession = command({
  name: 'renewSession',
  args: fc.record({ session: anyOne }),
  async run(site, world, { session: number }) {
    const { model } = site
    const cookie = pickCookie(site, world, number)
    if (cookie === undefined) return
    const { keyId } = cookie
    await act(site, world, {
      actor: cookie,
      verdict: judgeRenewal(model, cookie, world.now()),
      wish: { method: 'POST', path: `${SESSION}/renew`, cookie: cookie.secret },
      apply({ secret }) {
        const key = model.keys.get(keyId)
        if (key?.session === undefined) return
        const ends = earlier(after(world, IDLE_HOURS), key.session.ends)
        const until = earlier(after(world, SECRET_MINUTES / 60), ends)
        model.keys.set(keyId, { ...key, ends, secrets: [...key.secrets, { text: secret, until }] })
        addPrincipal(site, cookie, { keyId, secret })
      },
    })
  },
})

function earlier(left: string, right: string): string {
  return left < right ? left : right
}

const signOut = command({
  name: 'signOut',
  args: fc.record({ session: anyOne, isEverywhere: fc.boolean() }),
  async run(site, world, { session: number, isEverywhere }) {
    const { model } = site
    const cookie = pickCookie(site, world, number)
    if (cookie === undefined) return
    const { keyId, secret } = cookie
    const user = model.keys.get(keyId)?.user ?? 0
    const isOpen = isOpenSession(model, cookie, world.now())
    const others = isOpen && isEverywhere ? sessionsOf(model, user, keyId) : []
    await act(site, world, {
      actor: cookie,
      verdict: GRANTED,
      wish: {
        method: 'DELETE',
        path: isEverywhere ? `${SESSION}?everywhere=true` : SESSION,
        cookie: secret,
      },
      // A session that is over already leaves no row.
      ...(isOpen && { object: 'api_key', id: keyId }),
      apply() {
        for (const id of isOpen ? [keyId, ...others] : []) model.keys.delete(id)
        return others
      },
    })
  },
})

/** Picks mostly a session that goes on; undefined if nobody ever signed in. */
function pickCookie({ model }: Site, world: World, number: number): Principal | undefined {
  if (model.cookies.length === 0) return undefined
  const open = model.cookies.filter((item) => isOpenSession(model, item, world.now()))
  return pick(number % 4 === 3 || open.length === 0 ? model.cookies : open, number)
}

/** Picks a person in two of three cases; a key must be refused. */
function pickPerson(site: Site, world: World, number: number): Principal {
  const { model } = site
  const people = model.principals.filter(
    (item) =>
      model.keys.get(item.keyId)?.session !== undefined && isAlive(model, item, world.now()),
  )
  const isAny = number % 3 === 2 || people.length === 0
  return isAny ? pickActor(site, world, number) : pick(people, number)
}

const changeOwnPassword = command({
  name: 'changeOwnPassword',
  args: fc.record({ actor: anyOne, proof: anyProof }),
  async run(site, world, { actor: number, proof: kind }) {
    const { model } = site
    const actor = pickPerson(site, world, number)
    const user = model.keys.get(actor.keyId)?.user ?? 0
    const { password } = toProof(model, user, kind)
    const next = newPassword(world)
    await act(site, world, {
      actor,
      verdict: judgeOwnPassword(askingOf(site, world, actor), password),
      wish: { method: 'POST', path: '/api/v2/me/password', json: { password, new_password: next } },
      object: 'user',
      id: user,
      apply() {
        setPasswordIn(site, actor, { user, password: next })
        endSessions(model, user, actor.keyId)
      },
    })
  },
})

const setPassword = command({
  name: 'setPassword',
  args: fc.record({ actor: anyOne, user: anyOne, isRemoved: fc.constantFrom(false, false, true) }),
  async run(site, world, { actor: number, user: userNumber, isRemoved }) {
    const { model } = site
    const actor = pickAdmin(site, world, number)
    const user = pickUser(model, actor, userNumber)
    const verdict = judgeCredentials(askingOf(site, world, actor), user)
    if (isSpared({ site, world, verdict }, { user })) return
    const password = isRemoved ? null : newPassword(world)
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'POST', path: `/api/v2/user/${user}/password`, json: { password } },
      object: 'user',
      id: user,
      apply() {
        setPasswordIn(site, actor, { user, password })
        endSessions(model, user)
      },
    })
  },
})

/** A new password does not remove the second factor. */
function setPasswordIn(
  { model, ceilings }: Site,
  actor: Principal,
  { user, password }: { readonly user: number; readonly password: string | null },
): void {
  model.credentials.set(user, { ...model.credentials.get(user), password })
  if (password !== null) ceilings.learn(actor, passwordOf(model, user))
}

const addFactor = command({
  name: 'addFactor',
  args: fc.record({ actor: anyOne, proof: anyProof }),
  async run(site, world, { actor: number, proof: kind }) {
    const { model } = site
    const actor = pickPerson(site, world, number)
    const user = model.keys.get(actor.keyId)?.user ?? 0
    const proof = toProof(model, user, kind)
    const asking = askingOf(site, world, actor)
    const begun: { secret?: string } = {}
    await act(site, world, {
      actor,
      verdict: judgeOwnFactor(asking, proof),
      wish: { method: 'POST', path: OWN_FACTOR, json: proof },
      object: 'user',
      id: user,
      apply({ secret }) {
        begun.secret = secret
        useCode(model, user, proof.code)
      },
    })
    if (begun.secret === undefined) return
    const code = codeAt(begun.secret, Date.parse(world.now()))
    await act(site, world, {
      actor,
      verdict: GRANTED,
      wish: { method: 'POST', path: `${OWN_FACTOR}/confirm`, json: { code } },
      object: 'user',
      id: user,
      apply({ recovery_codes: codes }) {
        const { password = null } = model.credentials.get(user) ?? {}
        model.credentials.set(user, { password, codes })
        endSessions(model, user, actor.keyId)
      },
    })
  },
})

const removeOwnFactor = command({
  name: 'removeOwnFactor',
  args: fc.record({ actor: anyOne, proof: anyProof }),
  async run(site, world, { actor: number, proof: kind }) {
    const { model } = site
    const actor = pickPerson(site, world, number)
    const user = model.keys.get(actor.keyId)?.user ?? 0
    const proof = toProof(model, user, kind)
    await act(site, world, {
      actor,
      verdict: judgeOwnFactor(askingOf(site, world, actor), proof),
      wish: { method: 'POST', path: `${OWN_FACTOR}/remove`, json: proof },
      object: 'user',
      id: user,
      apply: () => forgetFactor(model, user),
    })
  },
})

const removeFactor = command({
  name: 'removeFactor',
  args: fc.record({ actor: anyOne, user: anyOne }),
  async run(site, world, { actor: number, user: userNumber }) {
    const { model } = site
    const actor = pickAdmin(site, world, number)
    const user = pickUser(model, actor, userNumber)
    const verdict = judgeCredentials(askingOf(site, world, actor), user)
    if (isSpared({ site, world, verdict }, { user })) return
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'POST', path: `/api/v2/user/${user}/second_factor/remove` },
      object: 'user',
      id: user,
      apply: () => forgetFactor(model, user),
    })
  },
})

function forgetFactor(model: Model, user: number): void {
  const { password = null } = model.credentials.get(user) ?? {}
  model.credentials.set(user, { password })
}

export const sessionCommands: readonly WeightedCommand[] = [
  { weight: 5, ...signIn },
  { weight: 1, ...renewSession },
  { weight: 2, ...signOut },
  { weight: 2, ...changeOwnPassword },
  { weight: 2, ...setPassword },
  { weight: 2, ...addFactor },
  { weight: 1, ...removeOwnFactor },
  { weight: 1, ...removeFactor },
]
