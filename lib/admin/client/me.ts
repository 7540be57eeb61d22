// The signed-in user as the server describes it.

import type { paths } from './interface.d.ts'

export type Me = paths['/me']['get']['responses'][200]['content']['application/json']

export type Grant = Me['grants'][number]

/** Identifier of the root folder. */
export const ROOT_FOLDER = 1

export const GRANTS = [
  'view',
  'create',
  'modify',
  'delete',
  'stage',
  'publish',
  'admin',
] as const satisfies readonly Grant[]

/** Returns whether the user has a grant for objects outside of folders: users, keys, the audit trail. */
export function mayEverywhere({ grants }: Me, grant: Grant): boolean {
  return holds(grants, grant)
}

/** Returns whether the user has a grant in at least one folder. */
export function maySomewhere(me: Me, grant: Grant): boolean {
  return mayEverywhere(me, grant) || me.asset_category.some(({ grants }) => holds(grants, grant))
}

/** The grant `modify` includes `create`. */
function holds(grants: readonly Grant[], grant: Grant): boolean {
  return grants.includes(grant) || (grant === 'create' && grants.includes('modify'))
}
