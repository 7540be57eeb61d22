// Shared parts of all commands: random arguments, the choice of the actor, the verdict of the
// rules, and the update of the model.

import fc from 'fast-check'
import { GRANTS, type Grant, ROLE_NAMES, type Role } from '../../../lib/shared/grants.ts'
import type { Ceilings } from './ceilings.ts'
import { type Asking, type Verdict } from './rules.ts'
import {
  ALL,
  bit,
  type CategoryRole,
  hasGlobalAdmin,
  isAlive,
  isPart,
  keyMask,
  maskOf,
  type Key,
  type Model,
  OPERATOR_USER,
  type Principal,
  type User,
} from './state.ts'
import type { Streams } from './streams.ts'
import type { Answer, Wish, World } from './world.ts'

/** A change that was made, with the data that the audit trail must have. */
export interface Done {
  readonly requestId: string
  readonly userId: number
  readonly keyId: number
  readonly object: string
  readonly ids: readonly number[]
  readonly what: string
}

export interface Site {
  readonly model: Model
  readonly ceilings: Ceilings
  readonly done: Done[]
  readonly streams: Streams
  /** Where the change log was when the sequence began. */
  readonly position: string
}

export type Command = fc.AsyncCommand<Site, World>

interface Definition<A> {
  readonly name: string
  readonly args: fc.Arbitrary<A>
  readonly run: (site: Site, world: World, args: A) => Promise<void>
}

export interface NamedCommand {
  readonly name: string
  readonly arbitrary: fc.Arbitrary<Command>
}

/** The weight sets how often the command is chosen. */
export interface WeightedCommand extends NamedCommand {
  readonly weight: number
}

export function command<A>({ name, args, run }: Definition<A>): NamedCommand {
  const arbitrary = args.map((given) => ({
    check: () => true,
    run: (site: Site, world: World) => run(site, world, given),
    toString: () => `${name}(${JSON.stringify(given)})`,
  }))
  return { name, arbitrary }
}

export function pick<T>(items: readonly T[], number: number): T {
  const item = items[number % items.length]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}

/**
 * Picks mostly a principal with a valid key, sometimes the operator or a principal with an ended
 * key.
 */
export function pickActor({ model }: Site, world: World, number: number): Principal {
  if (number % 7 === 6) return model.operator
  const living = model.principals.filter((item) => isAlive(model, item, world.now()))
  const all = number % 11 === 10 || living.length === 0 ? model.principals : living
  return all.length === 0 ? model.operator : pick(all, number)
}

/** Picks a principal with the global grant admin in two of three cases. */
export function pickAdmin(site: Site, world: World, number: number): Principal {
  const { model } = site
  const admins = model.principals.filter((item) => {
    const key = model.keys.get(item.keyId)
    return key !== undefined && hasGlobalAdmin(model, key) && isAlive(model, item, world.now())
  })
  const isAny = number % 3 === 2 || admins.length === 0
  return isAny ? pickActor(site, world, number) : pick(admins, number)
}

/**
 * Picks a principal that may modify the folder in two of three cases; otherwise most moves would be
 * refused at once.
 */
export function pickMover(
  site: Site,
  world: World,
  at: { number: number; folder: number },
): Principal {
  const { model } = site
  const movers = model.principals.filter((item) => {
    const key = model.keys.get(item.keyId)
    const mask = key === undefined ? 0 : keyMask(model, key, at.folder)
    return isAlive(model, item, world.now()) && isPart(bit('modify'), mask)
  })
  const isAny = at.number % 3 === 2 || movers.length === 0
  return isAny ? pickActor(site, world, at.number) : pick(movers, at.number)
}

/** Picks a folder; in two of three cases a folder where the actor may create. */
export function pickTarget(model: Model, actor: Principal, number: number): number {
  const key = model.keys.get(actor.keyId)
  const folders = [...model.folders.keys()]
  const targets = folders.filter(
    (id) => key !== undefined && isPart(bit('create'), keyMask(model, key, id)),
  )
  return pick(number % 3 === 2 || targets.length === 0 ? folders : targets, number)
}

export const anyOne = fc.nat({ max: 2_000 })

export const anyRole: fc.Arbitrary<Role | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('admin' as const) },
  { weight: 3, arbitrary: fc.constantFrom(...ROLE_NAMES, null) },
)

/** Roles in folders; the folders are chosen by a number of any size. */
export const anyCategoryRoles = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 3,
    arbitrary: fc.array(fc.record({ folder: anyOne, role: fc.constantFrom(...ROLE_NAMES, null) }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
)

export function toCategoryRoles(
  model: Model,
  roles: readonly { readonly folder: number; readonly role: Role | null }[],
): readonly CategoryRole[] {
  const folders = [...model.folders.keys()]
  const named = roles.map(({ folder, role }) => [pick(folders, folder), role] as const)
  return [...new Map(named)].map(([asset_category_id, role]) => ({ asset_category_id, role }))
}

/** Never the list of all grants: the rules do not say whether such a list equals null. */
export const anyGrants: fc.Arbitrary<readonly Grant[] | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.subarray([...GRANTS]).filter((list) => maskOf(list) !== ALL) },
  { weight: 2, arbitrary: fc.constantFrom(['view'], [], ['admin'], ['view', 'create', 'modify']) },
) as fc.Arbitrary<readonly Grant[] | null>

/** A folder chosen by a number; undefined means everywhere. */
export const anyScope = fc.option(anyOne, { nil: undefined, freq: 2 })

