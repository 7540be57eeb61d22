// What the operating system says of a file, as an error that tells the client what to do.

import { CmsError } from '../../base/errors.ts'
import { findFileFault } from '../../workers/file-faults.ts'

export function toCmsError(error: unknown): never {
  if (error instanceof CmsError) throw error
  const fault = findFileFault((error as NodeJS.ErrnoException).code)
  if (fault !== undefined) throw new CmsError(fault.code, fault.detail, { cause: error })
  throw error
}

/** The site was opened for reading alone. */
export function openedToRead(): CmsError {
  const detail =
    'The site is open for reading alone (--read-only, or a read-only file system), so no change is taken. Nothing was changed; reads go on. Changes need a server that is started without --read-only.'
  return new CmsError('read-only', detail)
}

/** No change is taken until the next start; reads go on. */
export function readOnlyDisk(cause: unknown): CmsError {
  const detail =
    'A disk of the server has failed to write, so no change is taken. Nothing was changed; reads go on. The operator has to look at the disk, and start the server again.'
  return new CmsError('read-only', detail, { cause, headers: { 'retry-after': '60' } })
}
