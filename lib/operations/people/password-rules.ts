// The password rules, shared by the API and the command line.

import { LIMITS } from '../../config/limits.ts'
import { refuseField } from '../../schema/check.ts'

/** Normalizes to NFC, because keyboards write the same letter differently. */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/** Why a new password is refused, or undefined. */
export function passwordFault(password: string): string | undefined {
  if (Buffer.byteLength(password) > LIMITS.maxPasswordBytes)
    return `may have at most ${LIMITS.maxPasswordBytes} bytes in UTF-8`
  const characters = [...password]
  if (characters.length < LIMITS.minPasswordLength)
    return `must have at least ${LIMITS.minPasswordLength} characters`
  return new Set(characters).size < LIMITS.minPasswordVariety
    ? `must have at least ${LIMITS.minPasswordVariety} different characters`
    : undefined
}

/** Checks a new password. */
export function requirePassword(value: unknown, field: string): string {
  const password = readPassword(value, field)
  const fault = passwordFault(password)
  return fault === undefined ? password : refuseField(field, fault)
}

/** Reads a password that is only compared. */
export function readPassword(value: unknown, field: string): string {
  if (typeof value !== 'string' || !value.isWellFormed()) refuseField(field, 'must be text')
  const password = toPassword(value)
  if (Buffer.byteLength(password) <= LIMITS.maxPasswordBytes) return password
  return refuseField(field, `may have at most ${LIMITS.maxPasswordBytes} bytes in UTF-8`)
}
