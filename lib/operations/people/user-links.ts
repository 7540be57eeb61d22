// Links by which users set their own passwords: invitations and replacements of forgotten passwords. A user has at
// most one link. The link ends by use, by expiry, by a newer link, by a new password, and when the user is disabled
// or its maker no longer has the rights that the link needs. Only the hash of its token is stored.

import { type Caller, findHolder, isExpired, recheck } from '../../auth/caller.ts'
import { isUserWithin } from '../../auth/delegation.ts'
import { globalGrants, missingGrant } from '../../auth/grants.ts'
import { type Holder, UNLIMITED } from '../../auth/key-role.ts'
import { timeOfEnds } from '../../auth/key-use.ts'
import { hashSecret, newToken } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { isSession } from '../../schema/api-key.ts'
import { type User, user, type UserLink, userLink } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, Services } from '../context.ts'
import { requireOtherUser } from './reauthentication.ts'
import { requireChangeable } from './users.ts'

export interface MadeUserLink {
  readonly token: string
  readonly dateExpires: string
}

/** Path of the page that a link opens, without the base path. The token is in the fragment, which no log contains. */
export function userLinkPath(token: string): string {
  return `/admin/welcome#${token}`
}

export function createUserLink(context: Context, id: number): Promise<MadeUserLink> {
  const { records, caller, now } = context
  return records.commit((unit) => {
    const current = recheck(unit, caller, now())
    if (!globalGrants(current).has('admin')) throw missingGrant('admin', 'for users')
    const { record } = requireChangeable(unit, current, id)
    requireOtherUser(current, id, '/api/v2/me/password')
    return putUserLink(unit, { record, maker: current, now: now() })
  })
}

interface NewUserLink {
  readonly record: User
  /** Undefined for the command line, which acts as the operator. */
  readonly maker?: Caller
  readonly now: Date
}

/** Replaces the earlier link of the user. */
export function putUserLink(unit: Unit, { record, maker, now }: NewUserLink): MadeUserLink {
  if (record.status !== 'active')
    throw new CmsError(
      'in-use',
      `${record.name} is disabled and cannot sign in. Enable the user first.`,
    )
  const token = newToken()
  const ends = timeOfEnds(unit, now).getTime() + LIMITS.userLinkMs
  const date_expires = new Date(ends).toISOString()
  const made_by = maker === undefined ? null : makerOf(maker)
  unit.put(userLink, [record.user_id], { hash: hashSecret(token), date_expires, made_by })
  return { token, dateExpires: date_expires }
}

type Maker = NonNullable<UserLink['made_by']>

/** A session ends long before the link, so only the person behind the session counts. */
function makerOf({ user: { user_id }, key }: Caller): Maker {
  return { user_id, api_key_id: isSession(key) ? null : key.api_key_id }
}

/** The user of a valid link. */
export function findLinkedUser(
  { revoking, now }: Pick<Services, 'revoking' | 'now'>,
  reader: Reader,
  token: string,
): User | undefined {
  const [ids] = reader.lookup(userLink, 'hash', [hashSecret(token)], 1)
  const link = ids && reader.get(userLink, ...ids)?.value
  if (ids === undefined || link === undefined) return undefined
  if (isExpired(reader, link.date_expires, now())) return undefined
  const owner = reader.get(user.recordType, ...ids)?.value
  if (owner?.status !== 'active') return undefined
  if (link.made_by === null) return owner

  const maker = findMaker(reader, link.made_by, { revoking, now: now() })
  const isGood =
    maker !== undefined && globalGrants(maker).has('admin') && isUserWithin(reader, owner, maker)
  return isGood ? owner : undefined
}

/** The maker with its present rights: the rights of a user or of a maker may have changed since. */
function findMaker(
  reader: Reader,
  { user_id: userId, api_key_id: keyId }: Maker,
  at: { readonly revoking: ReadonlySet<number>; readonly now: Date },
): Holder | undefined {
  if (keyId !== null) return findHolder(reader, keyId, at)
  const person = reader.get(user.recordType, userId)?.value
  return person?.status === 'active' ? { user: person, key: UNLIMITED } : undefined
}
