// What a key may do to keys: to those that hold no more than itself, by grants and folder, and never to give
// more, or for longer, than it holds (auth/reach.ts).

import { type Caller, isOver } from '../../auth/caller.ts'
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

/** True for the key that asks, and for those of its user, or with the admin grant of all, that hold no more. */
export function seesKey(reader: FolderReader, caller: Caller, record: ApiKey): boolean {
  if (record.api_key_id === caller.key.api_key_id) return true
  if (record.user_id === caller.user.user_id)
    return isKeyWithin(reader, { user: caller.user, key: record }, caller)
  if (!globalGrants(caller).has('admin')) return false
  const stored = reader.get(user.recordType, record.user_id)
  return stored !== undefined && isKeyWithin(reader, { user: stored.value, key: record }, caller)
}

/** Of another user, whose roles may give in some folder what the caller does not hold there. */
export function requireResultWithin(reader: FolderReader, caller: Caller, next: ApiKey): void {
  if (next.user_id === caller.user.user_id || seesKey(reader, caller, next)) return
  refuseField('grants', 'would give the key, by the roles of its user, more than this key holds')
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

/** A user that holds more than the caller is as good as none. */
export function requireOwner(unit: Unit, caller: Caller, userId: number): void {
  if (userId === caller.user.user_id) return
  if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for keys of other users')
  const stored = unit.get(user.recordType, userId)
  if (stored !== undefined && isUserWithin(unit, stored.value, caller)) return
  refuseField('user_id', `must be the identifier of a user; there is no ${userId}`)
}

export function requireFewKeys(unit: Unit, userId: number, most: number): void {
  if (unit.lookup(apiKey.recordType, 'user_id', [userId], most).length < most) return
  refuseField('user_id', `has ${most} keys, and may have no more: delete some first`)
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

/** The bounds are for keys: a person who has signed in, and a key of an administrator, must get in beside them. */
function isBounded(caller: Caller): boolean {
  return !isSession(caller.key) && !globalGrants(caller).has('admin')
}

/** Keys that a key makes must not use up what its user may have. */
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
    `has ${most} keys that keys have made, and may have no more: delete some first`,
  )
}

/** Throws where the change may bring a key into force again beside as many as its maker may have. */
export function requireRevivable(
  unit: Unit,
  { caller, record, now }: { readonly caller: Caller; readonly record: ApiKey; readonly now: Date },
  { keysPerKey }: Pick<KeyBounds, 'keysPerKey'>,
): void {
  const { made_by: makerId } = record
  if (typeof makerId !== 'number' || !isBounded(caller) || isInForce(unit, record, now)) return
  requireRoomOfMaker(unit, { makerId, now }, keysPerKey)
}

/** Deletes are not counted: a key that has leaked can always be ended, and for each delete there was a create. */
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
  const detail = `Key ${makerId} has made ${most} keys that are in force, and may have no more. Delete some of them, or sign in to make keys.`
  throw new CmsError('invalid-content', detail)
}

/** False for a key that is inactive or over. */
function isInForce(unit: Unit, key: ApiKey | undefined, now: Date): boolean {
  return key?.status === 'active' && !isOver(unit, key.date_expires, now)
}

function keyOf(unit: Unit, id: unknown): ApiKey | undefined {
  return unit.get(apiKey.recordType, Number(id))?.value
}

/** What is given to a key, by itself or another, is within what the caller holds. */
export function requireNarrower(unit: Unit, caller: Caller, given: Values): void {
  const { grants, asset_category_id: scope } = caller.key
  const wanted = given['grants'] as readonly string[] | null | undefined
  if (wanted !== undefined && !isGrantsWithin(wanted, caller)) {
    refuseField('grants', `may hold only what this key holds: ${listOf(grants ?? [])}`)
  }
  const folder = given['asset_category_id']
  // Its own it may name although it may hold something only below it.
  if (typeof folder === 'number' && folder !== scope && grantsAt(unit, caller, folder).size === 0)
    refuseField('asset_category_id', noSuchFolder(folder))
  if (folder === null && scope !== null)
    refuseField('asset_category_id', `must be the folder of this key, ${scope}, or one below it`)
}

function listOf(grants: readonly string[]): string {
  return grants.length === 0 ? 'no grant' : grants.join(', ')
}

/** By the secret of the request, too: what remains of an old one is not made longer by it. */
export function requireEnd({ dateEnds: until, key }: Caller, end: JsonValue | undefined): void {
  // Of a session it is that of a visit, and no limit of the person.
  if (until === null || isSession(key) || (typeof end === 'string' && end <= until)) return
  refuseField('date_expires', `must not be after the end of this key or its secret, ${until}`)
}

/** The same words whether there is none or the caller has no business in it. */
export function noSuchFolder(id: number): string {
  return `must be the identifier of an asset category; there is no ${id}`
}
