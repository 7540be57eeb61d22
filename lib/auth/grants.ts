// What a caller may do, and where. The role of the nearest folder that names one decides, else the
// user's own role; a key can only take away from that.

import { CmsError } from '../base/errors.ts'
import type { AssetCategory } from '../schema/asset-category.ts'
import type { Grant } from '../schema/grants.ts'
import { chainOf, type FolderReader } from './folders.ts'
import { categoryRoles, type Grants, type Holder, narrow, NO_GRANTS, ownRole } from './key-role.ts'
import { openSight } from './visible-folders.ts'

/** The grants of a holder in a folder; none where the folder is not there. */
export function grantsAt(reader: FolderReader, holder: Holder, categoryId: number): Grants {
  const chain = chainOf(reader, categoryId)
  if (chain === undefined) return NO_GRANTS

  const { asset_category_id: scope } = holder.key
  const isInScope = scope === null || chain.some((folder) => folder.asset_category_id === scope)
  return isInScope ? narrow(holder, roleIn(holder, chain)) : NO_GRANTS
}

/** The grants of a holder on what belongs to no folder: users and keys. */
export function globalGrants(holder: Holder): Grants {
  return holder.key.asset_category_id === null ? narrow(holder, holder.user.role) : NO_GRANTS
}

/**
 * True when there may be a folder where the holder has the grant: the check that a route makes. What
 * is administered lies in no folder, so `admin` in some of them is none.
 */
export function holdsAnywhere(holder: Holder, grant: Grant): boolean {
  if (grant === 'admin') return globalGrants(holder).has('admin')
  const roles = [holder.user.role, ...categoryRoles(holder).map((item) => item.role)]
  return roles.some((role) => narrow(holder, role).has(grant))
}

/**
 * True when there is a place where the caller holds one of these: a folder, or for `admin` alone the whole site.
 * Unlike holdsAnywhere it looks: the folder of the key may be gone, or the role that counts in it another one.
 * Mostly told without a look at any folder.
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

/** True when the holder has the grant in every folder, whatever it is. */
export function holdsEverywhere(holder: Holder, grant: Grant): boolean {
  if (!globalGrants(holder).has(grant)) return false
  return categoryRoles(holder).every(({ role }) => narrow(holder, role).has(grant))
}

/**
 * Throws not-found when the caller has no business in the folder at all (so that an identifier tells
 * nothing), and grant-missing when it may see it but not do this.
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
  throw missingGrant(grant, `in ${openSight(reader, caller).pathOf(categoryId)}`)
}

/** Throws grant-missing for who does not hold the grant in every folder; `what` is what it is needed for. */
export function requireEverywhere(caller: Holder, grant: Grant, what: string): void {
  if (!holdsEverywhere(caller, grant)) throw missingGrant(grant, `on the whole site, ${what}`)
}

/** The same words whether there is none or it may not be seen: the answer must not tell which. */
export function noSuchRecord(): CmsError {
  return new CmsError('not-found', 'There is no such record, or the key may not see it.')
}

export function holdsNothing(): CmsError {
  const detail =
    'The key holds no grant anywhere: by itself, by the role of its user, or because its folder is gone. Use another key.'
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
  for (const folder of categoryRoles(holder).length === 0 ? [] : chain) {
    const own = ownRole(holder, folder.asset_category_id)
    if (own !== undefined) return own
  }
  return holder.user.role
}
