// Faults after which the same change may succeed later: a full disk, a database that does not answer.

import { CmsError, type ErrorCode } from '../base/errors.ts'

const PASSING: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'outcome-unknown',
  'disk-full',
  'read-only',
])

/** True if a later attempt may succeed. */
export function mayPass(error: unknown): boolean {
  return error instanceof CmsError && PASSING.has(error.code)
}
