// Signing in and out, and renewing sessions. All changes are in the audit trail, except the secrets that a session
// gets.

import { newToken } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import { NOBODY } from '../../schema/audit.ts'
import type { Action } from '../../shared/actions.ts'
import { foldName } from '../../schema/names.ts'
import { secondFactor, type User, user, userPassword } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { newId } from '../new-id.ts'
import { withAdditions } from '../trail/additions.ts'
import { auditAddition, commitAudited, type Origin } from '../trail/audit.ts'
import { removeKeyRecords } from './revoking.ts'
import { readPassword } from './password-rules.ts'
import { type CodeReader, isTimeCode, putUsed, readCode } from './reauthentication.ts'
import {
  endSpareSessions,
  findSession,
  type OpenSession,
  putRenewed,
  putSession,
  sessionKeysOf,
  type SessionSecret,
} from './session-records.ts'
import { findUserId } from './user-names.ts'

/** A client that is not authenticated yet. */
export interface Visitor {
  readonly address: string
  /** The address as it is counted; undefined if many clients may share it. */
  readonly source: string | undefined
  readonly requestId: string
  readonly userAgent: string
  /** The cookie of the session that the new one replaces; undefined if the browser has none. */
  readonly replaced: string | undefined
}

export type Renewed = OpenSession & SessionSecret

export interface SignedIn extends Renewed {
  /** For the browser only. */
  readonly cookie: string
}

interface Credentials {
  readonly name: string
  readonly password: unknown
  /** A code of the second factor, or a recovery code; undefined if none was sent. */
  readonly code: unknown
  readonly visitor: Visitor
}

/**
 * Throws sign-in-failed for every reason, in the same time. The second factor is mentioned only after the right
 * password: code-required or code-wrong.
 */
export async function signIn(
  services: Services,
  { name, password, code: sentCode, visitor }: Credentials,
): Promise<SignedIn> {
  const { records, passwords, signInGuard } = services
  const text = readPassword(password, 'password')
  const code = readCode(sentCode)
  const { user_id: id, hashed } = findPassword(records, name)
  const { source } = visitor
  const isFamiliar = id !== undefined && isFamiliarTo(services, id, source)
  const attempt = await signInGuard.begin({ name: foldName(name), source, isFamiliar })
  const isRight = await passwords.verify({ hashed: hashed ?? null, password: text })
  if (!isRight || id === undefined) throw signInFailed()
  requireActive(records, id)
  const hasFactor = records.get(secondFactor, id) !== undefined
  if (hasFactor && code === undefined) {
    // A sign-in without a code guesses nothing.
    attempt.succeed()
    throw codeRequired()
  }
  const codes = hasFactor ? await loadCodes() : undefined
  const guess =
    hasFactor && code !== undefined && isTimeCode(code)
      ? await signInGuard.beginCode({ userId: id, familiarSource: isFamiliar ? source : undefined })
      : undefined

  const plan = (unit: Unit): User => {
    // The password was changed or removed during the comparison.
    if (unit.get(userPassword, id)?.value.password !== hashed) throw signInFailed()
    const owner = requireActive(unit, id)
    requireCode(unit, codes, { userId: id, code, now: services.now() })
    return owner
  }
  const opened = await openSession(services, { visitor, plan })
  attempt.succeed()
  guess?.succeed()
  return opened
}

export async function loadCodes(): Promise<CodeReader> {
  const { findStep } = await import('../../auth/time-codes.ts')
  return { findStep }
}

interface SentCode {
  readonly userId: number
  readonly code: string | undefined
  readonly now: Date
}

/** Checks the code in the newest state, if the user has a second factor. */
export function requireCode(
  unit: Unit,
  codes: CodeReader | undefined,
  { userId, code, now }: SentCode,
): void {
  if (unit.get(secondFactor, userId) === undefined) return
  if (codes === undefined || code === undefined) throw codeRequired()
  if (!putUsed(unit, codes, { userId, code, now })) throw codeWrong()
}

/** Whether the user has signed in from there, in a session that still exists. */
function isFamiliarTo(
  { records, keyUse }: Services,
  userId: number,
  source: string | undefined,
): boolean {
  if (source === undefined) return false
  return sessionKeysOf(records, userId).some((id) => keyUse.isFamiliar(id, source))
}

interface Opening {
  readonly visitor: Visitor
  /** Returns the user who signs in, in the newest state. */
  readonly plan: (unit: Unit) => User
}

