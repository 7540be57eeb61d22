// The bound of a cache that counts its entries.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LRUCache } from 'lru-cache'
import { upTo } from '../lib/base/cache-bound.ts'

test('a full cache evicts the entry that was not used for the longest time', () => {
  const known = new LRUCache<string, true>(upTo(3))
  for (const name of ['first', 'second', 'third']) known.set(name, true)
  known.get('first')
  known.set('fourth', true)
  assert.deepEqual([...known.keys()].toSorted(), ['first', 'fourth', 'third'])
})
