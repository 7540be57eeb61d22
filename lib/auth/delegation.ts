// Authority never grows: nobody makes, changes, rotates or ends a key or a user that holds more than he
// does himself at that moment, folders included. The reach of a holder is what it may do in each folder and
// on what lies in none.

import { ROOT_CATEGORY_ID } from '../schema/asset-category.ts'
import { type Grant, includesGrant } from '../schema/grants.ts'
import { chainOf, type FolderReader } from './folders.ts'
import { globalGrants } from './grants.ts'
import { categoryRoles, type Grants, type Holder, UNLIMITED } from './key-role.ts'
import { openSight } from './visible-folders.ts'

/** True when the caller holds all that the user does. */
export function isUserWithin(reader: FolderReader, user: Holder['user'], caller: Holder): boolean {
  return isReachWithin(reader, { user, key: UNLIMITED }, caller)
}

/**
 * True when the caller holds all that the key does, and all that it would if its user held everything:
 * a limit that only the user's role makes today may be gone tomorrow. When the key ends does not count.
 */
export function isKeyWithin(reader: FolderReader, inner: Holder, caller: Holder): boolean {
  const { grants, asset_category_id: scope } = inner.key
  if (!isGrantsWithin(grants, caller) || !isScopeWithin(reader, scope, caller)) return false
  // Of one user the limits of the keys tell all.
  return inner.user === caller.user || isReachWithin(reader, inner, caller)
}

/** True when the caller's key has all these grants in its own limit; null is all of its user. */
export function isGrantsWithin(grants: readonly string[] | null, { key }: Holder): boolean {
  if (key.grants === null) return true
  const held: readonly string[] = key.grants
  return grants?.every((grant) => includesGrant(held, grant)) ?? false
}

/** True when the folder is that of the caller's key or one below it; null is everywhere. */
function isScopeWithin(reader: FolderReader, scope: number | null, { key }: Holder): boolean {
  const { asset_category_id: own } = key
  if (own === null || scope === own) return true
  if (scope === null) return false
  return chainOf(reader, scope)?.some((folder) => folder.asset_category_id === own) ?? false
}

/**
 * In every folder and for what lies in none. Grants change from a folder to one below it only where one
 * of the two has a role or a limit of its own, so it is enough to compare them there.
 */
function isReachWithin(reader: FolderReader, inner: Holder, outer: Holder): boolean {
  if (!isSubset(globalGrants(inner), globalGrants(outer))) return false
  if (holdsAll(outer)) return true
  const [innerSight, outerSight] = [openSight(reader, inner), openSight(reader, outer)]
  return [...placesOf(inner), ...placesOf(outer), ROOT_CATEGORY_ID].every((id) =>
    isSubset(innerSight.grantsAt(id), outerSight.grantsAt(id)),
  )
}

/** True for who holds every grant everywhere, whatever users and keys there are. */
export function holdsAll(holder: Holder): boolean {
  const { key, user } = holder
  const isUnlimited = key.grants === null && key.asset_category_id === null
  return (
    isUnlimited &&
    user.role === 'admin' &&
    categoryRoles(holder).every(({ role }) => role === 'admin')
  )
}

function placesOf(holder: Holder): readonly number[] {
  const { asset_category_id: scope } = holder.key
  const roles = categoryRoles(holder).map((item) => item.asset_category_id)
  return scope === null ? roles : [...roles, scope]
}

function isSubset(inner: Grants, outer: ReadonlySet<Grant>): boolean {
  for (const grant of inner) if (!outer.has(grant)) return false
  return true
}
