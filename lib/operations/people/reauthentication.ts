// Requires a signed-in user to prove identity again before credentials change: an unattended or stolen session is not
// enough.

import { type Caller, recheck } from '../../auth/caller.ts'
import { hashRecoveryCode } from '../../auth/recovery-codes.ts'
import type { Begun } from '../../auth/sign-in-guard.ts'
import type { TimeCode } from '../../auth/time-codes.ts'
import { CmsError } from '../../base/errors.ts'
import { isSession } from '../../schema/api-key.ts'
import { refuseField } from '../../schema/check.ts'
import { secondFactor, type SecondFactor, userPassword } from '../../schema/user.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { readPassword } from './password-rules.ts'

/** Throws session-required for keys: a borrowed or stolen key must not gain access that outlasts it. */
export function requirePerson({ caller }: Context, detail: string): void {
  if (!isSession(caller.key)) throw new CmsError('session-required', detail)
}

/** Changes that require the password at `path` are refused here for the caller's own user, for sessions and keys. */
export function requireOtherUser({ user, key }: Caller, id: number, path: string): void {
  if (id !== user.user_id) return
  if (isSession(key))
    throw new CmsError(
      'invalid-content',
      `For your own user send POST ${path}, which asks for the password.`,
    )
  throw new CmsError(
    'session-required',
    `A key cannot do this for its own user. Sign in and send POST ${path}, or use "cms-server user" on the server.`,
  )
}

/** Limited like sign-in: an unattended session must not allow unlimited guesses. */
export function beginAttempt({ signInGuard, caller }: Context): Promise<Begun> {
  return signInGuard.beginProof({ userId: caller.user.user_id, keyId: caller.key.api_key_id })
}

/** Counts only codes that can be guessed. */
async function beginCode(
  { signInGuard, caller }: Context,
  code: string | undefined,
): Promise<Begun | undefined> {
  if (code === undefined || !isTimeCode(code)) return undefined
  return signInGuard.beginProofCode({ userId: caller.user.user_id, keyId: caller.key.api_key_id })
}

export async function requireRightPassword(
  { passwords }: Context,
  { hashed, password }: { readonly hashed: string; readonly password: unknown },
): Promise<void> {
  const text = readPassword(password, 'password')
  if (!(await passwords.verify({ hashed, password: text }))) throw wrongPassword()
}

export interface Proof {
  readonly password: unknown
  /** Required if the user has a second factor. */
  readonly code: unknown
}

/** Commits a change that requires both proofs; the commit uses up the code. */
export async function commitProven<T>(
  context: Context,
  proof: Proof,
  plan: (unit: Unit, now: Date) => T,
): Promise<T> {
  const { records, caller, now } = context
  const { user_id: id } = caller.user
  requirePerson(
    context,
    'Only a signed-in user can manage a second factor, not a key. Sign in first.',
  )
  const code = readCode(proof.code)
  const hashed = records.get(userPassword, id)?.value.password
  if (hashed === undefined)
    refuseField('password', 'is not set; a second factor requires a password: set one first')
  if (code === undefined && records.get(secondFactor, id) !== undefined) throw missingCode()
  const { findStep } = await import('../../auth/time-codes.ts')

  const attempt = await beginAttempt(context)
  await requireRightPassword(context, { hashed, password: proof.password })
  const hasFactor = records.get(secondFactor, id) !== undefined
  const guess = hasFactor ? await beginCode(context, code) : undefined
  const result = await records.commit((unit) => {
    recheck(unit, caller, now())
    // The password was changed during the comparison.
    if (unit.get(userPassword, id)?.value.password !== hashed) throw wrongPassword()
    if (unit.get(secondFactor, id) !== undefined)
      requireUsed(unit, { findStep }, { userId: id, code, now: now() })
    return plan(unit, now())
  })
  attempt.succeed()
  guess?.succeed()
  return result
}

function requireUsed(
  unit: Unit,
  reader: CodeReader,
  {
    code,
    ...sent
  }: { readonly userId: number; readonly code: string | undefined; readonly now: Date },
): void {
  if (code === undefined) throw missingCode()
  if (!putUsed(unit, reader, { ...sent, code })) throw wrongCode()
}

export function wrongPassword(): CmsError {
  return fault('password', 'is not the current password')
}

export function wrongCode(): CmsError {
  return fault('code', 'is wrong, has expired or was already used')
}

function missingCode(): CmsError {
  return fault('code', 'is required, because the user has a second factor')
}

function fault(field: string, detail: string): CmsError {
  const pointer = `/${field}`
  return new CmsError('invalid-content', `${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}

const TIME_CODE = /^\d{6}$/
/** Longer texts are not examined. */
const MAX_LENGTH = 64

/** Loaded before the commit, because a plan cannot await. */
export interface CodeReader {
  readonly findStep: (code: TimeCode) => number | undefined
}

/** Undefined if no code was sent. */
export function readCode(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > MAX_LENGTH)
    return refuseField('code', 'must be an authenticator code or a recovery code, as text')
  return value.replaceAll(/\s/g, '')
}

/** A code of the authenticator, which is short enough to be guessed. */
export function isTimeCode(code: string): boolean {
  return TIME_CODE.test(code)
}

interface Sent {
  readonly userId: number
  readonly code: string
  readonly now: Date
}

/** False if the user has no such code, or used it already. */
export function putUsed(
  unit: Unit,
  { findStep }: CodeReader,
  { userId, code, now }: Sent,
): boolean {
  const factor = unit.get(secondFactor, userId)?.value
  if (factor === undefined) return false
  const used = isTimeCode(code)
    ? withStep(factor, findStep({ secret: factor.secret, code, now }))
    : withoutRecoveryCode(factor, hashRecoveryCode(code))
  if (used === undefined) return false
  unit.put(secondFactor, [userId], used)
  return true
}

function withStep(factor: SecondFactor, step: number | undefined): SecondFactor | undefined {
  return step === undefined || step <= factor.last_step ? undefined : { ...factor, last_step: step }
}

function withoutRecoveryCode(
  factor: SecondFactor,
  hash: string | undefined,
): SecondFactor | undefined {
  const left = factor.recovery_codes.filter((other) => other !== hash)
  return left.length === factor.recovery_codes.length
    ? undefined
    : { ...factor, recovery_codes: left }
}
