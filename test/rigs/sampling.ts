// The amount of work of a run of the rigs, and the choice of its parts.

import { SEED } from '../helpers/seed.ts'
import { openRandom } from './random.ts'

/** Runs everything; otherwise the seed selects a part. */
export const IS_FULL = process.env['CMS_RIG'] === 'full'

const random = openRandom(SEED)

/** Returns a sample of the items in their order. */
export function sample<T>(items: readonly T[], count: number): readonly T[] {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, items.length)) chosen.add(random.below(items.length))
  return items.filter((_, index) => chosen.has(index))
}
