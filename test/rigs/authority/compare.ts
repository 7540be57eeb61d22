// Compares the server with the model at the end of a sequence: the abilities of each secret in each
// folder, the visible keys and users, the records, and the audit trail.

import { type Grant, GRANTS } from '../../../lib/shared/grants.ts'
import { describePrincipal, type Site } from './command.ts'
import { compareAudit } from './compare-audit.ts'
import { changesSince, compareChanges, compareSearches } from './compare-sight.ts'
import { compareWebhooks } from './compare-webhooks.ts'
import {
  bit,
  grantsOf,
  isAlive,
  isOpenSession,
  isPublicFolder,
  keyMask,
  type Mask,
  type Model,
  type Principal,
} from './state.ts'
import type { Wish, World } from './world.ts'

/**
 * Only the newest principals of each sequence are compared, because each costs a hundred requests.
 */
const MAX_LIVING = 4
const MAX_DEAD = 3

export async function compareAll(site: Site, world: World, lastRow: number): Promise<void> {
  const { model } = site
  const isLiving = (item: Principal): boolean => isAlive(model, item, world.now())
  for (const dead of model.principals.filter((item) => !isLiving(item)).slice(-MAX_DEAD))
    await compareDead(model, world, dead)
  const isOver = (cookie: Principal): boolean => !isOpenSession(model, cookie, world.now())
  for (const cookie of model.cookies.filter(isOver).slice(-MAX_DEAD))
    await compareDeadCookie(model, world, cookie)
  const { changes: all } = await changesSince(world, site.position)
  for (const living of model.principals.filter(isLiving).slice(-MAX_LIVING)) {
    await compareSearches(model, world, living)
    await compareChanges(site, world, { own: living, all })
    await compareReach(model, world, living)
  }
  await compareNobody(model, world)
  await compareRecords(model, world)
  await compareWebhooks(model, world)
  await compareAudit(site, world, lastRow)
}

async function compareDead(model: Model, world: World, dead: Principal): Promise<void> {
  const { status } = await probe(world, dead.secret, { method: 'GET', path: '/api/v2/api_key' })
  if (status === 401 || status === 429) return
  world.complain('reach', `a secret of ${describePrincipal(model, dead)} still works: ${status}`)
}

async function compareDeadCookie(model: Model, world: World, own: Principal): Promise<void> {
  const path = '/api/v2/session/renew'
  const { status } = await probe(world, '', { method: 'POST', path, cookie: own.secret })
  if (status !== 401)
    world.complain(
      'reach',
      `the cookie of ${describePrincipal(model, own)} gives a secret: ${status}`,
    )
}

async function compareReach(model: Model, world: World, own: Principal): Promise<void> {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return
  for (const [id, folder] of model.folders) {
    const found = await findGrants(world, own.secret, { id, probe: folder.probe })
    const due = keyMask(model, key, id) & ~bit('admin')
    if (found !== due)
      world.complain(
        'reach',
        `${describePrincipal(model, own)} holds ${grantsOf(found)} in folder ${id}, and was given ${grantsOf(due)}`,
      )
  }
}

/** Without a key, an address in a public folder is looked up, and everything else needs a key. */
async function compareNobody(model: Model, world: World): Promise<void> {
  for (const [id, folder] of model.folders) {
    const page = { method: 'GET', path: `/file/${id}/none.html` } as const
    const { status } = await probe(world, '', page)
    const due = isPublicFolder(model, id) ? 404 : 401
    if (status !== due) world.complain('reach', `${page.path} is ${status} without a key`)
    for (const [, wish] of probesOf({ id, probe: folder.probe })) {
      const answer = await probe(world, '', wish)
      if (answer.status === 401) continue
      world.complain('reach', `${wish.method} ${wish.path} is ${answer.status} without a key`)
    }
  }
}

/**
 * With the grant, each probe fails with a distinct status: a name conflict or a failed
 * precondition.
 */
function probesOf(folder: {
  readonly id: number
  readonly probe: number
}): readonly [Grant, Wish, number][] {
  const path = `/api/v2/asset_file/${folder.probe}`
  const page = { name: 'probe.html', type: 'html', parent_category_id: folder.id }
  const ifMatch = '"r0"'
  return [
    ['view', { method: 'GET', path }, 200],
    ['create', { method: 'POST', path: '/api/v2/asset_file', json: page }, 409],
    ['modify', { method: 'POST', path, json: { title: 'x' }, ifMatch }, 412],
    ['delete', { method: 'DELETE', path, ifMatch }, 412],
    ['stage', { method: 'POST', path: `${path}/stage`, ifMatch }, 412],
    ['stage', { method: 'POST', path: `${path}/unstage`, ifMatch }, 412],
    ['publish', { method: 'POST', path: `${path}/publish`, ifMatch }, 412],
    ['publish', { method: 'POST', path: `${path}/unpublish`, ifMatch }, 412],
  ]
}

