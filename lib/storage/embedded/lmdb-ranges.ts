// Converts ranges for LMDB, and reads batches of values.

import type { Database } from 'lmdb'
import type { KeyRange, KvReader } from '../records/kv.ts'
import { openGathering } from './batched-reads.ts'

/** LMDB walks backwards from `start` (included) to `end` (excluded); our ranges keep the meaning of both bounds. */
export function lmdbRange({ start, end, reverse = false, limit, offset = 0 }: KeyRange) {
  const bounds = reverse
    ? { start: end, end: start, offset, reverse, exclusiveStart: true, inclusiveEnd: true }
    : { start, end, offset }
  return limit === undefined ? bounds : { limit, ...bounds }
}

/** Buffers that lmdb lends define their own length, which Node's functions ignore. */
export function asBytes({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}

/** See kv.ts. */
export function openGetAll(db: Database<Buffer, Buffer>): KvReader['getAll'] {
  const begin = openGathering()
  return (keys, maxBytes) => {
    const gathering = begin()
    for (const key of keys) {
      const value = db.getBinaryFast(key)
      gathering.add(value && asBytes(value))
      if (gathering.sizeBytes() >= maxBytes) break
    }
    return gathering.end()
  }
}
