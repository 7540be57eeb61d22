// Layout of records in the ordered store. A key is one byte for its kind, the number of the type and, in an index row, the
// number of the index (type-numbers.ts), followed by parts whose bytes sort like their values (keys.ts):
//
//   "r" type, ids                  → a record (record-bytes.ts); "z" if nearly every commit adds a record of the type
//   "i" type, index, values, ids   → empty: an index row
//   "n" type                       → 6 bytes: number of records
//   "c" type                       → 6 bytes: highest identifier ever committed, if identifiers are one number
//   "d", "d" name                  → the numbers of types and indexes (type-numbers.ts)
//   "b" file, uid                  → small contents that are not flushed to a file yet (inline-contents.ts)
//   "s"                            → 6 bytes: number of the newest commit of records (commit-visibility.ts)
//   "s" slot                       → 6 bytes: number of a commit, then what it changed (commit-visibility.ts)
//   "m" name                       → internal notes of an engine
//
// Rows and counters are derived only from the records, except for the highest identifier, which outlives its record.

import { decodeLent, decodeRecord } from './record-bytes.ts'
import { decodeKey, encodeAfter, prefixRange, type Range, rangeOf } from './keys.ts'
import { readUnsigned } from './key-numbers.ts'
import type { KvReader, KvWriter } from './kv.ts'
import { isUnnumbered, KIND, keysOf, requireKeys, rowsOf } from './type-numbers.ts'
import type { Id, Index, JsonObject, KeyPart, RecordType, Stored } from '../../schema/values.ts'

export function recordKey(kv: KvReader, type: RecordType, ids: readonly Id[]): Buffer {
  return encodeAfter(keysOf(kv, type.name).record, ids)
}

/** The keys of all records of a type whose identifiers begin with these. */
export function recordRange(kv: KvReader, type: RecordType, ids: readonly Id[] = []): Range {
  return prefixRange(keysOf(kv, type.name).record, ids)
}

/** Common prefix of the keys of all records of a type. */
export function recordBase(kv: KvReader, { name }: RecordType): Buffer {
  return keysOf(kv, name).record
}

/** The keys of all index rows of a type. */
export function indexRange(kv: KvReader, { name }: RecordType): Range {
  return rangeOf(keysOf(kv, name).rows)
}

/** The rows of one index, or only the rows that begin with these values. */
export function rowRange(
  kv: KvReader,
  { name }: Pick<RecordType, 'name'>,
  { index, values = [] }: { readonly index: string; readonly values?: readonly KeyPart[] },
): Range {
  return prefixRange(rowsOf(kv, name, index), values)
}

/** Common prefix of the keys of all rows of an index. */
export function rowBase(kv: KvReader, { name }: RecordType, index: string): Buffer {
  return rowsOf(kv, name, index)
}

/** The identifiers in the key of a record. */
export function recordIds(key: Buffer): readonly Id[] {
  return decodeKey(key.subarray(typeOf(key).next)) as Id[]
}

/** The values in the key of a row, followed by the identifiers. */
export function rowParts(key: Buffer): readonly KeyPart[] {
  return decodeKey(key.subarray(indexOf(key).next))
}

/** The number of the type in the key of a record or a row, and the offset after it. */
export function typeOf(key: Buffer): { readonly value: number; readonly next: number } {
  return readUnsigned(key, KIND.record.length)
}

/** The number of the index in the key of a row, and the offset after it. */
export function indexOf(key: Buffer): { readonly value: number; readonly next: number } {
  return readUnsigned(key, typeOf(key).next)
}

/** The keys of all records. */
export const RECORDS: readonly Range[] = [rangeOf(KIND.record), rangeOf(KIND.lastRecord)]

/** A record from which index rows are derived. */
interface Found {
  readonly ids: readonly Id[]
  readonly record: object
}

/** The index rows that a record must have, without duplicates. A single undefined stands for the rows of an index without any rows. */
export function indexKeys(
  kv: KvReader,
  type: RecordType,
  { ids, record }: Found,
): (Buffer | undefined)[] {
  return type.indexes.flatMap((index): (Buffer | undefined)[] => {
    const base = rowsOf(kv, type.name, index.name)
    const keys = rowKeys(base, ids, rowsIn(index, record))
    return isUnnumbered(base) ? keys.map(() => undefined) : keys
  })
}

/** Like `indexKeys`, for writing: assigns missing numbers. */
export function requireIndexKeys(
  writer: KvWriter,
  type: RecordType,
  { ids, record }: Found,
): Buffer[] {
  const { indexes } = requireKeys(writer, type)
  return type.indexes.flatMap((index) =>
    rowKeys(indexes.get(index.name) ?? NO_ROWS, ids, rowsIn(index, record)),
  )
}

/** The values of the rows of one index. */
export function rowsIn({ rows }: Index, record: object): ReturnType<Index['rows']> {
  return rows(record as JsonObject)
}

/** The rows of an index with this key prefix, without duplicates. */
export function rowKeys(
  base: Buffer,
  ids: readonly Id[],
  rows: readonly (readonly KeyPart[])[],
): Buffer[] {
  const keys = rows.map((values) => encodeAfter(base, [...values, ...ids]))
  return keys.length < 2 ? keys : [...new Map(keys.map((key) => [keyText(key), key])).values()]
}

const NO_ROWS = Buffer.alloc(0)

/** A key as text for sets: two texts are equal if the bytes are. */
export function keyText(key: Buffer): string {
  return key.toString('latin1')
}

/** The record in the current form of its type. */
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

/** Like findRecord, for a reader that wants the text of one record and not its bytes. */
export function findText<T extends object = JsonObject>(
  kv: KvReader,
  key: Buffer,
): Stored<T> | undefined {
  return kv.peek<Stored<T>>(key, decodeLent)
}

/** Key of the number of records. */
export function countKey(kv: KvReader, { name }: RecordType): Buffer {
  return keysOf(kv, name).count
}

const LAST_COMMIT = Buffer.of(0x73)

/** Key of the number of the newest commit, the same in every store. */
export function lastCommitKey(): Buffer {
  return LAST_COMMIT
}

/** Key of the changes of this commit, which a commit CHANGED_SLOTS later overwrites. */
export function changedKey(number: number): Buffer {
  return encodeAfter(LAST_COMMIT, [number % CHANGED_SLOTS])
}

export const CHANGED_SLOTS = 1_024

/** Key of the highest identifier ever committed. */
export function highestIdKey(kv: KvReader, { name }: RecordType): Buffer {
  return keysOf(kv, name).highestId
}

const MARK = Buffer.of(0x6d)

/** Key of an engine's internal note of this name. */
export function markKey(name: string): Buffer {
  return encodeAfter(MARK, [name])
}

export const IDENTITY_NAME = 'instance'

/** Row that holds the uuid of the site, equal to the uuid in instance.json. */
export const IDENTITY_KEY = markKey(IDENTITY_NAME)
