// The people whom a signed-in person works with: everybody who may write where this person sees drafts, because drafts,
// versions and comments there have their names. A user elsewhere changes no byte of the list.

import type { Caller } from '../../auth/caller.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { missingGrant } from '../../auth/grants.ts'
import { categoryRoles, UNLIMITED } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import { type User, user } from '../../schema/user.ts'
import { seesComments } from '../comment-targets.ts'
import type { Context } from '../context.ts'
import type { NumberRange } from '../newest-page.ts'
import { knowsPerson, seesUser } from './user-visibility.ts'

export type Colleague = Pick<User, 'user_id' | 'name' | 'display_name' | 'former_names'>

export interface ColleaguePage {
  readonly users: readonly Colleague[]
  /** The next page begins before this number; undefined on the last page. */
  readonly next: number | undefined
}

/** Newest first. Throws grant-missing for the key of a program without admin, which need not know people. */
export async function listColleagues(
  { records, caller }: Context,
  { before = Number.POSITIVE_INFINITY, length }: NumberRange,
): Promise<ColleaguePage> {
  if (!knowsPerson(caller))
    throw missingGrant('admin', 'for the names of people, except for a signed-in person')
  const worksWith = openColleagues(records, caller)
  const users: Colleague[] = []
  const slice = openTimeSlice()
  for (const [id] of records.list(user.recordType, []).toReversed()) {
    if (Number(id) >= before) continue
    const stored = records.get(user.recordType, Number(id))
    if (slice.isOver(stored?.sizeBytes ?? 0)) await slice.next()
    if (stored === undefined) continue
    if (!seesUser(records, caller, stored.value) && !worksWith(stored.value)) continue
    if (users.length === length) return { users, next: users.at(-1)?.user_id }
    users.push(namesOf(stored.value))
  }
  return { users, next: undefined }
}

/** Older records lack the other names. */
export function namesOf(record: User): Colleague {
  const {
    user_id,
    name,
    display_name: shown,
    former_names: former,
  } = record as Partial<User> & Pick<User, 'user_id' | 'name'>
  return { user_id, name, display_name: shown ?? null, former_names: former ?? null }
}

/**
 * Grants differ between a folder and its parent only where one of the two has a role or the caller's key a limit, so
 * looking at these folders is enough.
 */
function openColleagues(reader: FolderReader, caller: Caller): (record: User) => boolean {
  const own = openVisibleFolders(reader, caller)
  const { asset_category_id: scope } = caller.key
  const places = [
    ...(scope === null ? [ROOT_CATEGORY_ID] : [scope]),
    ...categoryRoles(caller).map((role) => role.asset_category_id),
  ].filter((id) => seesComments(own.grantsAt(id)))

  return (record) => {
    const holder = { user: record, key: UNLIMITED }
    const theirs = openVisibleFolders(reader, holder)
    const writes = (id: number): boolean =>
      [...theirs.grantsAt(id)].some((grant) => grant !== 'view')
    return (
      places.some(writes) ||
      categoryRoles(holder).some(
        ({ asset_category_id: id }) => seesComments(own.grantsAt(id)) && writes(id),
      )
    )
  }
}
