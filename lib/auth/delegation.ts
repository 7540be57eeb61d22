// Authority never grows: callers create, change, rotate or revoke only keys and users whose authority is within their
// own at that moment, folders included. The authority of a holder is what the holder may do in each folder and on
// records outside folders.

import { ROOT_CATEGORY_ID } from '../schema/asset-category.ts'
import { type Grant, includesGrant } from '../shared/grants.ts'
import { chainOf, type FolderReader } from './folders.ts'
import { globalGrants } from './grants.ts'
import { categoryRoles, type Grants, type Holder, UNLIMITED } from './key-role.ts'
import { openVisibleFolders } from './visible-folders.ts'

/** True if the caller holds everything that the user holds. */
export function isUserWithin(reader: FolderReader, user: Holder['user'], caller: Holder): boolean {
  return isAuthorityWithin(reader, { user, key: UNLIMITED }, caller)
}

/**
 * True if the caller holds everything that the key holds, and everything that it would hold if its user had all
 * grants: the user's role may grow tomorrow. The expiry of the key does not matter.
 */
export function isKeyWithin(reader: FolderReader, inner: Holder, caller: Holder): boolean {
  const { grants, asset_category_id: scope } = inner.key
  if (!isGrantsWithin(grants, caller) || !isScopeWithin(reader, scope, caller)) return false
  // For keys of the same user, only the limits of the keys decide.
  return inner.user === caller.user || isAuthorityWithin(reader, inner, caller)
}

/** True if the limit of the caller's key includes all these grants; null stands for all grants of the user. */
export function isGrantsWithin(grants: readonly string[] | null, { key }: Holder): boolean {
  if (key.grants === null) return true
  const held: readonly string[] = key.grants
  return grants?.every((grant) => includesGrant(held, grant)) ?? false
}

/** True if the folder is that of the caller's key or lies below it; null stands for all folders. */
function isScopeWithin(reader: FolderReader, scope: number | null, { key }: Holder): boolean {
  const { asset_category_id: own } = key
  if (own === null || scope === own) return true
  if (scope === null) return false
  return chainOf(reader, scope)?.some((folder) => folder.asset_category_id === own) ?? false
}

/**
 * Compares every folder, and records outside folders. Grants differ between a folder and its parent only where a
 * holder has a role or a limit, so comparing these folders is enough.
 */
function isAuthorityWithin(reader: FolderReader, inner: Holder, outer: Holder): boolean {
  if (!isSubset(globalGrants(inner), globalGrants(outer))) return false
  if (holdsAll(outer)) return true
  const [innerFolders, outerFolders] = [
    openVisibleFolders(reader, inner),
    openVisibleFolders(reader, outer),
  ]
  return [...placesOf(inner), ...placesOf(outer), ROOT_CATEGORY_ID].every((id) =>
    isSubset(innerFolders.grantsAt(id), outerFolders.grantsAt(id)),
  )
}

/** True if the holder has every grant everywhere, whatever users and keys exist. */
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
