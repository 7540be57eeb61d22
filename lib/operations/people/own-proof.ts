// What somebody who has signed in proves once more, before what lets him in is changed: a session that was left open, or
// stolen, is not enough for that.

import { type Caller, recheck } from '../../auth/caller.ts'
import type { Begun } from '../../auth/sign-in-guard.ts'
import { CmsError } from '../../base/errors.ts'
import { isSession } from '../../schema/api-key.ts'
import { refuseField } from '../../schema/check.ts'
import { secondFactor } from '../../schema/second-factor.ts'
import { userPassword } from '../../schema/user.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type CodeReader, isTimeCode, putUsed, readCode } from './code-use.ts'
import { readPassword } from './password-rules.ts'

/** Throws session-required for keys: one that was lent or stolen must not last longer than itself. */
export function requirePerson({ caller }: Context, detail: string): void {
  if (!isSession(caller.key)) throw new CmsError('session-required', detail)
}

/** What somebody proves with the password at `path` is not done without it, neither by a session nor by a key of the same user. */
export function requireOtherUser({ user, key }: Caller, id: number, path: string): void {
  if (id !== user.user_id) return
  if (isSession(key))
    throw new CmsError(
      'invalid-content',
      `For yourself send POST ${path}, which asks for the proof.`,
    )
  throw new CmsError(
    'session-required',
    `A key cannot do this to its own user. Sign in and send POST ${path}, or use cms-server user on the machine of the server.`,
  )
}

/** As often as a sign-in: a session that was left open gives nobody all time to guess. */
export function beginAttempt({ signInGuard, caller }: Context): Promise<Begun> {
  return signInGuard.beginProof({ userId: caller.user.user_id, keyId: caller.key.api_key_id })
}

/** Of what was sent as the second factor: only codes that can be guessed are counted. */
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
  /** Where the user has a second factor. */
  readonly code: unknown
}

/** The commit of what needs both; the code is used up in it. */
export async function commitProven<T>(
  context: Context,
  proof: Proof,
  plan: (unit: Unit, now: Date) => T,
): Promise<T> {
  const { records, caller, now } = context
  const { user_id: id } = caller.user
  requirePerson(context, 'A second factor belongs to somebody who has signed in, not to a key.')
  const code = readCode(proof.code)
  const hashed = records.get(userPassword, id)?.value.password
  if (hashed === undefined) refuseField('password', 'is not set: there is nothing to add to')
  if (code === undefined && records.get(secondFactor, id) !== undefined) throw missingCode()
  const { findStep } = await import('../../auth/time-codes.ts')

  const attempt = await beginAttempt(context)
  await requireRightPassword(context, { hashed, password: proof.password })
  const hasFactor = records.get(secondFactor, id) !== undefined
  const guess = hasFactor ? await beginCode(context, code) : undefined
  const result = await records.commit((unit) => {
    recheck(unit, caller, now())
    // Another one while this was compared.
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
  return fault('password', 'is not the present password')
}

export function wrongCode(): CmsError {
  return fault('code', 'is not a code of now, or was used before')
}

function missingCode(): CmsError {
  return fault('code', 'is required, as the user has a second factor')
}

function fault(field: string, detail: string): CmsError {
  const pointer = `/${field}`
  return new CmsError('invalid-content', `${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}
