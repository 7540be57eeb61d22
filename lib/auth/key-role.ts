// A user with one of its keys, and the grants that result from a role. A key can only narrow a role.

import type { ApiKey } from '../schema/api-key.ts'
import type { AssetCategory } from '../schema/asset-category.ts'
import { type Grant, grantsOfRole, includesGrant, isRole } from '../shared/grants.ts'
import type { CategoryRole, User } from '../schema/user.ts'

export type Grants = ReadonlySet<Grant>

/** A user with one of its keys: a caller or a possible caller. */
export interface Holder {
  readonly user: Pick<User, 'role' | 'category_roles'> & Partial<Pick<User, 'role_grants'>>
  readonly key: Pick<ApiKey, 'grants' | 'asset_category_id'>
  /** True for the caller of requests without a key: see anonymous.ts. */
  readonly isAnonymous?: boolean
}

/** A user without a key holds what an unlimited key of the user would hold. */
export const UNLIMITED: Holder['key'] = Object.freeze({ grants: null, asset_category_id: null })

export const NO_GRANTS: Grants = new Set()

export function categoryRoles({ user }: Holder): readonly CategoryRole[] {
  return user.category_roles ?? []
}

/** The role assigned to the user in this folder; undefined if the parent folder decides. */
export function ownRole({ user }: Holder, categoryId: number): string | null | undefined {
  if ((user.category_roles ?? []).length === 0) return undefined
  const known = OWN_ROLES.get(user) ?? ownRolesOf(user)
  OWN_ROLES.set(user, known)
  return known.get(categoryId)
}

/**
 * The role that the holder has by this folder; undefined if the parent folder decides. A reader without a key is a viewer
 * where the folder is public.
 */
export function roleBy(
  holder: Holder,
  folder: Pick<AssetCategory, 'asset_category_id' | 'public'>,
): string | null | undefined {
  if (holder.isAnonymous !== true) return ownRole(holder, folder.asset_category_id)
  // Older folders lack the member.
  const isPublic = (folder.public as boolean | null | undefined) ?? undefined
  return isPublic === undefined ? undefined : isPublic ? 'viewer' : null
}

/** The value of a user record is the same object until the record changes. */
const OWN_ROLES = new WeakMap<Holder['user'], ReadonlyMap<number, string | null>>()

function ownRolesOf({ category_roles: roles }: Holder['user']): ReadonlyMap<number, string | null> {
  return new Map((roles ?? []).map((item) => [item.asset_category_id, item.role]))
}

/**
 * Narrowed grants by key and role, or by the grants of a role of the site, which may change. The value of a key record is
 * the same object until the record changes.
 */
const NARROWED = new WeakMap<Holder['key'], Map<string, Grants>>()

export function narrow({ key, user }: Pick<Holder, 'key' | 'user'>, role: string | null): Grants {
  if (role === null) return NO_GRANTS
  const held = grantsOfRole(role, user.role_grants)
  if (held.length === 0) return NO_GRANTS
  const known = NARROWED.get(key) ?? new Map<string, Grants>()
  NARROWED.set(key, known)

  const name = isRole(role) ? role : held.join()
  const grants = known.get(name) ?? narrowRole(key.grants, held)
  known.set(name, grants)
  return grants
}

function narrowRole(grants: readonly string[] | null, held: readonly Grant[]): Grants {
  return new Set(grants === null ? held : held.filter((grant) => includesGrant(grants, grant)))
}

/** Users who edit a file see its drafts; users who may only view see the live version. */
export function seesDrafts(grants: Grants): boolean {
  return grants.has('modify') || grants.has('stage') || grants.has('publish')
}

/** The reason why a schedule failed is shown to users who could have carried it out. */
export function seesFaults(grants: Grants): boolean {
  return grants.has('stage') || grants.has('publish')
}
