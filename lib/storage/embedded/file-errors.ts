// Translates errors of the file system into errors that tell the client what to do.

import { CmsError } from '../../base/errors.ts'
import { findFileFault } from '../../workers/files.ts'

export function toCmsError(error: unknown): never {
  if (error instanceof CmsError) throw error
  const fault = findFileFault((error as NodeJS.ErrnoException).code)
  if (fault !== undefined) throw new CmsError(fault.code, fault.detail, { cause: error })
  throw error
}

/** The site was opened read-only. */
export function openedToRead(): CmsError {
  const detail =
    'The site is open read-only (--read-only, or a read-only file system). Nothing was changed. Reads still work. To allow changes, start the server without --read-only on a writable file system.'
  return new CmsError('read-only', detail)
}

/** Changes are refused until the next start; reads continue. */
export function readOnlyDisk(cause: unknown): CmsError {
  const detail =
    'A disk of the server failed to write, so changes are rejected. Nothing was changed. Reads still work. Ask the operator to check the disk and restart the server.'
  return new CmsError('read-only', detail, { cause, headers: { 'retry-after': '60' } })
}
