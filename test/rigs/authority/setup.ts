// The initial state of a sequence: folders with content, users with roles in some folders, and
// keys.

import fc from 'fast-check'
import { openCeilings } from './ceilings.ts'
import {
  anyCategoryRoles,
  anyGrants,
  anyHours,
  anyOne,
  anyRole,
  anyScope,
  describeKey,
  describeUser,
  pick,
  type Site,
  toCategoryRoles,
  toEnd,
  toScope,
} from './command.ts'
import { findPosition } from './compare-sight.ts'
import { addFolder } from './folder-commands.ts'
import { addKey, bodyOf } from './key-commands.ts'
import { newPassword } from './session-commands.ts'
import { type Model, OPERATOR_USER, passwordOf, SITE, type ThingKind } from './state.ts'
import { openStreams } from './streams.ts'
import type { World } from './world.ts'

/** The minimum is enough to show a fault; the maximum keeps the final comparison short. */
export const anyBeginning = fc.record({
  folders: fc.array(anyOne, { minLength: 2, maxLength: 6 }),
  things: fc.array(anyOne, { minLength: 2, maxLength: 4 }),
  users: fc.array(fc.record({ role: anyRole, categoryRoles: anyCategoryRoles }), {
    minLength: 1,
    maxLength: 4,
  }),
  people: fc.array(anyOne, { maxLength: 3 }),
  keys: fc.array(fc.record({ user: anyOne, grants: anyGrants, scope: anyScope, hours: anyHours }), {
    minLength: 2,
    maxLength: 6,
  }),
})

type Beginning = typeof anyBeginning extends fc.Arbitrary<infer B> ? B : never

export async function begin(beginning: Beginning, world: World): Promise<Site> {
  const model = await newModel(world)
  const ceilings = openCeilings(model)
  const site: Site = { model, ceilings, done: [], streams: openStreams(model, world), position: '' }
  for (const number of beginning.folders) {
    const folders = [...model.folders.keys()].filter((id) => id !== SITE)
    await makeFolder(site, world, pick(folders, number))
  }
  for (const [at, number] of beginning.things.entries())
    await makeThing(model, world, { at, number })
  for (const { role, categoryRoles } of beginning.users) {
    const name = world.newName('user')
    const user = {
      name,
      role,
      categoryRoles: toCategoryRoles(model, categoryRoles),
      isActive: true,
    }
    const json = { name, role, category_roles: user.categoryRoles }
    const { user_id: id } = await world.make('/api/v2/user', json)
    model.users.set(id, user)
    world.note(`user ${id}: ${describeUser(user)}`)
  }
  const users = [...model.users.keys()].filter((id) => id !== OPERATOR_USER)
  for (const number of beginning.people) {
    const user = pick(users, number)
    const password = newPassword(world)
    await world.givePassword(model.users.get(user)?.name ?? '', password)
    model.credentials.set(user, { password })
    site.ceilings.learn(model.operator, passwordOf(model, user))
  }
  for (const { user, grants, scope, hours } of beginning.keys) {
    const limits = { scope: toScope(model, scope), ends: toEnd(world, hours) }
    const wanted = { user: pick(users, user), grants, ...limits }
    const body = await world.make('/api/v2/api_key', bodyOf(world, wanted))
    addKey(site, model.operator, { ...wanted, body })
    const made = model.keys.get(body.api_key_id)
    if (made !== undefined) world.note(`key ${body.api_key_id} ${describeKey(model, made)}`)
  }
  return { ...site, position: await findPosition(world) }
}

async function newModel(world: World): Promise<Model> {
  const name = world.newName('sequence')
  const { asset_category_id: root } = await world.make('/api/v2/asset_category', { name })
  const operator = { role: 'admin', categoryRoles: [], isActive: true, name: 'admin' } as const
  const rights = { user: OPERATOR_USER, grants: null, scope: null, ends: null, madeBy: null }
  const secrets = [{ text: world.operator.secret, until: null }]
  const model: Model = {
    root,
    folders: new Map([[SITE, { name: 'site', parent: null, probe: world.siteProbe }]]),
    gone: new Map(),
    things: new Map(),
    users: new Map([[OPERATOR_USER, operator]]),
    keys: new Map([[world.operator.keyId, { ...rights, isActive: true, secrets }]]),
    makers: new Map(),
    credentials: new Map(),
    cookies: [],
    webhooks: new Map(),
    operator: world.operator,
    principals: [],
  }
  await addFolder({ model }, world, { id: root, name, parent: SITE })
  world.note(`folder ${root} in ${SITE}`)
  return model
}

async function makeFolder(site: Site, world: World, parent: number): Promise<void> {
  const json = { name: world.newName('folder'), parent_category_id: parent }
  const { asset_category_id: id } = await world.make('/api/v2/asset_category', json)
  await addFolder(site, world, { id, name: json.name, parent })
  world.note(`folder ${id} in ${parent}`)
}

const KINDS: readonly (readonly [ThingKind, object])[] = [
  ['asset_file', { type: 'html' }],
  ['file_group', {}],
  ['datatable', { table_schema: 'a I' }],
  ['calendar', {}],
]

async function makeThing(
  model: Model,
  world: World,
  { at, number }: { readonly at: number; readonly number: number },
): Promise<void> {
  const [kind, fields] = pick(KINDS, at)
  const parent = pick([...model.folders.keys()], number)
  const name = world.newName(kind)
  const json = { name, parent_category_id: parent, ...fields }
  const body = await world.make(`/api/v2/${kind}`, json)
  const id = body[`${kind}_id`]
  model.things.set(`${kind} ${id}`, { kind, id, name, parent })
  world.note(`${kind} ${id} in folder ${parent}`)
}
