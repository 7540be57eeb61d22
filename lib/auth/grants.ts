// What a caller may do, and where. The role of the nearest folder that names one decides, else the
// user's own role; a key can only take away from that.

import { CmsError } from '../errors.ts'
import type { AssetCategory } from '../schema/asset-category.ts'
import { type Grant, isRole, type Role, ROLES } from '../schema/grants.ts'
import type { CategoryRole } from '../schema/user.ts'
import type { Caller } from './caller.ts'
import { chainOf, type FolderReader, pathOf } from './folders.ts'

export type Grants = ReadonlySet<Grant>

const NONE: Grants = new Set()

/** The grants of a caller in a folder; none where the folder is not there. */
export function grantsAt(reader: FolderReader, caller: Caller, categoryId: number): Grants {
  const chain = chainOf(reader, categoryId)
  if (chain === undefined) return NONE

  const { asset_category_id: scope } = caller.key
  const isInScope = scope === null || chain.some((folder) => folder.asset_category_id === scope)
  return isInScope ? narrow(caller, roleIn(caller, chain)) : NONE
}

/** The grants of a caller on what belongs to no folder: users and keys. */
export function globalGrants(caller: Caller): Grants {
  return caller.key.asset_category_id === null ? narrow(caller, caller.user.role) : NONE
}

/** True when there may be a folder where the caller holds the grant: the check that a route makes. */
export function holdsAnywhere(caller: Caller, grant: Grant): boolean {
  const roles = [caller.user.role, ...categoryRoles(caller).map((item) => item.role)]
  return roles.some((role) => narrow(caller, role).has(grant))
}

/** True when the caller holds the grant in every folder, whatever it is. */
export function holdsEverywhere(caller: Caller, grant: Grant): boolean {
  return categoryRoles(caller).length === 0 && globalGrants(caller).has(grant)
}

/**
 * Throws not-found when the caller has no business in the folder at all (so that an identifier tells
 * nothing), and grant-missing when it may see it but not do this.
 */
export function requireGrant(
  reader: FolderReader,
  caller: Caller,
  grant: Grant,
  categoryId: number,
): void {
  const held = grantsAt(reader, caller, categoryId)
  if (held.has(grant)) return
  if (held.size === 0) throw noSuchRecord()
  throw missingGrant(grant, `in ${pathOf(reader, categoryId)}`)
}

/** The same words whether there is none or it may not be seen: the answer must not tell which. */
export function noSuchRecord(): CmsError {
  return new CmsError('not-found', 'There is no such record, or the key may not see it.')
}

export function missingGrant(grant: Grant, where: string): CmsError {
  return new CmsError('grant-missing', `The key lacks the grant "${grant}" ${where}.`, {
    members: { grant },
    headers: {
      'www-authenticate': `Bearer realm="cms", error="insufficient_scope", scope="${grant}"`,
    },
  })
}

export function categoryRoles(caller: Caller): readonly CategoryRole[] {
  return caller.user.category_roles ?? []
}

function roleIn(caller: Caller, chain: readonly AssetCategory[]): string | null {
  const roles = categoryRoles(caller)
  for (const folder of roles.length === 0 ? [] : chain) {
    const own = roles.find((item) => item.asset_category_id === folder.asset_category_id)
    if (own !== undefined) return own.role
  }
  return caller.user.role
}

/** What a key makes of a role; the value of a key record is the same one until the record changes. */
const NARROWED = new WeakMap<Caller['key'], Map<Role, Grants>>()

function narrow({ key }: Caller, role: string | null): Grants {
  if (!isRole(role)) return NONE
  const known = NARROWED.get(key) ?? new Map<Role, Grants>()
  NARROWED.set(key, known)

  const grants = known.get(role) ?? narrowRole(key.grants, role)
  known.set(role, grants)
  return grants
}

function narrowRole(grants: readonly string[] | null, role: Role): Grants {
  const held: readonly Grant[] = ROLES[role]
  return new Set(grants === null ? held : held.filter((grant) => grants.includes(grant)))
}
