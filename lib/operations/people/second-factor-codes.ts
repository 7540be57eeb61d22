// Codes of a second factor: each can be used once. The use is recorded in the commit that the code authorizes.

import { hashRecoveryCode } from '../../auth/recovery-codes.ts'
import type { TimeCode } from '../../auth/time-codes.ts'
import { refuseField } from '../../schema/check.ts'
import { type SecondFactor, secondFactor } from '../../schema/user.ts'
import type { Unit } from '../../storage/port.ts'

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

export interface Sent {
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
