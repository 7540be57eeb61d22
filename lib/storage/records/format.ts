// What records are in the ordered store:
//
//   ['r', type, ...ids]                      → 4 bytes CRC-32 of the rest, 6 bytes revision, JSON in UTF-8
//   ['i', type, index, ...values, ...ids]    → nothing: a row of an index
//   ['n', type]                              → 6 bytes: number of records
//   ['c', type]                              → 6 bytes: highest identifier ever committed, where it is one number
//   ['b', file, uid]                         → small contents on their way to a file (carried.ts)
//   ['s']                                    → 6 bytes: number of the newest commit of records (shown.ts)
//   ['s', slot]                              → 6 bytes: number of a commit, then what it changed (told.ts)
//
// Numbers are unsigned and big endian. Rows and counters follow from the records alone, but for the
// highest identifier, which outlives the record that had it.

import { crc32 } from 'node:zlib'
import { CmsError } from '../../errors.ts'
import { decodeKey, encodeAfter, encodeKey, prefixRange, type Range } from './keys.ts'
import type { KvReader } from './kv.ts'
import type { Id, Index, JsonObject, KeyPart, RecordType, Stored } from '../../schema/values.ts'

const CRC_BYTES = 4
const REVISION_BYTES = 6
const HEAD_BYTES = CRC_BYTES + REVISION_BYTES
export const COUNTER_BYTES = 6

/** What the keys of a type have in common. */
interface TypeKeys {
  readonly record: Buffer
  /** Of the rows of each index. */
  readonly rows: readonly Buffer[]
  readonly count: Buffer
  readonly highestId: Buffer
}

/** A type is the same value for as long as its records are used. */
const TYPE_KEYS = new WeakMap<RecordType, TypeKeys>()

function keysOf(type: RecordType): TypeKeys {
  const known = TYPE_KEYS.get(type)
  if (known !== undefined) return known
  const { name } = type
  const keys = {
    record: encodeKey(['r', name]),
    rows: type.indexes.map((index) => encodeKey(['i', name, index.name])),
    count: encodeKey(['n', name]),
    highestId: encodeKey(['c', name]),
  }
  TYPE_KEYS.set(type, keys)
  return keys
}

export function recordKey(type: RecordType, ids: readonly Id[]): Buffer {
  return encodeAfter(keysOf(type).record, ids)
}

/** The keys of all records of a type that begin with these identifiers. */
export function recordRange(type: RecordType, ids: readonly Id[] = []): Range {
  return prefixRange(['r', type.name, ...ids])
}

/** The keys of all index rows of a type. */
export function indexRange(type: RecordType): Range {
  return prefixRange(['i', type.name])
}

/** The identifiers in the key of a record. */
export function recordIds(key: Buffer): readonly Id[] {
  return decodeKey(key).slice(2) as Id[]
}

/** The index rows that a record must have, each once. */
export function indexKeys(type: RecordType, ids: readonly Id[], record: object): Buffer[] {
  return type.indexes.flatMap((index, at) => rowKeys(type, at, ids, rowsIn(index, record)))
}

/** The values of the rows of one index. */
export function rowsIn({ rows }: Index, record: object): ReturnType<Index['rows']> {
  return rows(record as JsonObject)
}

/** The rows of the index with this number, each once. */
export function rowKeys(
  type: RecordType,
  at: number,
  ids: readonly Id[],
  rows: readonly (readonly KeyPart[])[],
): Buffer[] {
  const prefix = keysOf(type).rows[at] ?? NO_ROWS
  const keys = rows.map((values) => encodeAfter(prefix, [...values, ...ids]))
  return keys.length < 2 ? keys : [...new Map(keys.map((key) => [keyText(key), key])).values()]
}

const NO_ROWS = Buffer.alloc(0)

/** A key as text, for sets: equal when the bytes are. */
export function keyText(key: Buffer): string {
  return key.toString('latin1')
}

/** What is to be written for a record, and the record as it will be read. */
export function encodeRecord<T extends object>(
  record: T,
  revision: number,
): { readonly value: Buffer; readonly stored: Stored<T> } {
  const text = JSON.stringify(record)
  const value = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(text))
  value.writeUIntBE(revision, CRC_BYTES, REVISION_BYTES)
  value.write(text, HEAD_BYTES)
  value.writeUInt32BE(crc32(value.subarray(CRC_BYTES)), 0)
  const bytes = value.subarray(HEAD_BYTES)
  return { value, stored: new StoredBytes({ bytes, revision, text, value: record }) }
}

/** Throws record-damaged when the checksum is wrong. T is what was put under the key of these bytes. */
export function decodeRecord<T extends object = JsonObject>(value: Buffer): Stored<T> {
  if (value.length < HEAD_BYTES || value.readUInt32BE(0) !== crc32(value.subarray(CRC_BYTES))) {
    throw new CmsError(
      'record-damaged',
      'A stored record does not have the bytes that were written.',
    )
  }
  const revision = value.readUIntBE(CRC_BYTES, REVISION_BYTES)
  return new StoredBytes({ bytes: value.subarray(HEAD_BYTES), revision })
}

type Known<T extends object> = Pick<Stored<T>, 'bytes' | 'revision'> & Partial<Stored<T>>

class StoredBytes<T extends object> implements Stored<T> {
  readonly bytes: Buffer
  readonly revision: number
  #text: string | undefined
  #value: T | undefined

  constructor({ bytes, revision, text, value }: Known<T>) {
    this.bytes = bytes
    this.revision = revision
    this.#text = text
    this.#value = value
  }

  get text(): string {
    this.#text ??= this.bytes.toString()
    return this.#text
  }

  get value(): T {
    this.#value ??= JSON.parse(this.text) as T
    return this.#value
  }
}

/** The record in the present form of its type. */
export function parseRecord<T extends object>(type: RecordType<T>, { value }: Stored<T>): T {
  return type.upgrade === undefined ? value : type.upgrade(value as JsonObject)
}

export function findRecord<T extends object = JsonObject>(
  kv: KvReader,
  key: Buffer,
): Stored<T> | undefined {
  const value = kv.get(key)
  return value === undefined ? undefined : decodeRecord(value)
}

/** Key of the number of records. */
export function countKey(type: RecordType): Buffer {
  return keysOf(type).count
}

const LAST_COMMIT = encodeKey(['s'])

/** Key of the number of the newest commit. */
export function lastCommitKey(): Buffer {
  return LAST_COMMIT
}

/** Key of what the commit of this number changed, until so many later ones as there are slots. */
export function changedKey(number: number): Buffer {
  return encodeKey(['s', number % CHANGED_SLOTS])
}

export const CHANGED_SLOTS = 1_024

/** Key of the highest identifier ever committed. */
export function highestIdKey(type: RecordType): Buffer {
  return keysOf(type).highestId
}

export function readCounter(kv: KvReader, key: Buffer): number {
  return kv.get(key)?.readUIntBE(0, COUNTER_BYTES) ?? 0
}

/** `others`: bytes behind it, which are the caller's to fill. */
export function encodeCounter(value: number, others = 0): Buffer {
  const bytes = Buffer.alloc(COUNTER_BYTES + others)
  bytes.writeUIntBE(value, 0, COUNTER_BYTES)
  return bytes
}
