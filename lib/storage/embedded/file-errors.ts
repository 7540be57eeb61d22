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
