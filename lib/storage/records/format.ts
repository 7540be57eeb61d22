// What records are in the ordered store. A key is one byte of kind, the number of the type and, in a row, that of the
// index (type-numbers.ts), and then parts whose bytes sort as they do (keys.ts):
//
//   "r" type, ids                  → a record (record-bytes.ts); "z" where nearly every commit adds one
//   "i" type index, values, ids    → nothing: a row of an index
//   "n" type                       → 6 bytes: number of records
//   "c" type                       → 6 bytes: highest identifier ever committed, where it is one number
//   "d", "d" name                  → the numbers of types and indexes (type-numbers.ts)
//   "b" file, uid                  → small contents on their way to a file (inline-contents.ts)
//   "s"                            → 6 bytes: number of the newest commit of records (commit-visibility.ts)
//   "s" slot                       → 6 bytes: number of a commit, then what it changed (shared-log.ts)
//   "m" name                       → what an engine notes of itself
//
// Rows and counters follow from the records alone, but for the highest identifier, which outlives the record that
// had it. Up to format 1 of a directory, keys had the names themselves (upgrade/).

import { decodeRecord } from './record-bytes.ts'
import { decodeKey, encodeAfter, prefixRange, type Range, rangeOf } from './keys.ts'
import { readUnsigned } from './key-numbers.ts'
import type { KvReader, KvWriter } from './kv.ts'
import { isUnnumbered, KIND, keysOf, requireKeys, rowsOf } from './type-numbers.ts'
import type { Id, Index, JsonObject, KeyPart, RecordType, Stored } from '../../schema/values.ts'

export function recordKey(kv: KvReader, type: RecordType, ids: readonly Id[]): Buffer {
  return encodeAfter(keysOf(kv, type.name).record, ids)
}

/** The keys of all records of a type that begin with these identifiers. */
export function recordRange(kv: KvReader, type: RecordType, ids: readonly Id[] = []): Range {
  return prefixRange(keysOf(kv, type.name).record, ids)
}

/** What the keys of all records of a type begin with. */
export function recordBase(kv: KvReader, { name }: RecordType): Buffer {
  return keysOf(kv, name).record
}

/** The keys of all index rows of a type. */
export function indexRange(kv: KvReader, { name }: RecordType): Range {
  return rangeOf(keysOf(kv, name).rows)
}

/** The rows of one index, or those that begin with these values. */
export function rowRange(
  kv: KvReader,
  { name }: Pick<RecordType, 'name'>,
  { index, values = [] }: { readonly index: string; readonly values?: readonly KeyPart[] },
): Range {
  return prefixRange(rowsOf(kv, name, index), values)
}

/** What the keys of all rows of an index begin with. */
export function rowBase(kv: KvReader, { name }: RecordType, index: string): Buffer {
  return rowsOf(kv, name, index)
}

/** The identifiers in the key of a record. */
export function recordIds(key: Buffer): readonly Id[] {
  return decodeKey(key.subarray(typeOf(key).next)) as Id[]
}

/** The values in the key of a row, and behind them the identifiers. */
export function rowParts(key: Buffer): readonly KeyPart[] {
  return decodeKey(key.subarray(indexOf(key).next))
}

/** The number of the type of a record or a row, and where it ends. */
export function typeOf(key: Buffer): { readonly value: number; readonly next: number } {
  return readUnsigned(key, KIND.record.length)
}

/** Likewise that of the index of a row. */
export function indexOf(key: Buffer): { readonly value: number; readonly next: number } {
  return readUnsigned(key, typeOf(key).next)
}

/** The keys of all records. */
export const RECORDS: readonly Range[] = [rangeOf(KIND.record), rangeOf(KIND.lastRecord)]

/** A record, as its rows follow from it. */
interface Found {
  readonly ids: readonly Id[]
  readonly record: object
}

/** The index rows that a record must have, each once. Of an index that has none at all yet, undefined stands for them. */
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

/** The same to be written. */
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

/** The rows of an index whose keys begin so, each once. */
export function rowKeys(
  base: Buffer,
  ids: readonly Id[],
  rows: readonly (readonly KeyPart[])[],
): Buffer[] {
  const keys = rows.map((values) => encodeAfter(base, [...values, ...ids]))
  return keys.length < 2 ? keys : [...new Map(keys.map((key) => [keyText(key), key])).values()]
}

const NO_ROWS = Buffer.alloc(0)

/** A key as text, for sets: equal when the bytes are. */
export function keyText(key: Buffer): string {
  return key.toString('latin1')
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
export function countKey(kv: KvReader, { name }: RecordType): Buffer {
  return keysOf(kv, name).count
}

const LAST_COMMIT = Buffer.of(0x73)

/** Key of the number of the newest commit: the same in every store. */
export function lastCommitKey(): Buffer {
  return LAST_COMMIT
}

/** Key of what the commit of this number changed, until so many later ones as there are slots. */
export function changedKey(number: number): Buffer {
  return encodeAfter(LAST_COMMIT, [number % CHANGED_SLOTS])
}

export const CHANGED_SLOTS = 1_024

/** Key of the highest identifier ever committed. */
export function highestIdKey(kv: KvReader, { name }: RecordType): Buffer {
  return keysOf(kv, name).highestId
}

const MARK = Buffer.of(0x6d)

/** Key of what an engine notes of itself under this name. */
export function markKey(name: string): Buffer {
  return encodeAfter(MARK, [name])
}

export const IDENTITY_NAME = 'instance'

/** Row that holds the uuid of the site, equal to that of instance.json. */
export const IDENTITY_KEY = markKey(IDENTITY_NAME)
