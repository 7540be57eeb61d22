// The answers that the rules of authority require. Where the rules leave a case open, either answer
// is accepted, and the model follows the server.

import {
  type Authority,
  bit,
  endsBy,
  hasGlobalAdmin,
  holdsNoRole,
  holdsNothing,
  isAlive,
  isInside,
  isKeyWithin,
  isPart,
  isScopeGone,
  isUserWithin,
  type Key,
  keyMask,
  type Mask,
  type Model,
  type Principal,
  seesKey,
  seesUser,
  subtree,
  type User,
  userMask,
} from './state.ts'

/** Descriptions of answers that break the rules. */
export const FAULTS = {
  grew: 'somebody got more than it and its makers were given',
  weaker: 'somebody made or changed what is not within it',
  moved: 'something was moved that must stay',
  told: 'something was told that must not be seen, or not told that may',
  refused: 'something was refused that the rules allow',
  status: 'a refusal has another status than the rules name',
  reach: 'a key reaches something else than the rules give it',
  record: 'a record is not what the changes made of it',
  audit: 'the audit trail has not one row for each change',
} as const

export type Fault = keyof typeof FAULTS

export interface Verdict {
  readonly wish: 'granted' | 'refused' | 'open'
  /** The statuses that a refusal may have. */
  readonly statuses: readonly number[]
  /** The fault to report if the request is granted. */
  readonly fault: Fault
  readonly why: string
}

const TOO_MUCH = [403, 422]
const ANY_REFUSAL = [403, 404, 422]

export const GRANTED: Verdict = { wish: 'granted', statuses: [], fault: 'refused', why: 'allowed' }

function refused(fault: Fault, statuses: readonly number[], why: string): Verdict {
  return { wish: 'refused', statuses, fault, why }
}

function open(why: string, statuses: readonly number[] = ANY_REFUSAL): Verdict {
  return { wish: 'open', statuses, fault: 'status', why }
}

export interface Asking {
  readonly model: Model
  readonly actor: Principal
  /** The current time in ISO 8601. */
  readonly now: string
}

/** The check that precedes each request; undefined if the request may continue. */
export function judgeEntry({ model, actor, now }: Asking): Verdict | undefined {
  if (isAlive(model, actor, now)) return undefined
  return refused('weaker', [401, 429], 'its key does not hold any more')
}

function judgePost(asking: Asking): Verdict | undefined {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  if (holdsNoRole(asking.model, own)) return refused('weaker', [403], 'it holds no grant anywhere')
  return holdsNothing(asking.model, own)
    ? open('its roles have grants, and none of them in a folder that it reaches')
    : undefined
}

export function ownKey({ model, actor }: Asking): Key {
  const key = model.keys.get(actor.keyId)
  if (key === undefined) throw new Error(`There is no key ${actor.keyId} in the model.`)
  return key
}

export interface WantedKey extends Authority {
  readonly ends: string | null
}

export function judgeNewKey(asking: Asking, wanted: WantedKey): Verdict {
  const { model } = asking
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  const isForOther = wanted.user !== own.user
  if (isForOther && !(hasGlobalAdmin(model, own) && seesUser(model, own, wanted.user)))
    return refused('weaker', TOO_MUCH, 'it may make no key for that user')
  if (!isKeyWithin(model, wanted, own))
    return refused('weaker', TOO_MUCH, 'the new key is not within it')
  return judgeEnd(asking, wanted.ends) ?? judgeScope(asking, wanted) ?? GRANTED
}

export type KeyChange = Partial<Omit<Key, 'secrets' | 'madeBy'>>

export function judgeKeyChange(asking: Asking, targetId: number, change: KeyChange): Verdict {
  const { model } = asking
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  const found = judgeTarget(asking, targetId)
  if ('wish' in found) return found
  if (change.user !== undefined && change.user !== found.user)
    return refused('weaker', TOO_MUCH, 'the user of a key stays')

  const next: Key = { ...found, ...change }
  if (!isKeyWithin(model, next, own))
    return refused('weaker', TOO_MUCH, 'the result is not within it')
  const isRevived = next.isActive && !found.isActive
  const end = next.ends !== found.ends || isRevived ? judgeEnd(asking, next.ends) : undefined
  const scope = next.scope !== found.scope ? judgeScope(asking, next) : undefined
  return end ?? scope ?? GRANTED
}

export function judgeRotation(asking: Asking, targetId: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const found = judgeTarget(asking, targetId)
  if ('wish' in found) return found
  return judgeEnd(asking, found.ends) ?? GRANTED
}

