// What one request may write into entries: a commit encodes all of it, while others wait.

import { CmsError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** Throws too-large when the entries of one request, as they are stored, have more bytes than they may. */
export function requireSize({ limits }: Context, sizeBytes: number, isList: boolean): void {
  if (sizeBytes <= limits.entryBytes) return
  const what = isList ? 'The entries of a list have' : 'An entry has'
  const way = isList ? 'Send several lists.' : 'Keep larger content in a file: POST /upload.'
  throw new CmsError(
    'too-large',
    `${what} at most ${limits.entryBytes} bytes as JSON, what is stored and defaults included. ${way}`,
  )
}
