// The check of a text of type stml, and nothing else: for an editor that shows what a save would refuse.

import { LIMITS } from '../../config/limits.ts'
import { checkStml, type StmlFault } from '../../schema/stml.ts'
import type { Context } from '../context.ts'
import { requireTextSize } from './page-bytes.ts'

/** The first fault, or none: what comes after a fault mostly follows from it. */
export async function findStmlFaults(
  context: Context,
  text: string,
): Promise<readonly StmlFault[]> {
  const sizeBytes = requireTextSize(context, text)
  // As the text of a save: up to there it takes less than the way to a thread and back.
  const isShort = sizeBytes <= LIMITS.carriedBytes
  const fault = isShort ? checkStml(text) : await context.stmlWork.check(text)
  return fault === undefined ? [] : [fault]
}
