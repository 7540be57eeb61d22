// What the operating system says of a file, as what a client can do about it: the same whichever thread was told.

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

/** Undefined where a client can do nothing about it. */
export function findFileFault(errno: string | undefined): FileFault | undefined {
  return FAULTS.get(errno)
}
