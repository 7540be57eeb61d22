// Signing in and out, and what keeps a session going. All that changes here is in the audit trail, but for the secrets
// that a session gets on the way.

import { newToken } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { apiKey } from '../../schema/api-key.ts'
import { type Action, NOBODY } from '../../schema/audit.ts'
import { foldName } from '../../schema/names.ts'
import { secondFactor } from '../../schema/second-factor.ts'
import { type User, user, userPassword } from '../../schema/user.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { withAdditions } from '../trail/additions.ts'
import { auditAddition, commitTold, type Origin } from '../trail/audit.ts'
import { agentName } from './user-agent-name.ts'
import { type CodeReader, isTimeCode, putUsed, readCode } from './code-use.ts'
import { removeKeyRecords } from './key-records.ts'
import { readPassword } from './password-rules.ts'
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
import { newId } from '../new-id.ts'

/** From where somebody comes who is not known yet. */
export interface Visitor {
  readonly address: string
  /** What the address is counted as; undefined: many may be behind it. */
  readonly source: string | undefined
  readonly requestId: string
  readonly userAgent: string
  /** The cookie of a session that the next one takes the place of; undefined: the browser has none. */
  readonly replaced: string | undefined
}

export type Renewed = OpenSession & SessionSecret

export interface SignedIn extends Renewed {
  /** For the browser alone. */
  readonly cookie: string
}

export interface Credentials {
  readonly name: string
  readonly password: unknown
  /** Of the second factor, or a recovery code; undefined where none was sent. */
  readonly code: unknown
  readonly visitor: Visitor
}

/**
 * Throws sign-in-failed, whatever the reason, and takes as long for each. Of a second factor nothing is told before the
 * password is right: then code-required, or code-wrong.
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
    // Whoever asks has guessed nothing.
    attempt.succeed()
    throw codeRequired()
  }
  const codes = hasFactor ? await loadCodes() : undefined
  const guess =
    hasFactor && code !== undefined && isTimeCode(code)
      ? await signInGuard.beginCode({ userId: id, familiarSource: isFamiliar ? source : undefined })
      : undefined

  const plan = (unit: Unit): User => {
    // Another password, or none, while this one was compared.
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

async function loadCodes(): Promise<CodeReader> {
  const { findStep } = await import('../../auth/time-codes.ts')
  return { findStep }
}

interface SentCode {
  readonly userId: number
  readonly code: string | undefined
  readonly now: Date
}

/** Where the user has a second factor, in the newest state. */
function requireCode(
  unit: Unit,
  codes: CodeReader | undefined,
  { userId, code, now }: SentCode,
): void {
  if (unit.get(secondFactor, userId) === undefined) return
  if (codes === undefined || code === undefined) throw codeRequired()
  if (!putUsed(unit, codes, { userId, code, now })) throw codeWrong()
}

/** Whether the user has signed in from there, in a session that goes on. */
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
  /** Who signs in, in the newest state. */
  readonly plan: (unit: Unit) => User
}

/** The commit that signs somebody in. */
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
  // No browser has its cookie any more: nobody could end it by signing out.
  await signOut(services, { cookie: visitor.replaced, isEverywhere: false, visitor })
  const { user_id: userId } = opened.user
  // A commit of its own, as nobody has asked for it; mostly there are none.
  if (sessionKeysOf(records, userId).length > LIMITS.sessionsPerUser)
    await commitTold(services, { doer: NOBODY, plan: (unit) => endSpareSessions(unit, userId) })
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
    throw sessionOver()
  }
  // Who has none does not begin a commit.
  require(records)
  return records.commit((unit) => putRenewed(unit, require(unit), now()))
}

export interface SigningOut {
  readonly cookie: string | undefined
  /** All sessions of the user. */
  readonly isEverywhere: boolean
  readonly visitor: Visitor
}

/** A session that is over is as good as ended; it ends no other. */
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

/** Who it was is known inside the commit, whose row tells it. */
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

interface Kept {
  readonly user_id: number | undefined
  readonly hashed: string | undefined
}

function findPassword(reader: Reader, name: string): Kept {
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

/** The same words for every reason: which names there are is nobody's business. */
function signInFailed(): CmsError {
  const detail = 'The name or the password is wrong, or the user is disabled or has no password.'
  return new CmsError('sign-in-failed', detail, { headers: CHALLENGE })
}

function codeRequired(): CmsError {
  const detail = 'Send a code of the authenticator, too, or a recovery code: {"code":"123456"}.'
  return new CmsError('code-required', detail, { headers: CHALLENGE })
}

function codeWrong(): CmsError {
  const detail = 'The code is not one of now, or was used before. Send the next one.'
  return new CmsError('code-wrong', detail, { headers: CHALLENGE })
}

function sessionOver(): CmsError {
  return new CmsError('session-over', 'The session is over. Sign in again.', { headers: CHALLENGE })
}
