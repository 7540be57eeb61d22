// What the server tells of who has signed in.

import type { paths } from './interface.d.ts'

export type Me = paths['/me']['get']['responses'][200]['content']['application/json']

export type Grant = Me['grants'][number]

/** Identifier of the folder that holds all others. */
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

/** On what lies in no folder: users, keys, the audit trail. */
export function mayEverywhere({ grants }: Me, grant: Grant): boolean {
  return holds(grants, grant)
}

/** In one folder at least. */
export function maySomewhere(me: Me, grant: Grant): boolean {
  return mayEverywhere(me, grant) || me.asset_category.some(({ grants }) => holds(grants, grant))
}

/** Who may change may create, too. */
function holds(grants: readonly Grant[], grant: Grant): boolean {
  return grants.includes(grant) || (grant === 'create' && grants.includes('modify'))
}
