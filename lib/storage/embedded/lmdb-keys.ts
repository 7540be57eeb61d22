// An LMDB database as ordered bytes: bytes in and out, so that an aborted commit leaves no state in an encoder.

import { EventEmitter } from 'node:events'
import type { Database, DatabaseOptions } from 'lmdb'
import type { KeyRange, KvReader, KvWriter } from '../records/kv.ts'

/** Bytes as they are. Keys share Node's buffer pool, because lmdb would allocate memory for each key. */
const KEYS = {
  writeKey(key: Buffer, target: Buffer, start: number): number {
    target.set(key, start)
    return start + key.length
  },
  readKey(source: Buffer, start: number, end: number): Buffer {
    const key = Buffer.allocUnsafe(end - start)
    source.copy(key, 0, start, end)
    return key
  },
}

/** keyEncoder is documented but missing in lmdb's types. */
export const DATABASE = { name: 'kv', keyEncoder: KEYS, encoding: 'binary' } as DatabaseOptions & {
  name: string
}

/** The event that lmdb emits before the first read of each snapshot. The database's own `on` fails for it (3.5.6). */
const NEW_SNAPSHOT = 'begin-transaction'

export function onSnapshot(store: object, listener: () => void): void {
  EventEmitter.prototype.on.call(store as EventEmitter, NEW_SNAPSHOT, listener)
}

export type Reading = Omit<KvReader, 'known'>

export const NOTHING: Reading = {
  get: () => undefined,
  peek: () => undefined,
  getAll: (keys) => keys.map(() => undefined),
  keys: () => [],
  pairs: () => [],
  pairsTogether: () => [],
  count: () => 0,
}

export function readerOf(db: Database<Buffer, Buffer>): Reading {
  const begin = openGathering()
  return {
    get: (key) => db.getBinary(key),
    peek: (key, use) => {
      const value = db.getBinaryFast(key)
      return value && use(asBytes(value))
    },
    getAll: buildGetAll(db, begin),
    keys: (range) => db.getKeys(lmdbRange(range)),
    ...buildPairs(db, begin),
    count: (range) => countKeys(db, range),
  }
}

/** lmdb counts all keys regardless of the limit, at 0.2 µs a key, so a limit is checked by a seek to the last key. */
function countKeys(db: Database<Buffer, Buffer>, { limit, ...range }: KeyRange): number {
  if (limit === undefined) return db.getKeysCount(lmdbRange(range))
  const last = { limit: 1, ...range, offset: Math.max(0, limit - 1) }
  const found = db.getKeys(lmdbRange(last))
  return [...found].length > 0 ? limit : db.getKeysCount(lmdbRange(range))
}

export function writerOf(db: Database<Buffer, Buffer>, reader: KvReader): KvWriter {
  return {
    ...reader,
    put: (key, value) => void db.put(key, value),
    remove: (key) => void db.remove(key),
  }
}

// Converts ranges for LMDB, and reads batches of values.

/** LMDB walks backwards from `start` (included) to `end` (excluded); our ranges keep the meaning of both bounds. */
function lmdbRange({ start, end, reverse = false, limit, offset = 0 }: KeyRange) {
  const bounds = reverse
    ? { start: end, end: start, offset, reverse, exclusiveStart: true, inclusiveEnd: true }
    : { start, end, offset }
  return limit === undefined ? bounds : { limit, ...bounds }
}

/** Buffers that lmdb lends define their own length, which Node's functions ignore. */
function asBytes({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}

/** See kv.ts. */
function buildGetAll(db: Database<Buffer, Buffer>, begin: () => Gathering): KvReader['getAll'] {
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

/** A buffer that lmdb overwrites with its next value has this mark. */
type Lent = Buffer & { readonly isGlobal?: true }

/** lmdb calls `decode` with each value of a range. Without a decoder, it would allocate memory for each value. */
function buildPairs(
  db: Database<Buffer, Buffer>,
  begin: () => Gathering,
): Pick<Reading, 'pairs' | 'pairsTogether'> {
  let gathering: Gathering | undefined
  const decode = (value: Lent): Buffer | undefined => {
    if (gathering === undefined)
      return value.isGlobal === true ? Buffer.from(asBytes(value)) : value
    gathering.add(asBytes(value))
    return undefined
  }
  // decoderCopies: `decode` keeps nothing of a lent buffer.
  Object.assign(db, { decoder: { decode }, decoderCopies: true })

  return {
    pairs: (range) => db.getRange(lmdbRange(range)),
    pairsTogether(range, maxBytes) {
      const keys: Buffer[] = []
      const gathered = begin()
      gathering = gathered
      try {
        for (const { key } of db.getRange(lmdbRange(range))) {
          keys.push(key)
          if (gathered.sizeBytes() >= maxBytes) break
        }
      } finally {
        gathering = undefined
      }
      return gathered.end().map((value = NO_BYTES, at) => ({ key: keys[at] ?? NO_BYTES, value }))
    },
  }
}

const NO_BYTES = Buffer.alloc(0)

// Reads many values into one buffer. A separate buffer for each value costs more than finding the value: 2.2 µs instead of
// 1.1 µs, and as much again for the garbage collector, which frees each buffer by itself.

/** Size of the buffer that is kept for the next batch; a larger buffer is not kept. */
const KEPT_BYTES = 64 * 1024

/** Collects values that are read one after the other. */
interface Gathering {
  /** Copies a value; undefined stands for a missing value. */
  add(value: Uint8Array | undefined): void
  sizeBytes(): number
  /** Returns all values in one new buffer of exactly their total size. */
  end(): readonly (Buffer | undefined)[]
}

/** Returns a function that starts a batch. Only one batch may be open, and only within one turn of the event loop. */
function openGathering(): () => Gathering {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES)
  return () => {
    let room: Buffer = kept
    let used = 0
    /** Start and end of each value. */
    const places: (readonly [number, number] | undefined)[] = []
    return {
      add(value) {
        if (value === undefined) return void places.push(undefined)
        const end = used + value.length
        if (end > room.length) room = larger(room, end)
        room.set(value, used)
        places.push([used, end])
        used = end
      },
      sizeBytes: () => used,
      end() {
        const all = Buffer.from(room.subarray(0, used))
        return places.map((place) => place && all.subarray(...place))
      },
    }
  }
}

function larger(room: Buffer, size: number): Buffer {
  const next = Buffer.allocUnsafeSlow(Math.max(size, room.length * 2))
  room.copy(next)
  return next
}