export function judgeKeyRemoval(asking: Asking, targetId: number): Verdict {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const found = judgeTarget(asking, targetId)
  if ('wish' in found) return found
  return holdsNothing(asking.model, ownKey(asking))
    ? open('it holds nothing, but sees the key')
    : GRANTED
}

/** Returns the key if the actor sees it. */
function judgeTarget(asking: Asking, targetId: number): Key | Verdict {
  const { model, actor } = asking
  const found = model.keys.get(targetId)
  if (found === undefined) return refused('weaker', [404], 'there is no such key')
  if (actor.keyId === targetId) return found
  if (isScopeGone(model, found) || isScopeGone(model, ownKey(asking)))
    return open('the folder of a key is gone')
  return seesKey(model, actor, targetId)
    ? found
    : refused('weaker', [404], 'the key is not within it')
}

function judgeEnd(asking: Asking, end: string | null): Verdict | undefined {
  const own = ownKey(asking)
  if (!endsBy(end, own.ends)) return refused('weaker', TOO_MUCH, 'it would end later than the key')
  const { until = null } = own.secrets.find(({ text }) => text === asking.actor.secret) ?? {}
  return endsBy(end, until) ? undefined : open('the secret ends earlier than its key', TOO_MUCH)
}

function judgeScope(asking: Asking, { scope }: Authority): Verdict | undefined {
  const own = ownKey(asking)
  if (scope === null || scope === own.scope) return undefined
  return keyMask(asking.model, own, scope) === 0
    ? open('it does not see the folder that it names', TOO_MUCH)
    : undefined
}

