// What a full cache takes in. A site with more addresses than fit is asked for most of them once in a while: to keep each
// would put out one that was worth as much, at the price of both. So of what is new a full cache takes one in ONE_IN; what is
// asked for often comes in soon, and what little was lost is made once more.

import type { LRUCache } from 'lru-cache'

const ONE_IN = 8
/** Of its size; a cache whose items differ in size is never filled to the last byte. */
const FULL = 0.9

/** Whether to keep what is made for this name. What was kept before is: it only has to be made anew. */
export function admits<V extends object>(cache: LRUCache<string, V>, name: string): boolean {
  if (cache.calculatedSize < cache.maxSize * FULL || cache.has(name)) return true
  return Math.random() * ONE_IN < 1
}
