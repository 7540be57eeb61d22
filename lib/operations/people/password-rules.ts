// What is a password here; for the interface and the command line alike.

import { LIMITS } from '../../limits.ts'
import { refuseField } from '../../schema/check.ts'

/** Of one typed anew; in the form in which passwords are kept. Composed, as two keyboards write the same letter differently. */
export function requirePassword(value: unknown, field: string): string {
  const text = readPassword(value, field)
  if ([...text].length >= LIMITS.minPasswordLength) return text
  return refuseField(field, `must have at least ${LIMITS.minPasswordLength} characters`)
}

/** Of one that may be any, because it is compared. */
export function readPassword(value: unknown, field: string): string {
  if (typeof value !== 'string' || !value.isWellFormed()) refuseField(field, 'must be text')
  const text = value.normalize('NFC')
  if (Buffer.byteLength(text) <= LIMITS.maxPasswordBytes) return text
  return refuseField(field, `may have at most ${LIMITS.maxPasswordBytes} bytes in UTF-8`)
}
