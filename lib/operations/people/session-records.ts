// The records of a session: its key, the key's secrets, and the row behind its cookie. Each function plans one
// change.

import { isExpired } from '../../auth/caller.ts'
import { timeOfEnds } from '../../auth/key-use.ts'
import { hashSecret, newSecret } from '../../auth/secret.ts'
import { LIMITS } from '../../config/limits.ts'
import {
  type ApiKey,
  apiKey,
  apiKeySecret,
  apiKeyUse,
  type Session,
  session,
} from '../../schema/api-key.ts'
import { NOBODY } from '../../schema/audit.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import { type User, user } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Services } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import { commitAudited } from '../trail/audit.ts'
import { putNewKey } from './api-keys.ts'
import { KEYS_AT_ONCE, removeKeyRecords } from './revoking.ts'

/** An open session with its key and user. */
export interface OpenSession {
  readonly session: Session
  readonly key: ApiKey
  readonly user: User
}

/** Authenticates the session's requests for some minutes. */
export interface SessionSecret {
  readonly secret: string
  readonly dateExpires: string
}

interface NewSession {
  readonly keyId: number
  readonly cookie: string
  readonly user: User
  /** Shown to the user to tell sessions apart. */
  readonly name: string
  /** The address is familiar to every process as soon as the session exists. */
  readonly source: string | undefined
  readonly now: Date
}

/** The session with its first secret. */
export function putSession(
  unit: Unit,
  { keyId, cookie, user: owner, name, source, now }: NewSession,
): OpenSession & SessionSecret {
  const { user_id } = owner
  const opened = {
    api_key_id: keyId,
    user_id,
    date_ends: after(timeOfEnds(unit, now), LIMITS.sessionMs),
  }
  const values = { name, user_id, status: 'active', date_signed_in: now.toISOString() } as const
  const secret = newSecret()
  unit.put(session, [hashSecret(cookie)], opened)
  putNewKey(unit, { id: keyId, values, secret, owner: owner.name, now })
  if (source !== undefined)
    unit.put(apiKeyUse, [keyId], { last_used: now.toISOString(), sources: [source] })
  const { record: key } = requireRecord(unit, apiKey, keyId)
  return renewed(unit, { session: opened, key, user: owner }, { secret, now })
}

/** Undefined if the session is over: signed out, idle for too long, or its user disabled. */
export function findSession(
  reader: Pick<Reader, 'get'>,
  cookie: string,
  now: Date,
): OpenSession | undefined {
  const stored = reader.get(session, hashSecret(cookie))
  if (stored === undefined) return undefined
  const key = reader.get(apiKey.recordType, stored.value.api_key_id)?.value
  const owner = reader.get(user.recordType, stored.value.user_id)?.value
  if (key?.status !== 'active' || owner?.status !== 'active') return undefined
  const hasEnded = [key.date_expires, stored.value.date_ends].some((date) =>
    isExpired(reader, date, now),
  )
  return hasEnded ? undefined : { session: stored.value, key, user: owner }
}

/**
 * The cookie whose session is open. Undefined if sessions of several users are, because a page of another host may have added
 * the cookie of another user.
 */
export function findSessionCookie(
  reader: Pick<Reader, 'get'>,
  cookies: readonly string[],
  now: Date,
): string | undefined {
  const ofUser = new Map<number, string>()
  for (const cookie of cookies) {
    const open = findSession(reader, cookie, now)
    if (open !== undefined) ofUser.set(open.user.user_id, cookie)
  }
  return ofUser.size === 1 ? [...ofUser.values()][0] : undefined
}

/** Issues another secret and extends the session. */
export function putRenewed(unit: Unit, open: OpenSession, now: Date): OpenSession & SessionSecret {
  return renewed(unit, open, { secret: newSecret(), now })
}

function renewed(
  unit: Unit,
  open: OpenSession,
  { secret, now }: { readonly secret: string; readonly now: Date },
): OpenSession & SessionSecret {
  const { api_key_id: id } = open.key
  const time = timeOfEnds(unit, now)
  const date_expires = earlier(after(time, LIMITS.sessionIdleMs), open.session.date_ends)
  const key = { ...open.key, date_expires }
  const dateExpires = earlier(after(time, LIMITS.sessionSecretMs), date_expires)
  dropSecrets(unit, id, time)
  unit.put(apiKeySecret, [hashSecret(secret)], { api_key_id: id, date_expires: dateExpires })
  unit.put(apiKey.recordType, [id], key)
  return { ...open, key, secret, dateExpires }
}

