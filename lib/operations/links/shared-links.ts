// The links that a user has made: to files, to previews of sites, and for other users who set their passwords by them. The user,
// administrators with all rights of the user, and, for its own links, each key see and revoke them.

import { type Caller, recheck } from '../../auth/caller.ts'
import { isUserWithin } from '../../auth/delegation.ts'
import type { Site } from '../../config/flag-values.ts'
import { type FileLink, fileLink } from '../../schema/file-link.ts'
import { user, userLink } from '../../schema/user.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { isOwn, type LinkList, pageOfLinks } from './file-links.ts'
import { newestPage, type NumberRange } from '../newest-page.ts'
import { linksMadeBy } from '../people/user-links.ts'
import { requireVisibleUser, seesUser } from '../people/user-visibility.ts'

const TYPE = fileLink.recordType

export const SHARED_KINDS = ['asset_file_link', 'user_link'] as const

interface ListInput extends NumberRange {
  /** The user. */
  readonly id: number
  readonly kind: (typeof SHARED_KINDS)[number]
  readonly sites: readonly Site[]
}

/** Newest first; links for users in the order of the users. */
export function listSharedLinks(
  context: Context,
  { id, kind, sites, ...range }: ListInput,
): LinkList {
  const { records, caller } = context
  const made = madeBy(records, caller, id)
  if (kind === 'asset_file_link') return pageOfLinks(context, { all: made.files(), sites, range })
  const all = made.users()
  const { numbers, next } = newestPage(all, range)
  const links = numbers.map((userId) => presentUserLink(records, userId))
  return { links, total: all.length, next }
}

function presentUserLink(reader: Reader, id: number): JsonObject {
  return {
    user_id: id,
    name: reader.get(user.recordType, id)?.value.name ?? null,
    date_expires: reader.get(userLink, id)?.value.date_expires ?? null,
  }
}

/** Revokes all links that the caller sees in the lists, at once. */
export async function revokeSharedLinks(context: Context, id: number): Promise<void> {
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const made = madeBy(unit, caller, id)
    for (const linkId of made.files()) unit.remove(TYPE, linkId)
    for (const userId of made.users()) unit.remove(userLink, userId)
  })
}

/** The identifiers of the links that the caller manages, ascending. */
function madeBy(reader: Reader, caller: Caller, id: number) {
  const { record } = requireVisibleUser(reader, caller, id)
  const isOfAll = isUserWithin(reader, record, caller)
  const isManaged = (link: FileLink | undefined): boolean => isOfAll || isOwn(caller, link)
  return {
    files: () =>
      reader
        .lookup(TYPE, 'maker', [id])
        .map(([linkId]) => Number(linkId))
        .filter((linkId) => isManaged(reader.get(TYPE, linkId)?.value))
        .toSorted((left, right) => left - right),
    /** Administrators alone make links for users. */
    users: () =>
      isOfAll
        ? linksMadeBy(reader, id)
            .filter((userId) => seesLinked(reader, caller, userId))
            .toSorted((left, right) => left - right)
        : [],
  }
}

function seesLinked(reader: Reader, caller: Caller, id: number): boolean {
  const linked = reader.get(user.recordType, id)?.value
  return linked !== undefined && seesUser(reader, caller, linked)
}
