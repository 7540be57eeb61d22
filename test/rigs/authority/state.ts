// The site of a sequence as plain data, and the access of each key: a second implementation of the
// rules of grants, written from the documentation and not from the code. Grants are bits of a mask.

import { GRANTS, type Grant, type Role, ROLES } from '../../../lib/shared/grants.ts'

export type Mask = number

export interface Folder {
  readonly name: string
  /** Null only for the root of the site. */
  readonly parent: number | null
  /** A file that never moves; requests probe the grants of the folder with it. */
  readonly probe: number
  /** Undefined is null: as in the parent folder. */
  readonly isPublic?: boolean | null
}

export type ThingKind = 'asset_file' | 'file_group' | 'datatable' | 'calendar'

/** An object that commands move between folders. */
export interface Thing {
  readonly kind: ThingKind
  readonly id: number
  readonly name: string
  /** The entries of a datatable. */
  readonly entries?: readonly number[]
  readonly parent: number
}

export interface CategoryRole {
  readonly asset_category_id: number
  readonly role: Role | null
}

export interface User {
  readonly name: string
  readonly role: Role | null
  readonly categoryRoles: readonly CategoryRole[]
  readonly isActive: boolean
}

export interface Authority {
  readonly user: number
  readonly grants: readonly Grant[] | null
  readonly scope: number | null
}

export interface Key extends Authority {
  readonly ends: string | null
  readonly isActive: boolean
  readonly madeBy: number | null
  readonly secrets: readonly Secret[]
  /** Undefined for the key of a program. */
  readonly session?: Session
}

/** A key is a session if a person has signed in for it. */
export interface Session {
  /** Exchanged for new secrets, and used to sign out. */
  readonly cookie: string
  /** The maximum age, which no renewal extends. */
  readonly ends: string
}

/** The values that a person needs to sign in. */
export interface Credentials {
  /** Null if the user cannot sign in. */
  readonly password: string | null
  /** The unused recovery codes; undefined without a second factor. */
  readonly codes?: readonly string[]
}

export interface Secret {
  readonly text: string
  /** The expiry of an old secret after a rotation. */
  readonly until: string | null
}

export interface Webhook {
  readonly name: string
  /** The sequence number after which it sends. */
  readonly position: number
  readonly isPaused: boolean
  /** Whether it was paused at any time. */
  readonly hasRested: boolean
}

export interface Principal {
  readonly keyId: number
  readonly secret: string
}

export interface Model {
  readonly root: number
  readonly folders: Map<number, Folder>
  /** Deleted folders, which the change log still knows. */
  readonly gone: Map<number, Folder>
  /** Things by `kind id`. */
  readonly things: Map<string, Thing>
  readonly users: Map<number, User>
  readonly keys: Map<number, Key>
  /** The maker of each key, including keys that are gone. */
  readonly makers: Map<number, number | null>
  /** By user. */
  readonly credentials: Map<number, Credentials>
  /** The cookies of all sessions that ever existed. */
  readonly cookies: Principal[]
  readonly webhooks: Map<number, Webhook>
  readonly operator: Principal
  /** All secrets that ever existed, except the operator's secret. */
  readonly principals: Principal[]
}

export const SITE = 1
export const OPERATOR_USER = 1
export const ALL: Mask = maskOf(GRANTS)

export function bit(grant: Grant): Mask {
  return 1 << GRANTS.indexOf(grant)
}

/** The grant "modify" implies "create". */
export function maskOf(grants: readonly Grant[] | null): Mask {
  const mask = (grants ?? GRANTS).reduce((held, grant) => held | bit(grant), 0)
  return (mask & bit('modify')) === 0 ? mask : mask | bit('create')
}

export function grantsOf(mask: Mask): readonly Grant[] {
  return GRANTS.filter((grant) => (mask & bit(grant)) !== 0)
}

export function isPart(part: Mask, whole: Mask): boolean {
  return (part & ~whole) === 0
}

export function roleMask(role: Role | null): Mask {
  return role === null ? 0 : maskOf(ROLES[role])
}

/** The folder and all its ancestors; empty if the folder is gone. */
export function wayUp(model: Model, folder: number): readonly number[] {
  const found = model.folders.get(folder)
  if (found === undefined) return []
  return found.parent === null ? [folder] : [folder, ...wayUp(model, found.parent)]
}

/** Whether nobody may read the live files of the folder. */
export function isPublicFolder(model: Model, folder: number): boolean {
  const own = wayUp(model, folder).map((id) => model.folders.get(id)?.isPublic ?? null)
  return own.find((value) => value !== null) === true
}

/** Also true for the folder itself. */
export function isInside(model: Model, folder: number, above: number): boolean {
  return wayUp(model, folder).includes(above)
}

export function subtree(model: Model, top: number): readonly number[] {
  return [...model.folders.keys()].filter((folder) => isInside(model, folder, top))
}

export function userMask(model: Model, user: User, folder: number): Mask {
  const way = wayUp(model, folder)
  if (way.length === 0) return 0
  for (const id of way) {
    const own = user.categoryRoles.find((item) => item.asset_category_id === id)
    if (own !== undefined) return roleMask(own.role)
  }
  return roleMask(user.role)
}

export function userGlobal(user: User): Mask {
  return roleMask(user.role)
}