export function toScope(model: Model, number: number | undefined): number | null {
  return number === undefined ? null : pick([...model.folders.keys()], number)
}

/** Hours from now; undefined means never. */
export const anyHours = fc.constantFrom(undefined, undefined, 1, 5, 24)

export function toEnd(world: World, hours: number | undefined): string | null {
  if (hours === undefined) return null
  return new Date(Date.parse(world.now()) + hours * 3_600_000).toISOString()
}

export function askingOf({ model }: Site, world: World, actor: Principal): Asking {
  return { model, actor, now: world.now() }
}

export interface Act {
  readonly actor: Principal
  readonly verdict: Verdict
  readonly wish: Wish
  /** The kind of record that is changed; undefined if the audit trail has no row of the change. */
  readonly object?: string
  /** Undefined for a new record, whose identifier comes with the answer. */
  readonly id?: number
  /** The changed records, if they are several new ones. */
  readonly ids?: (body: any) => readonly number[]
  /** The author in the audit trail; undefined for the key of the actor and its user. */
  readonly author?: (body: any) => Pick<Done, 'userId' | 'keyId'>
  readonly isMove?: boolean
  /** Applies the change to the model and returns further records of the same kind that changed. */
  readonly apply: (body: any, answer: Answer) => readonly number[] | void
}

/**
 * Sends the request, judges the answer and applies the change. Returns false if the request was
 * refused.
 */
export async function act(site: Site, world: World, wanted: Act): Promise<boolean> {
  const { actor, verdict, wish, isMove = false } = wanted
  const userId = site.model.keys.get(actor.keyId)?.user ?? 0
  const who = describePrincipal(site.model, actor)
  const answer = await world.ask(actor.secret, wish)
  note(world, who, wish, answer)
  const isDone = answer.status < 300
  if (isDone) world.counts.granted += 1
  else world.counts.refused += 1
  if (!isDone) judge(world, { who, wish, verdict, answer })
  if (!isDone) return false

  const check = site.ceilings.watch(actor, { isMove })
  const others = wanted.apply(answer.body, answer) ?? []
  const { object } = wanted
  if (object !== undefined) {
    const own = wanted.ids?.(answer.body) ?? [wanted.id ?? Number(answer.body[`${object}_id`])]
    const author = wanted.author?.(answer.body) ?? { userId, keyId: actor.keyId }
    const what = `${wish.method} ${wish.path}`
    const { requestId } = answer
    site.done.push({ requestId, ...author, object, ids: [...own, ...others], what })
  }
  const excess = check()
  if (excess !== undefined) world.complain('grew', excess)
  judge(world, { who, wish, verdict, answer })
  await site.streams.settle()
  return true
}

export interface Judged {
  readonly who: string
  readonly wish: Wish
  readonly verdict: Verdict
  readonly answer: Answer
}

export function judge(world: World, { who, wish, verdict, answer }: Judged): void {
  const { method, path, json } = wish
  const { status, text } = answer
  const told = `${who}: ${method} ${path} ${JSON.stringify(json ?? {})} is ${status}, but ${verdict.why}`
  const isDone = status < 300
  if (isDone && verdict.wish === 'refused') world.complain(verdict.fault, told)
  if (!isDone && verdict.wish === 'granted') world.complain('refused', `${told}: ${text}`)
  if (!isDone && verdict.wish !== 'granted' && !verdict.statuses.includes(status))
    world.complain('status', `${told} (${verdict.statuses.join(' or ')}): ${text}`)
}

function note(world: World, who: string, { method, path, json }: Wish, answer: Answer): void {
  const id = answer.status === 201 ? ` ${/"\w+_id":\d+/.exec(answer.text)?.[0] ?? ''}` : ''
  world.note(
    `${who}: ${method} ${path}${json === undefined ? '' : ` ${JSON.stringify(json)}`} → ${answer.status}${id}`,
  )
}

export function describePrincipal(model: Model, { keyId, secret }: Principal): string {
  if (secret === model.operator.secret) return 'the operator'
  if (keyId < 0) return `a person with the password of user ${-keyId}`
  const key = model.keys.get(keyId)
  if (key === undefined) return `key ${keyId}, which is gone`
  return `${key.session === undefined ? 'key' : 'session'} ${keyId} ${describeKey(model, key)}`
}

export function describeKey(model: Model, key: Key): string {
  const user = model.users.get(key.user)
  const grants = key.grants === null ? 'all' : `[${key.grants.join()}]`
  const scope = key.scope === null ? '' : ` in folder ${key.scope}`
  const end = key.ends === null ? '' : ` until ${key.ends}`
  return `(${grants}${scope}${end} of user ${key.user}: ${user === undefined ? 'gone' : describeUser(user)})`
}

export function describeUser({ role, categoryRoles }: User): string {
  const roles = categoryRoles.map((item) => `, ${item.role} in ${item.asset_category_id}`)
  return `${role}${roles.join('')}`
}

/**
 * Whether the command would change the operator, which the rig needs: skip the command if it is
 * permitted, or if a refusal would go unnoticed.
 */
export function isSpared(
  {
    site,
    world,
    verdict,
  }: { readonly site: Site; readonly world: World; readonly verdict: Verdict },
  { key, user }: { readonly key?: number; readonly user?: number },
): boolean {
  const isOperator = key === site.model.operator.keyId || user === OPERATOR_USER
  return isOperator && (verdict.wish !== 'refused' || !world.faults.has(verdict.fault))
}