async function findGrants(
  world: World,
  secret: string,
  folder: { readonly id: number; readonly probe: number },
): Promise<Mask> {
  const held = await Promise.all(
    probesOf(folder).map(async ([grant, wish, status]) => {
      const answer = await probe(world, secret, wish)
      const isKnown = answer.status === status || [403, 404, 422].includes(answer.status)
      if (!isKnown) world.fail(`${wish.method} ${wish.path} is ${answer.status}: ${answer.text}`)
      return { grant, what: `${wish.method} ${wish.path}`, isHeld: answer.status === status }
    }),
  )
  await compareTicket(world, secret, folder.probe)
  const mask = held.reduce((all, { grant, isHeld }) => (isHeld ? all | bit(grant) : all), 0)
  for (const { grant, what, isHeld } of held)
    if (!isHeld && (mask & bit(grant)) !== 0)
      world.complain('reach', `${what} is refused, and other requests with ${grant} are not`)
  return mask
}

/** A ticket gives access to a file only if its maker may read the file. */
async function compareTicket(world: World, secret: string, file: number): Promise<void> {
  const path = `/api/v2/asset_file/${file}/versions/1/content`
  const own = await probe(world, secret, { method: 'GET', path })
  const wish: Wish = { method: 'POST', path: '/api/v2/ticket', json: { path } }
  const made = await probe(world, secret, wish)
  const address = made.status === 201 ? made.body.path : path
  const { status } = await probe(world, '', { method: 'GET', path: address })
  if ((own.status === 200) !== (status === 200))
    world.complain('reach', `${path} is ${own.status} by the key, and ${status} by a ticket`)
}

async function probe(world: World, secret: string, wish: Wish): ReturnType<World['ask']> {
  world.counts.probes += 1
  return world.ask(secret, wish)
}

/**
 * Compares the records as the operator reads them. A key may have no maker if its maker is gone.
 */
async function compareRecords(model: Model, world: World): Promise<void> {
  for (const [id, key] of model.keys) {
    if (id === model.operator.keyId) continue
    const found = await read(world, `/api/v2/api_key/${id}`)
    const due = {
      user_id: key.user,
      grants: key.grants && GRANTS.filter((grant) => key.grants?.includes(grant) === true),
      asset_category_id: key.scope,
      status: key.isActive ? 'active' : 'inactive',
      date_expires: key.ends,
      made_by: key.madeBy,
    }
    const isOrphan = key.madeBy !== null && !model.keys.has(key.madeBy) && found?.made_by === null
    const grants = found?.grants && GRANTS.filter((grant) => found.grants.includes(grant))
    compareRecord(
      world,
      `key ${id}`,
      { ...due, ...(isOrphan && { made_by: null }) },
      { ...found, grants },
    )
  }
  for (const id of model.makers.keys()) if (!model.keys.has(id)) await compareGone(world, id)
  for (const [id, user] of model.users) {
    const due = {
      role: user.role,
      category_roles: user.categoryRoles,
      status: user.isActive ? 'active' : 'disabled',
    }
    compareRecord(world, `user ${id}`, due, await read(world, `/api/v2/user/${id}`))
  }
  for (const { kind, id, parent } of model.things.values())
    compareRecord(
      world,
      `${kind} ${id}`,
      { parent_category_id: parent },
      await read(world, `/api/v2/${kind}/${id}`),
    )
}

function compareRecord(world: World, what: string, due: object, found: any): void {
  for (const [name, value] of Object.entries(due)) {
    const [told, wanted] = [JSON.stringify(found?.[name]), JSON.stringify(value)]
    if (told !== wanted) world.complain('record', `${what} has ${name} ${told}, and not ${wanted}`)
  }
}

/** A key that ended together with others may be kept if it is inactive. */
async function compareGone(world: World, id: number): Promise<void> {
  const found = await read(world, `/api/v2/api_key/${id}`)
  if (found !== undefined && found.status !== 'inactive')
    world.complain('record', `key ${id} is there, and has ended`)
}

async function read(world: World, path: string): Promise<any> {
  const { status, body } = await probe(world, world.operator.secret, { method: 'GET', path })
  return status === 200 ? body : undefined
}