/** Removes expired secrets, and beyond the limit the secrets that expire first: each open page of a browser has one secret. */
function dropSecrets(unit: Unit, keyId: number, now: Date): void {
  const held = unit
    .lookup(apiKeySecret, 'api_key_id', [keyId])
    .map(([hash]) => {
      const ends = unit.get(apiKeySecret, String(hash))?.value.date_expires
      return { hash: String(hash), ends: ends ?? '' }
    })
    .toSorted((left, right) => (left.ends < right.ends ? -1 : 1))
  const spare = held.length + 1 - LIMITS.secretsPerSession
  for (const [at, { hash, ends }] of held.entries())
    if (at < spare || ends <= now.toISOString()) unit.remove(apiKeySecret, hash)
}

/** Keys of a user's sessions, including ended sessions that are not removed yet. */
export function sessionKeysOf(reader: Reader, userId: number): readonly number[] {
  return reader.lookup(session, 'user_id', [userId]).flatMap(([hash]) => {
    const stored = reader.get(session, String(hash))
    return stored === undefined ? [] : [stored.value.api_key_id]
  })
}

/** Ends all sessions of a user, except one. */
export function endSessions(unit: Unit, userId: number, spared?: number): void {
  removeKeyRecords(
    unit,
    sessionKeysOf(unit, userId).filter((id) => id !== spared),
  )
}

/** Ends the least recently used sessions beyond the limit. */
export function endSpareSessions(unit: Unit, userId: number): void {
  const ids = sessionKeysOf(unit, userId)
  if (ids.length <= LIMITS.sessionsPerUser) return
  const byEnd = ids.toSorted((left, right) => (endOf(unit, left) < endOf(unit, right) ? -1 : 1))
  removeKeyRecords(unit, byEnd.slice(0, ids.length - LIMITS.sessionsPerUser))
}

/** Each use extends the session, so its end shows how recently it was used. */
function endOf(reader: Pick<Reader, 'get'>, keyId: number): string {
  return reader.get(apiKey.recordType, keyId)?.value.date_expires ?? ''
}

function after(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}

/** Both are in ISO 8601 with milliseconds. */
function earlier(left: string, right: string): string {
  return left < right ? left : right
}

const EXPIRE_EVERY_MS = 3_600_000

type Needed = Pick<Services, 'records' | 'background' | 'now'>

/**
 * Removes the records of ended sessions in the background, in small commits, now and every hour until the signal aborts.
 */
export async function expireSessions(services: Needed, signal: AbortSignal): Promise<void> {
  const rounds = { name: 'expire-sessions', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeEnded(services, signal))
}

async function removeEnded({ records, now }: Needed, signal: AbortSignal): Promise<void> {
  const ended: number[] = []
  await inSlices(walkEnded(records, now(), (id) => void ended.push(id)))
  for (let done = 0; done < ended.length && !signal.aborted; done += KEYS_AT_ONCE)
    await commitAudited(
      { records, now },
      {
        doer: NOBODY,
        plan(unit) {
          const batch = ended.slice(done, done + KEYS_AT_ONCE)
          // A session may be valid again if the clock was set back.
          removeKeyRecords(
            unit,
            batch.filter((id) => isEnded(unit, id, now())),
          )
        },
      },
    )
}

/** Yields at each session, because there may be many. */
function* walkEnded(
  reader: Reader,
  now: Date,
  visit: (keyId: number) => void,
): Generator<void, void> {
  for (const [cookie] of reader.list(session, [])) {
    yield
    const stored = reader.get(session, String(cookie))
    const id = stored?.value.api_key_id
    if (id !== undefined && isEnded(reader, id, now)) visit(id)
  }
}

function isEnded(reader: Reader, keyId: number, now: Date): boolean {
  return isExpired(reader, reader.get(apiKey.recordType, keyId)?.value.date_expires ?? null, now)
}