export function keyMask(model: Model, key: Authority, folder: number): Mask {
  const user = model.users.get(key.user)
  if (user === undefined) return 0
  const isInScope = key.scope === null || isInside(model, folder, key.scope)
  return isInScope ? userMask(model, user, folder) & maskOf(key.grants) : 0
}

export function keyGlobal(model: Model, key: Authority): Mask {
  const user = model.users.get(key.user)
  return user === undefined || key.scope !== null ? 0 : userGlobal(user) & maskOf(key.grants)
}

export function hasGlobalAdmin(model: Model, key: Authority): boolean {
  return (keyGlobal(model, key) & bit('admin')) !== 0
}

export function holdsNothing(model: Model, key: Authority): boolean {
  if (keyGlobal(model, key) !== 0) return false
  return [...model.folders.keys()].every((folder) => keyMask(model, key, folder) === 0)
}

/** Whether the key has no effective role in any folder. */
export function holdsNoRole(model: Model, key: Authority): boolean {
  const user = model.users.get(key.user)
  const roles = user === undefined ? [] : [user.role, ...user.categoryRoles.map(({ role }) => role)]
  return roles.every((role) => (roleMask(role) & maskOf(key.grants)) === 0)
}

export function isUserWithin(model: Model, user: User, key: Authority): boolean {
  if (!isPart(userGlobal(user), keyGlobal(model, key))) return false
  return [...model.folders.keys()].every((folder) =>
    isPart(userMask(model, user, folder), keyMask(model, key, folder)),
  )
}

export function isKeyWithin(model: Model, key: Authority, other: Authority): boolean {
  if (!isPart(maskOf(key.grants), maskOf(other.grants))) return false
  if (!isScopeWithin(model, key.scope, other.scope)) return false
  if (!isPart(keyGlobal(model, key), keyGlobal(model, other))) return false
  return [...model.folders.keys()].every((folder) =>
    isPart(keyMask(model, key, folder), keyMask(model, other, folder)),
  )
}

function isScopeWithin(model: Model, scope: number | null, other: number | null): boolean {
  if (other === null || scope === other) return true
  return scope !== null && isInside(model, scope, other)
}

/** Null means never. */
export function endsBy(end: string | null, other: string | null): boolean {
  return other === null || (end !== null && end <= other)
}

export function seesUser(model: Model, key: Authority, userId: number): boolean {
  if (userId === key.user) return true
  const user = model.users.get(userId)
  return user !== undefined && hasGlobalAdmin(model, key) && isUserWithin(model, user, key)
}

export function seesKey(model: Model, { keyId }: Principal, wantedId: number): boolean {
  const [own, wanted] = [model.keys.get(keyId), model.keys.get(wantedId)]
  if (own === undefined || wanted === undefined) return false
  if (keyId === wantedId) return true
  const isOfItsUsers = own.user === wanted.user || hasGlobalAdmin(model, own)
  return isOfItsUsers && isKeyWithin(model, wanted, own)
}

/** All keys that a key made, directly or through other keys, including keys that are gone. */
export function descendants(model: Model, id: number): readonly number[] {
  const made = [...model.makers].filter(([, maker]) => maker === id).map(([key]) => key)
  return made.flatMap((key) => [key, ...descendants(model, key)])
}

/** Whether a key of this user may be accepted now. */
function isInForce(model: Model, key: Key | undefined, now: string): key is Key {
  if (key?.isActive !== true || model.users.get(key.user)?.isActive !== true) return false
  return key.ends === null || key.ends > now
}

export function isAlive(model: Model, { keyId, secret }: Principal, now: string): boolean {
  const key = model.keys.get(keyId)
  if (!isInForce(model, key, now)) return false
  const found = key.secrets.find(({ text }) => text === secret)
  return found !== undefined && (found.until === null || found.until > now)
}

/** Whether the cookie is still exchanged for secrets. */
export function isOpenSession(model: Model, { keyId, secret }: Principal, now: string): boolean {
  const key = model.keys.get(keyId)
  if (!isInForce(model, key, now) || key.session?.cookie !== secret) return false
  return key.session.ends > now
}

/** The sessions of a user, except one. */
export function sessionsOf(model: Model, user: number, spared?: number): readonly number[] {
  return [...model.keys].flatMap(([id, key]) =>
    key.user === user && key.session !== undefined && id !== spared ? [id] : [],
  )
}

export function endSessions(model: Model, user: number, spared?: number): void {
  for (const id of sessionsOf(model, user, spared)) model.keys.delete(id)
}

/**
 * A password as something that a party may know: it stands for everything that its user holds. The
 * identifier is negative, because it is no key.
 */
export function passwordOf(model: Model, user: number): Principal {
  return { keyId: -user, secret: model.credentials.get(user)?.password ?? '' }
}

/** If an ancestor of the scope is gone, nothing below the scope can be compared. */
export function isScopeGone(model: Model, { scope }: Authority): boolean {
  return scope !== null && wayUp(model, scope).length === 0
}

/** The grants of a key by place: the site itself, each folder and each thing. */
export type Reach = ReadonlyMap<string, Mask>

export function reachOf(model: Model, key: Authority): Reach {
  const reach = new Map<string, Mask>([['the site', keyGlobal(model, key)]])
  for (const folder of model.folders.keys())
    reach.set(`folder ${folder}`, keyMask(model, key, folder))
  for (const [name, thing] of model.things)
    reach.set(name, reach.get(`folder ${thing.parent}`) ?? 0)
  return reach
}
