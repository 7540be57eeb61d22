// What is a password here; for the interface and the command line alike.

import { LIMITS } from '../../config/limits.ts'
import { refuseField } from '../../schema/check.ts'

/** In the form in which passwords are kept: composed, as two keyboards write the same letter differently. */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/** Why it is none that may be set, or undefined. */
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

/** Of one that is set. */
export function requirePassword(value: unknown, field: string): string {
  const password = readPassword(value, field)
  const fault = passwordFault(password)
  return fault === undefined ? password : refuseField(field, fault)
}

/** Of one that may be any, because it is compared. */
export function readPassword(value: unknown, field: string): string {
  if (typeof value !== 'string' || !value.isWellFormed()) refuseField(field, 'must be text')
  const password = toPassword(value)
  if (Buffer.byteLength(password) <= LIMITS.maxPasswordBytes) return password
  return refuseField(field, `may have at most ${LIMITS.maxPasswordBytes} bytes in UTF-8`)
}
