// What the server tells of who has signed in.

import type { paths } from './interface.d.ts'

export type Me = paths['/me']['get']['responses'][200]['content']['application/json']

export type Grant = Me['grants'][number]

/** Identifier of the folder that holds all others. */
export const ROOT_FOLDER = 1

/** On what lies in no folder: users, keys, the audit trail. */
export function mayEverywhere({ grants }: Me, grant: Grant): boolean {
  return grants.includes(grant)
}

/** In one folder at least. */
export function maySomewhere(me: Me, grant: Grant): boolean {
  return mayEverywhere(me, grant) || me.asset_category.some(({ grants }) => grants.includes(grant))
}
