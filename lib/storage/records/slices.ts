// Reads long ranges in chunks (time-slicing.ts). No iterator of the engine is held where the work may yield; reading
// resumes from the last key.

import { BYTES_PER_SLICE } from '../../schema/time-slicing.ts'
import type { KeyRange, KvReader, Pair } from './kv.ts'

const MAX_CHUNK = 512
/** Smaller than MAX_CHUNK, because values are copied and may be large. */
const MAX_PAIRS = 64

/** A range whose reader decides how much is read at a time. */
export type WholeRange = KeyRange & { readonly limit?: never; readonly offset?: never }

/**
 * The keys of a range in chunks of at most 512. Each chunk is read from the newest state, so the consumer may wait between
 * chunks. The first chunk has `firstSize` keys; later chunks are larger.
 */
export function keyChunks(
  kv: KvReader,
  range: WholeRange,
  firstSize = MAX_CHUNK,
): Generator<readonly Buffer[], void> {
  const sizes = { firstSize, maxSize: MAX_CHUNK }
  return chunks(range, { read: kv.keys, keyOf: (key) => key, bytesOf: () => 0, ...sizes })
}

/** Keys with their values in chunks of at most 64, fewer if the values are large. */
export function pairChunks(
  kv: KvReader,
  range: WholeRange,
  firstSize = MAX_PAIRS,
): Generator<readonly Pair[], void> {
  const read = (part: KeyRange): readonly Pair[] => kv.pairsTogether(part, BYTES_PER_SLICE)
  const bytesOf = ({ value }: Pair): number => value.length
  const sizes = { firstSize, maxSize: MAX_PAIRS }
  return chunks(range, { read, keyOf: ({ key }) => key, bytesOf, ...sizes })
}

interface Chunking<T> {
  readonly read: (range: KeyRange) => Iterable<T>
  readonly keyOf: (item: T) => Buffer
  readonly bytesOf: (item: T) => number
  readonly firstSize: number
  readonly maxSize: number
}

function* chunks<T>(
  range: WholeRange,
  { read, keyOf, bytesOf, firstSize, maxSize }: Chunking<T>,
): Generator<readonly T[], void> {
  let rest = range
  let limit = Math.min(firstSize, maxSize)
  while (!isEmpty(rest)) {
    const chunk: T[] = []
    let sizeBytes = 0
    for (const item of read({ limit, ...rest })) {
      chunk.push(item)
      sizeBytes += bytesOf(item)
      if (sizeBytes >= BYTES_PER_SLICE) break
    }
    if (chunk.length > 0) yield chunk

    const last = chunk.at(-1)
    const isEnd = chunk.length < limit && sizeBytes < BYTES_PER_SLICE
    if (last === undefined || isEnd) return
    rest = behind(rest, keyOf(last))
    limit = Math.min(limit * 2, maxSize)
  }
}

/** Skipped keys. */
export interface Passed {
  readonly passed: number
  /** The last skipped key; undefined if there was none. */
  readonly last: Buffer | undefined
}

/** Skipping this many keys costs the engine as much as reading a few. */
const MAX_PASSED = 8_192

/**
 * Skips this many keys of a range, or all of them, and reads only the last one. Works in parts between which the consumer
 * may wait. Returns the rest of the range.
 */
export function* passOver(
  kv: KvReader,
  range: WholeRange,
  count: number,
): Generator<Passed, WholeRange> {
  let rest = range
  let left = count
  while (left > 0 && !isEmpty(rest)) {
    const step = Math.min(left, MAX_PASSED)
    const [last] = kv.keys({ limit: 1, offset: step - 1, ...rest })
    const passed = last === undefined ? kv.count(rest) : step
    yield { passed, last }
    if (last === undefined) return { ...rest, end: rest.start }
    rest = behind(rest, last)
    left -= passed
  }
  return rest
}

/** The rest of a range after this key. */
function behind(range: WholeRange, key: Buffer): WholeRange {
  return range.reverse === true ? { ...range, end: key } : { ...range, start: successor(key) }
}

export function isEmpty(range: KeyRange): boolean {
  return Buffer.compare(range.start, range.end) >= 0
}

/** The smallest key greater than this one. */
export function successor(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)])
}
