// Authority over keys: a key may manage only keys within its own grants and folder. It can never pass on more
// rights than it has, or for a longer time (auth/delegation.ts).

import { type Caller, isExpired } from '../../auth/caller.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { globalGrants, grantsAt, missingGrant, noSuchRecord } from '../../auth/grants.ts'
import { isGrantsWithin, isKeyWithin, isUserWithin } from '../../auth/delegation.ts'
import { CmsError } from '../../base/errors.ts'
import { type ApiKey, apiKey, isSession } from '../../schema/api-key.ts'
import { refuseField, type Values } from '../../schema/check.ts'
import { user } from '../../schema/user.ts'
import type { JsonValue } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type Loaded, requireRecord } from '../requirements.ts'

/**
 * Whether the caller sees the key: the calling key itself, and keys with no more rights, of its own user or, with the admin
 * grant, of all users.
 */
export function seesKey(reader: FolderReader, caller: Caller, record: ApiKey): boolean {
  if (record.api_key_id === caller.key.api_key_id) return true
  if (record.user_id === caller.user.user_id)
    return isKeyWithin(reader, { user: caller.user, key: record }, caller)
  if (!globalGrants(caller).has('admin')) return false
  const stored = reader.get(user.recordType, record.user_id)
  return stored !== undefined && isKeyWithin(reader, { user: stored.value, key: record }, caller)
}

/** Refuses a key of another user whose roles would grant more in some folder than the caller has there. */
export function requireResultWithin(reader: FolderReader, caller: Caller, next: ApiKey): void {
  if (next.user_id === caller.user.user_id || seesKey(reader, caller, next)) return
  refuseField(
    'grants',
    'would give the key more than this key holds, through the roles of its user',
  )
}

export function requireVisibleKey(
  reader: FolderReader,
  caller: Caller,
  id: number,
): Loaded<ApiKey> {
  const found = requireRecord(reader, apiKey, id)
  if (seesKey(reader, caller, found.record)) return found
  throw noSuchRecord()
}

/** Requires the user of the key; a user with more rights than the caller counts as missing. */
export function requireOwner(unit: Unit, caller: Caller, userId: number): void {
  if (userId === caller.user.user_id) return
  if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for keys of other users')
  const stored = unit.get(user.recordType, userId)
  if (stored !== undefined && isUserWithin(unit, stored.value, caller)) return
  refuseField('user_id', `must be the identifier of a user; there is no ${userId}`)
}

export function requireFewKeys(unit: Unit, userId: number, most: number): void {
  if (unit.lookup(apiKey.recordType, 'user_id', [userId], most).length < most) return
  refuseField('user_id', `already has ${most} keys, which is the limit: delete some first`)
}

interface Making {
  readonly caller: Caller
  readonly userId: number
  readonly now: Date
}

interface KeyBounds {
  readonly keysPerUser: number
  readonly keysPerKey: number
  readonly madeKeysShare: number
}

/** The limits do not apply to signed-in users and administrators' keys, which must be able to act beyond them. */
function isBounded(caller: Caller): boolean {
  return !isSession(caller.key) && !globalGrants(caller).has('admin')
}

/** Keys created by keys must not use up the user's whole quota. */
export function requireFewMade(
  unit: Unit,
  { caller, userId, now }: Making,
  { keysPerUser, keysPerKey, madeKeysShare }: KeyBounds,
): void {
  if (!isBounded(caller)) return
  requireRoomOfMaker(unit, { makerId: caller.key.api_key_id, now }, keysPerKey)
  const most = Math.floor(keysPerUser * madeKeysShare)
  const ids = unit.lookup(apiKey.recordType, 'user_id', [userId])
  if (ids.length < most) return
  const made = ids.filter(([id]) => typeof keyOf(unit, id)?.made_by === 'number')
  if (made.length < most) return
  refuseField(
    'user_id',
    `already has ${most} keys that were created by keys, which is the limit: delete some first`,
  )
}

/** Throws if the change may reactivate a key beyond the maker's limit. */
export function requireRevivable(
  unit: Unit,
  { caller, record, now }: { readonly caller: Caller; readonly record: ApiKey; readonly now: Date },
  { keysPerKey }: Pick<KeyBounds, 'keysPerKey'>,
): void {
  const { made_by: makerId } = record
  if (typeof makerId !== 'number' || !isBounded(caller) || isInForce(unit, record, now)) return
  requireRoomOfMaker(unit, { makerId, now }, keysPerKey)
}

/** Deletes are not counted: a leaked key can always be deleted, and each delete needed a create before. */
export async function countKeyChange({ caller, signInGuard }: Context): Promise<void> {
  if (isBounded(caller)) await signInGuard.takeKeyChange(caller.user.user_id)
}

function requireRoomOfMaker(
  unit: Unit,
  { makerId, now }: { readonly makerId: number; readonly now: Date },
  most: number,
): void {
  const inForce = unit
    .lookup(apiKey.recordType, 'made_by', [makerId])
    .filter(([id]) => isInForce(unit, keyOf(unit, id), now))
  if (inForce.length < most) return
  const detail = `Key ${makerId} has created ${most} active keys, which is the limit. Delete some of them, or sign in to create keys.`
  throw new CmsError('invalid-content', detail)
}

/** False for a key that is inactive or expired. */
function isInForce(unit: Unit, key: ApiKey | undefined, now: Date): boolean {
  return key?.status === 'active' && !isExpired(unit, key.date_expires, now)
}

function keyOf(unit: Unit, id: unknown): ApiKey | undefined {
  return unit.get(apiKey.recordType, Number(id))?.value
}

/** The grants and the folder given to a key must be within those of the caller. */
export function requireNarrower(unit: Unit, caller: Caller, given: Values): void {
  const { grants, asset_category_id: scope } = caller.key
  const wanted = given['grants'] as readonly string[] | null | undefined
  if (wanted !== undefined && !isGrantsWithin(wanted, caller)) {
    refuseField('grants', `may contain only grants of this key: ${listOf(grants ?? [])}`)
  }
  const folder = given['asset_category_id']
  // The caller may name its own folder even if it holds grants only below it.
  if (typeof folder === 'number' && folder !== scope && grantsAt(unit, caller, folder).size === 0)
    refuseField('asset_category_id', noSuchFolder(folder))
  if (folder === null && scope !== null)
    refuseField('asset_category_id', `must be the folder of this key, ${scope}, or one below it`)
}

function listOf(grants: readonly string[]): string {
  return grants.length === 0 ? 'no grant' : grants.join(', ')
}

/** The secret of the request counts too: an expiring secret must not extend the key. */
export function requireEnd({ dateEnds: until, key }: Caller, end: JsonValue | undefined): void {
  // A session's end limits the visit, not the person.
  if (until === null || isSession(key) || (typeof end === 'string' && end <= until)) return
  refuseField('date_expires', `must not be after the end of this key or its secret, ${until}`)
}

/** The same words for missing and hidden folders. */
export function noSuchFolder(id: number): string {
  return `must be the identifier of an asset category; there is no ${id}`
}
