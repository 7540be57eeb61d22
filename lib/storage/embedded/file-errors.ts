// What the operating system says of a file, as an error that tells the client what to do.

import { CmsError } from '../../errors.ts'

export function toCmsError(error: unknown): never {
  if (error instanceof CmsError) throw error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    throw new CmsError('disk-full', 'There is no room for new content. Nothing was changed.', {
      cause: error,
    })
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    throw new CmsError('unavailable', 'Too many files are open. Try again.', { cause: error })
  }
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
