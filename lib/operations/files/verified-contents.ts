// Contents, by uid, whose hash was verified recently. Stored bytes never change by themselves, so hashing once a day
// is enough to find disk errors, and downloads in between skip the hash.

import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/cache-bound.ts'

export type Verified = Pick<LRUCache<string, true>, 'has' | 'set'>

/** Contents beyond this number are verified again. */
const MAX_CONTENTS = 50_000

export function openVerified(everyMs: number): Verified {
  return new LRUCache({ ...upTo(MAX_CONTENTS), ttl: everyMs })
}
