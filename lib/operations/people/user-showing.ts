// Decides who sees a user: the user's own keys, and with the admin grant callers who hold at least as much. Hides
// roles and personal fields where required.

import type { Caller } from '../../auth/caller.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { globalGrants, missingGrant, noSuchRecord } from '../../auth/grants.ts'
import { holdsAll, isUserWithin } from '../../auth/delegation.ts'
import type { VisibleFolders } from '../../auth/visible-folders.ts'
import { isSession } from '../../schema/api-key.ts'
import { secondFactor } from '../../schema/second-factor.ts'
import { type User, user, userPassword } from '../../schema/user.ts'
import type { JsonObject } from '../../schema/values.ts'
import { type Loaded, requireRecord } from '../requirements.ts'
import type { Showing } from '../visibility.ts'

export const userShowing: Showing<User> = {
  object: user,
  seen: {
    requireRead: ({ records, caller }, id) => requireVisibleUser(records, caller, id).stored,
    requireMade: ({ records, caller }, id) => requireVisibleUser(records, caller, id).stored,
    visibility: ({ records, caller }) =>
      holdsAll(caller) ? undefined : (record) => seesUser(records, caller, record),
  },
  derive:
    ({ reader, caller }) =>
    ({ user_id: id }) => {
      if (!knowsPerson(caller)) return NOT_TOLD
      const factor = reader.get(secondFactor, id)?.value
      return {
        has_password: reader.get(userPassword, id) !== undefined,
        has_second_factor: factor !== undefined,
        recovery_codes_left: factor?.recovery_codes.length ?? 0,
      }
    },
  mask({ caller }, visible) {
    const person = knowsPerson(caller) ? undefined : { email: null }
    if (caller.key.asset_category_id === null) return person && (() => person)
    return (record) => {
      const roles = maskRoles(visible, record)
      return roles || person ? { ...roles, ...person } : undefined
    }
  },
}

/** Fields that a program with a key need not know about its user. */
const NOT_TOLD = { has_password: null, has_second_factor: null, recovery_codes_left: null }

/** A key without admin sees its own user only: a session belongs to the person, any other key to a program. */
function knowsPerson(caller: Caller): boolean {
  return isSession(caller.key) || globalGrants(caller).has('admin')
}

export function seesUser(reader: FolderReader, caller: Caller, record: User): boolean {
  if (record.user_id === caller.user.user_id) return true
  return globalGrants(caller).has('admin') && isUserWithin(reader, record, caller)
}

export function requireVisibleUser(reader: FolderReader, caller: Caller, id: number): Loaded<User> {
  const found = requireRecord(reader, user, id)
  if (seesUser(reader, caller, found.record)) return found
  throw noSuchRecord()
}

/** Every key sees its own user, but a key that holds less must not change the user. */
export function requireChangeable(reader: FolderReader, caller: Caller, id: number): Loaded<User> {
  const found = requireVisibleUser(reader, caller, id)
  if (isUserWithin(reader, found.record, caller)) return found
  throw missingGrant('admin', 'for a user who holds more than the key')
}

/** A key for a folder sees only the roles in visible folders. */
function maskRoles(
  visible: VisibleFolders,
  { category_roles: roles }: User,
): JsonObject | undefined {
  const seen = (roles ?? []).filter(({ asset_category_id: id }) => visible.sees(id))
  return seen.length === roles?.length ? undefined : { category_roles: seen }
}
