// How much a run of the rigs does, and which part of it.

import { SEED } from '../helpers/seed.ts'
import { openRandom } from './random.ts'

/** All of it; without, a part that hangs on the seed. */
export const IS_FULL = process.env['CMS_RIG'] === 'full'

const random = openRandom(SEED)

/** So many of the items, in their order. */
export function sample<T>(items: readonly T[], count: number): readonly T[] {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, items.length)) chosen.add(random.below(items.length))
  return items.filter((_, index) => chosen.has(index))
}
