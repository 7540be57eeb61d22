// What a key may do to keys: to those that hold no more than itself, by grants and folder, and never to give
// more, or for longer, than it holds (auth/reach.ts).

import type { Caller } from '../../auth/caller.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { globalGrants, grantsAt, missingGrant, noSuchRecord } from '../../auth/grants.ts'
import { isGrantsWithin, isKeyWithin, isUserWithin } from '../../auth/reach.ts'
import { type ApiKey, apiKey, isSession } from '../../schema/api-key.ts'
import { refuseField, type Values } from '../../schema/check.ts'
import { user } from '../../schema/user.ts'
import type { JsonValue } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
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
