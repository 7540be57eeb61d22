// Links by which users set their own passwords: invitations and replacements of forgotten passwords. A user has at
// most one link. The link ends by use, by expiry, by a newer link, by a new password, and when the user is disabled
// or its maker no longer has the rights that the link needs. Only the hash of its token is stored.

import { type Caller, findHolder, isExpired, recheck } from '../../auth/caller.ts'
import { isUserWithin } from '../../auth/delegation.ts'
import { globalGrants, missingGrant, noSuchRecord } from '../../auth/grants.ts'
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
  const { records, caller, limits, now } = context
  return records.commit((unit) => {
    const current = recheck(unit, caller, now())
    if (!globalGrants(current).has('admin')) throw missingGrant('admin', 'for users')
    const { record } = requireChangeable(unit, current, id)
    requireOtherUser(current, id, '/api/v2/me/password')
    const made_by = makerOf(current)
    requireFewLinks(unit, { made_by, record, now: now(), most: limits.userLinksPerMaker })
    return putUserLink(unit, { record, made_by, now: now() })
  })
}

interface NewUserLink {
  readonly record: User
  /** Null for the command line, which acts as the operator. */
  readonly made_by: UserLink['made_by']
  readonly now: Date
}

/** Replaces the earlier link of the user. */
export function putUserLink(unit: Unit, { record, made_by, now }: NewUserLink): MadeUserLink {
  if (record.status !== 'active')
    throw new CmsError(
      'in-use',
      `${record.name} is disabled and cannot sign in. Enable the user first.`,
    )
  const token = newToken()
  const ends = timeOfEnds(unit, now).getTime() + LIMITS.userLinkMs
  const date_expires = new Date(ends).toISOString()
  unit.put(userLink, [record.user_id], { hash: hashSecret(token), date_expires, made_by })
  return { token, dateExpires: date_expires }
}

interface Making {
  readonly made_by: Maker
  readonly record: User
  readonly now: Date
  readonly most: number
}

/** Removes the expired links of the maker if there are too many. */
function requireFewLinks(unit: Unit, { made_by: maker, record, now, most }: Making): void {
  const made = linksMadeBy(unit, maker.user_id, most)
  if (made.length < most || made.includes(record.user_id)) return
  const ended = made.filter((id) =>
    isExpired(unit, unit.get(userLink, id)?.value.date_expires ?? null, now),
  )
  for (const id of ended) unit.remove(userLink, id)
  if (ended.length > 0) return
  const detail = `You have made ${most} links for users, which is the limit. Revoke links that nobody needs, or wait until they expire.`
  throw new CmsError('invalid-content', detail)
}

/** The users for whom the user has made a link, ascending. */
export function linksMadeBy(reader: Reader, makerId: number, most?: number): readonly number[] {
  return reader.lookup(userLink, 'maker', [makerId], most).map(([id]) => Number(id))
}

/** Revokes the link of a user. */
export function removeUserLink(context: Context, id: number): Promise<void> {
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for users')
    requireChangeable(unit, caller, id)
    if (unit.get(userLink, id) === undefined) throw noSuchRecord()
    unit.remove(userLink, id)
  })
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
