// Checks a text of type stml without saving it, for editors.

import { LIMITS } from '../../config/limits.ts'
import { checkStml, type StmlFault } from '../../schema/stml.ts'
import type { Context } from '../context.ts'
import { requireTextSize } from './page-bytes.ts'

/** Returns the first fault only: later faults mostly follow from it. */
export async function findStmlFaults(
  context: Context,
  text: string,
): Promise<readonly StmlFault[]> {
  const sizeBytes = requireTextSize(context, text)
  // Same limit as for saved texts: below it, the check is faster than the round trip to a thread.
  const isShort = sizeBytes <= LIMITS.carriedBytes
  const fault = isShort ? checkStml(text) : await context.stmlWork.check(text)
  return fault === undefined ? [] : [fault]
}
