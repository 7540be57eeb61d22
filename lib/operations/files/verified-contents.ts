// Contents that were compared with their hash lately, by uid: what has not changed in a day need not be hashed at each
// download. The bytes of a version never change by themselves; what a disk does to them is found once a day.

import { LRUCache } from 'lru-cache'

export type Verified = Pick<LRUCache<string, true>, 'has' | 'set'>

/** The others are compared again. */
const MAX_CONTENTS = 50_000

export function openVerified(everyMs: number): Verified {
  return new LRUCache({ max: MAX_CONTENTS, ttl: everyMs })
}
