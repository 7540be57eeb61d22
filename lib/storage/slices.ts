// Long reading without stopping the server: the work is a generator that yields wherever it could
// stop, and holds no iterator of the engine there; it goes on from the last key it saw.

import { setImmediate } from 'node:timers/promises'
import type { KeyRange, KvReader, Pair } from './kv.ts'

const SLICE_MS = 10
const MAX_CHUNK = 512
/** Values are copied, and may be large. */
const MAX_PAIRS = 64

/** Runs the work to its end, about 10 ms at a stretch; other requests are served in between. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() < sliceEnd) continue

    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
}

/**
 * The keys of a range, in chunks of at most 512. Each chunk is read from the newest state, so the
 * consumer may wait between two of them. The first has `firstSize` keys, the following are larger.
 */
export function keyChunks(
  kv: KvReader,
  range: KeyRange,
  firstSize = MAX_CHUNK,
): Generator<readonly Buffer[], void> {
  return chunks(range, { read: kv.keys, keyOf: (key) => key, firstSize, maxSize: MAX_CHUNK })
}

/** Likewise keys with their values, at most 64 at a time. */
export function pairChunks(
  kv: KvReader,
  range: KeyRange,
  firstSize = MAX_PAIRS,
): Generator<readonly Pair[], void> {
  return chunks(range, { read: kv.pairs, keyOf: ({ key }) => key, firstSize, maxSize: MAX_PAIRS })
}

interface Chunking<T> {
  readonly read: (range: KeyRange) => Iterable<T>
  readonly keyOf: (item: T) => Buffer
  readonly firstSize: number
  readonly maxSize: number
}

function* chunks<T>(
  range: KeyRange,
  { read, keyOf, firstSize, maxSize }: Chunking<T>,
): Generator<readonly T[], void> {
  let rest = range
  let limit = Math.min(firstSize, maxSize)
  while (!isEmpty(rest)) {
    const chunk = [...read({ ...rest, limit })]
    if (chunk.length > 0) yield chunk

    const last = chunk.at(-1)
    if (last === undefined || chunk.length < limit) return
    const key = keyOf(last)
    rest = range.reverse === true ? { ...rest, end: key } : { ...rest, start: successor(key) }
    limit = Math.min(limit * 2, maxSize)
  }
}

export function isEmpty(range: KeyRange): boolean {
  return Buffer.compare(range.start, range.end) >= 0
}

/** The smallest key above this one. */
export function successor(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)])
}
