// An LMDB database as ordered bytes: bytes in and out, so that no encoder has state that an abort leaves behind.

import { EventEmitter } from 'node:events'
import type { Database, DatabaseOptions } from 'lmdb'
import type { KeyRange, KvReader, KvWriter } from '../records/kv.ts'
import { asBytes, lmdbRange, openGetAll } from './lmdb-ranges.ts'

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
  count: () => 0,
}

export function readerOf(db: Database<Buffer, Buffer>): Reading {
  return {
    get: (key) => db.getBinary(key),
    peek: (key, use) => {
      const value = db.getBinaryFast(key)
      return value && use(asBytes(value))
    },
    getAll: openGetAll(db),
    keys: (range) => db.getKeys(lmdbRange(range)),
    pairs: (range) => db.getRange(lmdbRange(range)),
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
