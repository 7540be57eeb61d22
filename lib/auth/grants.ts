// The grants of a caller in each folder. The role of the nearest folder that has one decides, otherwise the user's
// own role; a key can only narrow the role.

import { CmsError } from '../base/errors.ts'
import type { AssetCategory } from '../schema/asset-category.ts'
import type { Grant } from '../shared/grants.ts'
import { chainOf, type FolderReader } from './folders.ts'
import { categoryRoles, type Grants, type Holder, narrow, NO_GRANTS, roleBy } from './key-role.ts'
import { openVisibleFolders } from './visible-folders.ts'

/** The grants of a holder in a folder; none if the folder does not exist. */
export function grantsAt(reader: FolderReader, holder: Holder, categoryId: number): Grants {
  const chain = chainOf(reader, categoryId)
  if (chain === undefined) return NO_GRANTS

  const { asset_category_id: scope } = holder.key
  const isInScope = scope === null || chain.some((folder) => folder.asset_category_id === scope)
  return isInScope ? narrow(holder, roleIn(holder, chain)) : NO_GRANTS
}

/** The grants of a holder on records outside folders: users and keys. */
export function globalGrants(holder: Holder): Grants {
  return holder.key.asset_category_id === null ? narrow(holder, holder.user.role) : NO_GRANTS
}

/**
 * True if there may be a folder where the holder has the grant: the check of a route. Administered records lie
 * outside folders, so the role admin in some folder does not count.
 */
export function holdsAnywhere(holder: Holder, grant: Grant): boolean {
  if (grant === 'admin') return globalGrants(holder).has('admin')
  const roles = [holder.user.role, ...categoryRoles(holder).map((item) => item.role)]
  return roles.some((role) => narrow(holder, role).has(grant))
}

/**
 * True if the caller holds one of these grants in some folder, or `admin` on the whole site. Unlike holdsAnywhere it
 * reads the folders: the key's folder may be gone, or another role may apply there. Most calls return without reading
 * a folder.
 */
export function holdsSomewhere(
  reader: FolderReader,
  caller: Holder,
  wanted: readonly Grant[],
): boolean {
  const isEnough = (held: Grants): boolean => wanted.some((grant) => held.has(grant))
  if (isEnough(globalGrants(caller))) return true
  if (wanted.every((grant) => grant === 'admin')) return false

  const { asset_category_id: scope } = caller.key
  if (scope !== null && isEnough(grantsAt(reader, caller, scope))) return true
  return categoryRoles(caller).some(
    ({ asset_category_id: id, role }) =>
      isEnough(narrow(caller, role)) && isEnough(grantsAt(reader, caller, id)),
  )
}

/** True if the holder has the grant in every folder. */
export function holdsEverywhere(holder: Holder, grant: Grant): boolean {
  if (!globalGrants(holder).has(grant)) return false
  return categoryRoles(holder).every(({ role }) => narrow(holder, role).has(grant))
}

/**
 * Throws not-found if the caller holds no grant in the folder (so that identifiers reveal nothing), and grant-missing
 * if the caller sees the folder but lacks this grant.
 */
export function requireGrant(
  reader: FolderReader,
  caller: Holder,
  grant: Grant,
  categoryId: number,
): void {
  const held = grantsAt(reader, caller, categoryId)
  if (held.has(grant)) return
  if (held.size === 0) throw noSuchRecord()
  throw missingGrant(grant, `in ${openVisibleFolders(reader, caller).pathOf(categoryId)}`)
}

/** Throws grant-missing if the caller lacks the grant in any folder; `what` names the purpose in the message. */
export function requireEverywhere(caller: Holder, grant: Grant, what: string): void {
  if (!holdsEverywhere(caller, grant)) throw missingGrant(grant, `on the whole site, ${what}`)
}

/** The same words for missing and hidden records, so that the answer does not reveal which one applies. */
export function noSuchRecord(): CmsError {
  return new CmsError('not-found', 'The record does not exist, or the key may not see it.')
}

export function holdsNothing(): CmsError {
  const detail =
    'The key holds no grant: its own limit or the role of its user allows nothing, or its folder is gone. Use another key.'
  const headers = { 'www-authenticate': 'Bearer realm="cms", error="insufficient_scope"' }
  return new CmsError('grant-missing', detail, { headers })
}

export function missingGrant(grant: Grant, where: string): CmsError {
  return new CmsError('grant-missing', `The key lacks the grant "${grant}" ${where}.`, {
    members: { grant },
    headers: {
      'www-authenticate': `Bearer realm="cms", error="insufficient_scope", scope="${grant}"`,
    },
  })
}

function roleIn(holder: Holder, chain: readonly AssetCategory[]): string | null {
  const dependsOnFolder = holder.isAnonymous === true || categoryRoles(holder).length > 0
  for (const folder of dependsOnFolder ? chain : []) {
    const own = roleBy(holder, folder)
    if (own !== undefined) return own
  }
  return holder.user.role
}
