// Decides which callers see a user: the user's own keys, and callers with the admin grant and at least as many rights. Hides
// roles and personal fields where required.

import type { Caller } from '../../auth/caller.ts'
import { holdsAll, isUserWithin } from '../../auth/delegation.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { globalGrants, noSuchRecord } from '../../auth/grants.ts'
import type { VisibleFolders } from '../../auth/visible-folders.ts'
import { isSession } from '../../schema/api-key.ts'
import { secondFactor, type User, user, userLink, userPassword } from '../../schema/user.ts'
import type { JsonObject } from '../../schema/values.ts'
import { type Loaded, requireRecord } from '../requirements.ts'
import type { Visibility } from '../visibility.ts'

/** Fields that a program with a key need not know about its user. */
const NOT_TOLD = {
  has_password: null,
  has_second_factor: null,
  date_link_expires: null,
  recovery_codes_left: null,
}

export const userVisibility: Visibility<User> = {
  object: user,
  seen: {
    requireRead: ({ records, caller }, id) => requireVisibleUser(records, caller, id).stored,
    requireMade: ({ records, caller }, id) => requireVisibleUser(records, caller, id).stored,
    visibility: ({ records, caller }) =>
      holdsAll(caller) ? undefined : (record) => seesUser(records, caller, record),
  },
  derive:
    ({ reader, caller }) =>
    ({ user_id: id, role_grants: own, display_name: shownName, former_names: former }) => {
      // Older records lack these members.
      const older = {
        ...(shownName === undefined && { role_grants: own ?? null, display_name: null }),
        ...(former === undefined && { former_names: null }),
      }
      if (!knowsPerson(caller)) return { ...older, ...NOT_TOLD }
      const factor = reader.get(secondFactor, id)?.value
      return {
        ...older,
        has_password: reader.get(userPassword, id) !== undefined,
        has_second_factor: factor !== undefined,
        date_link_expires: reader.get(userLink, id)?.value.date_expires ?? null,
        recovery_codes_left: factor?.recovery_codes.length ?? 0,
      }
    },
  mask({ caller }, visible) {
    const person = knowsPerson(caller)
      ? undefined
      : { email: null, display_name: null, former_names: null }
    if (caller.key.asset_category_id === null) return person && (() => person)
    return (record) => {
      const roles = maskRoles(visible, record)
      return roles || person ? { ...roles, ...person } : undefined
    }
  },
}

/** A key without admin sees its own user only: a session belongs to the person, any other key to a program. */
export function knowsPerson(caller: Caller): boolean {
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

/** A key for a folder sees only the roles in visible folders. */
function maskRoles(
  visible: VisibleFolders,
  { role, category_roles: roles, role_grants: own }: User,
): JsonObject | undefined {
  const seen = (roles ?? []).filter(({ asset_category_id: id }) => visible.sees(id))
  if (seen.length === roles?.length) return undefined
  const names = new Set([role, ...seen.map((item) => item.role)])
  const shown = Object.entries(own ?? {}).filter(([name]) => names.has(name))
  const role_grants = shown.length === 0 ? null : Object.fromEntries(shown)
  return { category_roles: seen, role_grants }
}
