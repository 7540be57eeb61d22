// The second factor: users set up, confirm by a first code, replace and remove their own; administrators remove those of
// other users. It protects sign-in with the password; API keys are unaffected.

import { recheck } from '../../auth/caller.ts'
import { globalGrants, missingGrant } from '../../auth/grants.ts'
import { hashRecoveryCode, newRecoveryCode } from '../../auth/recovery-codes.ts'
import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { refuseField } from '../../schema/check.ts'
import { nextSecondFactor, secondFactor } from '../../schema/user.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import {
  beginAttempt,
  commitProven,
  type Proof,
  readCode,
  requireOtherUser,
  requirePerson,
  wrongCode,
} from './reauthentication.ts'
import { endSessions } from './session-records.ts'
import { requireChangeable } from './users.ts'

export interface ShownFactor {
  readonly secret: string
  readonly uri: string
}

/**
 * Not in force until confirmed; an existing factor stays in force until then. A new attempt replaces an unconfirmed
 * one.
 */
export async function beginSecondFactor(
  context: Context,
  { issuer, ...proof }: Proof & { readonly issuer: string },
): Promise<ShownFactor> {
  const { user_id: id, name } = context.caller.user
  const { newTimeSecret, timeCodeUri } = await import('../../auth/time-codes.ts')
  const secret = newTimeSecret()
  await commitProven(context, proof, (unit, now) => {
    const date_ends = new Date(now.getTime() + LIMITS.nextSecondFactorMs).toISOString()
    unit.put(nextSecondFactor, [id], { secret, date_ends })
  })
  return { secret, uri: timeCodeUri({ secret, issuer, name }) }
}

/** Ends the other sessions, which signed in with the password alone. */
export async function confirmSecondFactor(
  context: Context,
  sent: { readonly code: unknown },
): Promise<readonly string[]> {
  const { records, caller, now } = context
  const { user_id: id } = caller.user
  requirePerson(
    context,
    'Only a signed-in user can manage a second factor, not a key. Sign in first.',
  )
  const code = readCode(sent.code) ?? refuseField('code', 'is required')
  const { findStep } = await import('../../auth/time-codes.ts')
  const codes = newCodes()
  const attempt = await beginAttempt(context)
  await records.commit((unit) => {
    const { key } = recheck(unit, caller, now())
    const next = unit.get(nextSecondFactor, id)?.value
    if (next === undefined || next.date_ends <= now().toISOString()) throw nothingToConfirm()
    const { secret } = next
    const step = findStep({ secret, code, now: now() })
    if (step === undefined) throw wrongCode()
    endSessions(unit, id, key.api_key_id)
    unit.remove(nextSecondFactor, id)
    const recovery_codes = hashesOf(codes)
    unit.put(secondFactor, [id], { secret, last_step: step, recovery_codes })
  })
  attempt.succeed()
  return codes
}

/** Replaces all recovery codes. */
export async function renewRecoveryCodes(
  context: Context,
  proof: Proof,
): Promise<readonly string[]> {
  const { user_id: id } = context.caller.user
  const codes = newCodes()
  await commitProven(context, proof, (unit) => {
    const factor = unit.get(secondFactor, id)?.value
    if (factor === undefined) throw noSecondFactor()
    unit.put(secondFactor, [id], { ...factor, recovery_codes: hashesOf(codes) })
  })
  return codes
}

export async function removeOwnSecondFactor(context: Context, proof: Proof): Promise<void> {
  await commitProven(context, proof, (unit) =>
    removeSecondFactor(unit, context.caller.user.user_id),
  )
}

/** For users who lost both the factor and the recovery codes. */
export async function removeSecondFactorOf(context: Context, id: number): Promise<void> {
  const { records, caller, now } = context
  await records.commit((unit) => {
    const current = recheck(unit, caller, now())
    if (!globalGrants(current).has('admin')) throw missingGrant('admin', 'for users')
    requireChangeable(unit, current, id)
    requireOtherUser(current, id, '/api/v2/me/second_factor/remove')
    removeSecondFactor(unit, id)
  })
}

/** Removes the active factor last, because the audit row describes the last change. */
export function removeSecondFactor(unit: Unit, userId: number): void {
  unit.remove(nextSecondFactor, userId)
  unit.remove(secondFactor, userId)
}

function newCodes(): readonly string[] {
  return Array.from({ length: LIMITS.recoveryCodes }, newRecoveryCode)
}

function hashesOf(codes: readonly string[]): readonly string[] {
  return codes.map((code) => hashRecoveryCode(code) ?? '')
}

function noSecondFactor(): CmsError {
  const detail = 'The user has no second factor. Begin with POST /api/v2/me/second_factor.'
  return new CmsError('not-found', detail)
}

function nothingToConfirm(): CmsError {
  const detail =
    'There is no second factor to confirm, or it has expired. Begin with POST /api/v2/me/second_factor.'
  return new CmsError('not-found', detail)
}
