// A storage engine without a disk: a sorted array of keys and values. A commit modifies the array directly
// and keeps an undo log for rollback.

import { setImmediate } from 'node:timers/promises'
import { openKnown } from '../../lib/storage/records/known-keys.ts'
import type { KeyRange, Kv, KvReader, KvWriter, Pair } from '../../lib/storage/records/kv.ts'

export function openMemoryKv(): Kv {
  const pairs: Pair[] = []
  const known = openKnown()
  const reader = { ...buildReader(pairs), known }
  const listeners: (() => void)[] = []

  return {
    ...reader,
    renew: () => undefined,
    onNewer: (listener) => void listeners.push(listener),
    commit: async (plan) => {
      const undo: (() => void)[] = []
      const learning = known.begin()
      try {
        const writer = { ...buildWriter(pairs, reader, undo), known: learning }
        const outcome = learning.run(() => plan(writer))
        learning.confirm()
        for (const listener of listeners) listener()
        return outcome
      } catch (error) {
        for (const step of undo.toReversed()) step()
        throw error
      } finally {
        await setImmediate()
      }
    },
    close: async () => {},
  }
}

function buildReader(pairs: readonly Pair[]): Omit<KvReader, 'known'> {
  const get = (key: Buffer): Buffer | undefined => {
    const pair = pairs[findPlace(pairs, key)]
    return pair?.key.equals(key) ? Buffer.from(pair.value) : undefined
  }
  return {
    get,
    getAll: (keys) => keys.map(get),
    peek: (key, use) => {
      const pair = pairs[findPlace(pairs, key)]
      return pair?.key.equals(key) ? use(pair.value) : undefined
    },
    keys: (range) => readPairs(pairs, range).map((pair) => Buffer.from(pair.key)),
    pairs: (range) => copies(readPairs(pairs, range)),
    pairsTogether: (range) => copies(readPairs(pairs, range)),
    count: (range) => readPairs(pairs, range).length,
  }
}

function copies(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) }))
}

function buildWriter(pairs: Pair[], reader: KvReader, undo: (() => void)[]): KvWriter {
  function replace(key: Buffer, after: readonly Pair[]): void {
    const place = findPlace(pairs, key)
    const isThere = pairs[place]?.key.equals(key) === true
    const before = pairs.splice(place, isThere ? 1 : 0, ...after)
    undo.push(() => pairs.splice(place, after.length, ...before))
  }

  return {
    ...reader,
    put: (key, value) => replace(key, [{ key: Buffer.from(key), value: Buffer.from(value) }]),
    remove: (key) => replace(key, []),
  }
}

function readPairs(
  pairs: readonly Pair[],
  { start, end, reverse, limit, offset = 0 }: KeyRange,
): readonly Pair[] {
  const low = findPlace(pairs, start)
  const high = Math.max(low, findPlace(pairs, end))
  const from = reverse === true ? low : Math.min(low + offset, high)
  const to = reverse === true ? Math.max(high - offset, low) : high
  const count = Math.min(to - from, limit ?? Number.POSITIVE_INFINITY)
  return reverse === true
    ? pairs.slice(to - count, to).toReversed()
    : pairs.slice(from, from + count)
}

/** Index of the first pair whose key is not below this key. */
function findPlace(pairs: readonly Pair[], key: Buffer): number {
  let low = 0
  let high = pairs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const pair = pairs[middle]
    if (pair !== undefined && Buffer.compare(pair.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}
