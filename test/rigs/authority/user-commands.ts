// Commands on users, and the clock.

import fc from 'fast-check'
import {
  act,
  anyCategoryRoles,
  anyOne,
  anyRole,
  askingOf,
  command,
  isSpared,
  pick,
  pickAdmin,
  pickActor,
  toCategoryRoles,
  type WeightedCommand,
} from './command.ts'
import { judgeNewUser, judgeUserChange, judgeUserRemoval } from './user-rules.ts'
import {
  endSessions,
  type Model,
  type Principal,
  seesUser,
  sessionsOf,
  type User,
} from './state.ts'

const USER = '/api/v2/user'

/**
 * Makes a user with new roles, or with the roles of the asking user minus one thing, which is the
 * most it may give.
 */
const makeUser = command({
  name: 'makeUser',
  args: fc.record({
    actor: anyOne,
    role: anyRole,
    categoryRoles: anyCategoryRoles,
    isLike: fc.boolean(),
  }),
  async run(site, world, { actor: number, role, categoryRoles, isLike }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const own = model.users.get(model.keys.get(actor.keyId)?.user ?? 0)
    const roles = isLike ? (own?.categoryRoles ?? []) : toCategoryRoles(model, categoryRoles)
    const user: User = {
      name: world.newName('user'),
      role: isLike ? (own?.role ?? null) : role,
      categoryRoles: roles.filter((item) => model.folders.has(item.asset_category_id)),
      isActive: true,
    }
    const json = { name: user.name, role: user.role, category_roles: user.categoryRoles }
    await act(site, world, {
      actor,
      verdict: judgeNewUser(askingOf(site, world, actor), user),
      wish: { method: 'POST', path: USER, json },
      object: 'user',
      apply: ({ user_id: id }) => void model.users.set(id, user),
    })
  },
})

const changeUser = command({
  name: 'changeUser',
  args: fc.record({
    actor: anyOne,
    user: anyOne,
    change: fc.oneof(
      fc.record({ kind: fc.constant('role' as const), role: anyRole }),
      fc.record({ kind: fc.constant('folders' as const), categoryRoles: anyCategoryRoles }),
      fc.record({ kind: fc.constant('status' as const) }),
    ),
  }),
  async run(site, world, { actor: number, user: userNumber, change }) {
    const { model } = site
    const actor = pickAdmin(site, world, number)
    const isStatus = change.kind === 'status'
    const id = isStatus ? pickGuest(model, actor, userNumber) : pickUser(model, actor, userNumber)
    const next: Partial<User> =
      change.kind === 'role'
        ? { role: change.role }
        : change.kind === 'folders'
          ? { categoryRoles: toCategoryRoles(model, change.categoryRoles) }
          : { isActive: model.users.get(id)?.isActive === false }
    const verdict = judgeUserChange(askingOf(site, world, actor), id, next)
    if (isSpared({ site, world, verdict }, { user: id })) return
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'POST', path: `${USER}/${id}`, json: toBody(next) },
      object: 'user',
      id,
      apply() {
        const old = model.users.get(id)
        if (old !== undefined) model.users.set(id, { ...old, ...next })
        // Otherwise a session would go on when the user is enabled again.
        if (next.isActive === false) endSessions(model, id)
      },
    })
  },
})

function toBody({ role, categoryRoles, isActive }: Partial<User>): object {
  if (categoryRoles !== undefined) return { category_roles: categoryRoles }
  return isActive === undefined ? { role } : { status: isActive ? 'active' : 'disabled' }
}

const deleteUser = command({
  name: 'deleteUser',
  args: fc.record({ actor: anyOne, user: anyOne }),
  async run(site, world, { actor: number, user: userNumber }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = pickUser(model, actor, userNumber)
    const verdict = judgeUserRemoval(askingOf(site, world, actor), id)
    if (isSpared({ site, world, verdict }, { user: id })) return
    await act(site, world, {
      actor,
      verdict,
      wish: { method: 'DELETE', path: `${USER}/${id}` },
      object: 'user',
      id,
      apply() {
        model.users.delete(id)
        model.credentials.delete(id)
        for (const [keyId, key] of model.keys) if (key.user === id) model.keys.delete(keyId)
      },
    })
  },
})

/** Picks a visible user in half of the cases, sometimes the actor's own user. */
export function pickUser(model: Model, actor: Principal, number: number): number {
  const key = model.keys.get(actor.keyId)
  if (number % 5 === 4 && key !== undefined) return key.user
  const seen = [...model.users.keys()].filter((id) => key && seesUser(model, key, id))
  if (number % 2 === 0 && seen.length > 0) return pick(seen, number)
  return pick([...model.users.keys()], number)
}

/** Picks a user with a session, or a disabled user, in half of the cases. */
function pickGuest(model: Model, actor: Principal, number: number): number {
  const guests = [...model.users].flatMap(([id, user]) =>
    sessionsOf(model, id).length > 0 || !user.isActive ? [id] : [],
  )
  return number % 2 === 0 && guests.length > 0
    ? pick(guests, number)
    : pickUser(model, actor, number)
}

const wait = command({
  name: 'wait',
  args: fc.constantFrom(600, 3_600, 18_000),
  run: async ({ streams }, world, seconds) => {
    world.advance(seconds)
    world.note(`${seconds} seconds go by: it is ${world.now()}`)
    await streams.settle()
  },
})

export const userCommands: readonly WeightedCommand[] = [
  { weight: 4, ...makeUser },
  { weight: 5, ...changeUser },
  { weight: 1, ...deleteUser },
  { weight: 1, ...wait },
]
