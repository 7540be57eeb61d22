// Maps errors of the file system to the problems that clients see, the same for every thread.

import type { ErrorCode } from '../base/errors.ts'

interface FileFault {
  readonly code: ErrorCode
  readonly detail: string
}

const NO_ROOM: FileFault = {
  code: 'disk-full',
  detail: 'There is no room for new content. Nothing was changed.',
}
const TOO_MANY_FILES: FileFault = {
  code: 'unavailable',
  detail: 'Too many files are open. Try again.',
}

const FAULTS: ReadonlyMap<string | undefined, FileFault> = new Map([
  ['ENOSPC', NO_ROOM],
  ['EDQUOT', NO_ROOM],
  ['EFBIG', NO_ROOM],
  ['EMFILE', TOO_MANY_FILES],
  ['ENFILE', TOO_MANY_FILES],
])

/** Returns undefined if a client can do nothing about the error. */
export function findFileFault(errno: string | undefined): FileFault | undefined {
  return FAULTS.get(errno)
}