/** Commits a sign-in. */
export async function openSession(
  services: Services,
  { visitor, plan }: Opening,
): Promise<SignedIn> {
  const { records, now } = services
  const { source } = visitor
  const cookie = newToken()
  const keyId = await newId(records, apiKey.recordType)
  const name = agentName(visitor.userAgent)
  const audited = withRow(services, visitor, 'sign_in')
  const opened = await audited.commit((unit) => {
    const renewed = putSession(unit, { keyId, cookie, user: plan(unit), name, source, now: now() })
    audited.tell(renewed)
    return renewed
  })
  // No browser has the replaced cookie any more, so nobody could end that session by signing out.
  await signOut(services, { cookie: visitor.replaced, isEverywhere: false, visitor })
  const { user_id: userId } = opened.user
  // A separate commit, because nobody asked for it; mostly there are no spare sessions.
  if (sessionKeysOf(records, userId).length > LIMITS.sessionsPerUser)
    await commitAudited(services, { doer: NOBODY, plan: (unit) => endSpareSessions(unit, userId) })
  return { ...opened, cookie }
}

/** Throws session-over. */
export async function renewSession(
  { records, revoking, now }: Services,
  cookie: string | undefined,
): Promise<Renewed> {
  const require = (reader: Reader): OpenSession => {
    const open = cookie === undefined ? undefined : findSession(reader, cookie, now())
    if (open !== undefined && !revoking.has(open.key.api_key_id)) return open
    throw sessionEnded()
  }
  // Requests without a session begin no commit.
  require(records)
  return records.commit((unit) => putRenewed(unit, require(unit), now()))
}

interface SigningOut {
  readonly cookie: string | undefined
  /** Ends all sessions of the user. */
  readonly isEverywhere: boolean
  readonly visitor: Visitor
}

/** Does nothing if the session is over already. */
export async function signOut(
  services: Services,
  { cookie, isEverywhere, visitor }: SigningOut,
): Promise<void> {
  const find = (reader: Reader): OpenSession | undefined =>
    cookie === undefined ? undefined : findSession(reader, cookie, services.now())
  if (find(services.records) === undefined) return
  const audited = withRow(services, visitor, 'sign_out')
  await audited.commit((unit) => {
    const open = find(unit)
    if (open === undefined) return
    audited.tell(open)
    const { user_id: userId, api_key_id: id } = open.session
    removeKeyRecords(unit, isEverywhere ? sessionKeysOf(unit, userId) : [id])
  })
}

/** The user is known inside the commit, before its audit row is put. */
function withRow(services: Services, { address, requestId }: Visitor, action: Action) {
  let caller: Origin['caller']
  const { commit } = withAdditions(services.records, [
    (unit, changes) =>
      auditAddition(services, { action, caller, address, requestId })(unit, changes),
  ])
  return {
    commit,
    tell: ({ user: owner, key }: OpenSession): void => {
      caller = { user: owner, key }
    },
  }
}

interface FoundPassword {
  readonly user_id: number | undefined
  readonly hashed: string | undefined
}

function findPassword(reader: Reader, name: string): FoundPassword {
  const user_id = findUserId(reader, name)
  if (user_id === undefined) return { user_id, hashed: undefined }
  return { user_id, hashed: reader.get(userPassword, user_id)?.value.password }
}

/** Throws sign-in-failed. */
export function requireActive(reader: Pick<Reader, 'get'>, id: number): User {
  const owner = reader.get(user.recordType, id)?.value
  if (owner?.status === 'active') return owner
  throw signInFailed()
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="cms"' }

/** The same words for every reason, so that the answer does not reveal which names exist. */
function signInFailed(): CmsError {
  const detail = 'The name or the password is wrong, or the user is disabled or has no password.'
  return new CmsError('sign-in-failed', detail, { headers: CHALLENGE })
}

export function codeRequired(): CmsError {
  const detail = 'Also send an authenticator code or a recovery code: {"code":"123456"}.'
  return new CmsError('code-required', detail, { headers: CHALLENGE })
}

function codeWrong(): CmsError {
  const detail = 'The code is wrong, has expired or was already used. Send the next code.'
  return new CmsError('code-wrong', detail, { headers: CHALLENGE })
}

function sessionEnded(): CmsError {
  return new CmsError('session-over', 'The session has ended. Sign in again.', {
    headers: CHALLENGE,
  })
}

/** The order matters: many browsers also claim to be others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Names a session, like `Firefox, Windows`. Only a hint, so there is no complete table of browsers. */
function agentName(userAgent: string): string {
  const names = [findName(BROWSERS, userAgent), findName(SYSTEMS, userAgent)]
  const known = names.filter((name) => name !== undefined)
  return known.length === 0 ? 'Unknown program' : known.join(', ')
}

function findName(table: typeof BROWSERS, text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1]
}