export function judgeNewUser(asking: Asking, wanted: User): Verdict {
  const { model } = asking
  const entry = judgePost(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  if (!isUserWithin(model, wanted, own))
    return refused('weaker', TOO_MUCH, 'the new user is not within it')
  return judgeNamed(asking, wanted) ?? GRANTED
}

export function judgeUserChange(asking: Asking, targetId: number, change: Partial<User>): Verdict {
  const { model } = asking
  const entry = judgePost(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const found = judgeUser(asking, targetId)
  if ('wish' in found) return found
  const next = { ...found, ...change }
  if (!isUserWithin(model, next, ownKey(asking)))
    return refused('weaker', TOO_MUCH, 'the result is not within it')
  return (change.categoryRoles && judgeNamed(asking, next)) ?? GRANTED
}

export function judgeUserRemoval(asking: Asking, targetId: number): Verdict {
  const entry = judgeEntry(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const found = judgeUser(asking, targetId)
  return 'wish' in found ? found : GRANTED
}

function judgeAdmin(asking: Asking): Verdict | undefined {
  return hasGlobalAdmin(asking.model, ownKey(asking))
    ? undefined
    : refused('weaker', ANY_REFUSAL, 'it lacks the global grant admin')
}

/** Returns the user if the actor may change it. */
function judgeUser(asking: Asking, targetId: number): User | Verdict {
  const { model } = asking
  const own = ownKey(asking)
  const found = model.users.get(targetId)
  if (found === undefined || !seesUser(model, own, targetId))
    return refused('weaker', [404], 'the user is not within it')
  return isUserWithin(model, found, own)
    ? found
    : refused('weaker', TOO_MUCH, 'its own user is not within it')
}

/** Refuses a folder that the actor does not see, unless a role of its own user names the folder. */
function judgeNamed(asking: Asking, { categoryRoles }: User): Verdict | undefined {
  const own = ownKey(asking)
  const known = asking.model.users.get(own.user)?.categoryRoles ?? []
  const isUnknown = categoryRoles.some(
    ({ asset_category_id: id }) =>
      keyMask(asking.model, own, id) === 0 && !known.some((item) => item.asset_category_id === id),
  )
  return isUnknown ? open('it names a folder that it does not see', TOO_MUCH) : undefined
}

export function judgeNewFolder(asking: Asking, parent: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  return holds(keyMask(asking.model, ownKey(asking), parent), 'create')
    ? GRANTED
    : refused('weaker', ANY_REFUSAL, 'it lacks create and modify there')
}

export function judgeMove(asking: Asking, from: number, to: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const [here, there] = masksAt(asking, from, to)
  if (here === 0) return refused('moved', [403, 404], 'it does not see what it moves')
  if (!holds(here, 'modify')) return refused('moved', [403], 'it lacks modify there')
  if (there === 0) return refused('moved', [403, 422], 'it does not see the target')
  return judgePlace(asking, from, to) ?? GRANTED
}

/**
 * Whether the actor may put the things of one folder into another and gains nothing by the move.
 */
function judgePlace(asking: Asking, from: number, to: number): Verdict | undefined {
  const [here, there] = masksAt(asking, from, to)
  if (!holds(there, 'create')) return refused('moved', [403], 'it lacks create in the target')
  if (!isPart(there, here)) return refused('moved', [403], 'it would gain by the move')
  return gainsAsUser(asking, from, to)
    ? open('its user would gain by the move, and the key would not', [403])
    : undefined
}

export function judgeFolderMove(asking: Asking, folder: number, to: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  const from = model.folders.get(folder)?.parent ?? 0
  const change = judgeFolderChange(asking, folder)
  if (change.wish === 'refused') return change
  if (keyMask(model, own, to) === 0)
    return refused('moved', ANY_REFUSAL, 'it does not see the target')

  const target = judgePlace(asking, from, to)
  const roles = ownRolesIn(asking, folder)
  if (roles.some((id) => !holds(keyMask(model, own, id), 'modify')))
    return refused('moved', ANY_REFUSAL, 'a folder below is withheld from it')
  if (target?.why.includes('gain') === true && roles.includes(folder))
    return open('its role in the folder moves with it', [403])
  if (target !== undefined) return target
  return holds(keyMask(model, own, from), 'modify')
    ? change
    : open('it may change the folder, and not what is around it')
}

/** Judges a new name and a move of the folder itself. */
export function judgeFolderChange(asking: Asking, folder: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  if (!holds(keyMask(model, own, folder), 'modify'))
    return refused('moved', [403, 404], 'it lacks modify in the folder')
  if (keyMask(model, own, model.folders.get(folder)?.parent ?? 0) === 0)
    return refused('moved', ANY_REFUSAL, 'it has no grant in the folder above')
  const isSeen = [folder, ...ownRolesIn(asking, folder)].every((id) =>
    holds(keyMask(model, own, id), 'view'),
  )
  return isSeen ? GRANTED : open('files that it does not see may be live', [403])
}

/** Judges a change of the places that readers without a key may read. */
export function judgePublic(asking: Asking, folder: number, isPublic: boolean | null): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  const mask = keyMask(model, own, folder)
  if (!holds(mask, 'modify')) return refused('grew', [403, 404], 'it lacks modify in the folder')
  if (!holds(mask, 'publish'))
    return refused('grew', [403], 'it lacks publish in the folder, and would make it public')
  const isBelow = ownRolesIn(asking, folder).every((id) =>
    holds(keyMask(model, own, id), 'publish'),
  )
  return isBelow || isPublic === false
    ? GRANTED
    : refused('grew', [403], 'it lacks publish in a folder below, and would make it public')
}

export function judgeFolderRemoval(asking: Asking, folder: number): Verdict {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  return [folder, ...ownRolesIn(asking, folder)].every((id) =>
    holds(keyMask(model, own, id), 'delete'),
  )
    ? GRANTED
    : refused('weaker', ANY_REFUSAL, 'it lacks delete there or below')
}

/** Judges requests that only actors with access to the whole site may make. */
export function judgeWholeSite(asking: Asking): Verdict {
  const { model } = asking
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  if (judgeAdmin(asking) !== undefined)
    return refused('told', [403], 'it lacks the global grant admin')
  const own = ownKey(asking)
  const roles = model.users.get(own.user)?.categoryRoles ?? []
  const isWithheld = roles.some(
    ({ asset_category_id: id, role }) => role === null && model.folders.has(id),
  )
  if (isWithheld) return refused('told', [403], 'a folder is withheld from it')
  const isNarrowed = roles.length > 0 || own.grants?.includes('view') === false
  return isNarrowed ? open('it sees all, and holds less in some folder', [403]) : GRANTED
}

function masksAt(asking: Asking, from: number, to: number): readonly [Mask, Mask] {
  const own = ownKey(asking)
  return [keyMask(asking.model, own, from), keyMask(asking.model, own, to)]
}

function gainsAsUser(asking: Asking, from: number, to: number): boolean {
  const { model } = asking
  const user = model.users.get(ownKey(asking).user)
  return user !== undefined && !isPart(userMask(model, user, to), userMask(model, user, from))
}

/** The folders of the subtree in which the user of the actor has a separate role. */
function ownRolesIn(asking: Asking, folder: number): readonly number[] {
  const { model } = asking
  const roles = model.users.get(ownKey(asking).user)?.categoryRoles ?? []
  const named = roles.map((item) => item.asset_category_id)
  return subtree(model, folder).filter((id) => named.includes(id) && isInside(model, id, folder))
}

function holds(mask: Mask, grant: Parameters<typeof bit>[0]): boolean {
  return (mask & bit(grant)) !== 0
}
