// The signed-in user as the server describes it.

import { type Grant, includesGrant } from '../../shared/grants.ts'
import type { paths } from './interface.d.ts'

export type Me = paths['/me']['get']['responses'][200]['content']['application/json']

/** Identifier of the root folder. */
export const ROOT_FOLDER = 1

/** A condition for records of the user: they keep the name that the user had. */
export function ownedBy({ name, former_names: former }: Me['user']): object {
  return { owner: former === null ? name : { $in: [name, ...former] } }
}

/** Returns whether the user has a grant for objects outside of folders: users, keys, the audit trail. */
export function mayEverywhere({ grants }: Me, grant: Grant): boolean {
  return includesGrant(grants, grant)
}

/** Returns whether the user has a grant in at least one folder. */
export function maySomewhere(me: Me, grant: Grant): boolean {
  return (
    mayEverywhere(me, grant) || me.asset_category.some(({ grants }) => includesGrant(grants, grant))
  )
}
