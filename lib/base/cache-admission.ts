// Admission policy for full caches. If a site has more addresses than fit, most of them are requested only
// rarely. Storing every new item would evict an equally useful item, at the cost of both. A full cache
// therefore admits one new item in ONE_IN: items in demand are admitted soon, and an item that is not admitted
// costs one recomputation.

import type { LRUCache } from 'lru-cache'

const ONE_IN = 8
/** Share of the maximum size. A cache whose items differ in size never fills to the last byte. */
const FULL = 0.9

/**
 * Whether to store the item that was computed for this name. A name that is already stored is always admitted.
 */
export function admits<V extends object>(cache: LRUCache<string, V>, name: string): boolean {
  if (cache.calculatedSize < cache.maxSize * FULL || cache.has(name)) return true
  return Math.random() * ONE_IN < 1
}
