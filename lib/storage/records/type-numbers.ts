// Short numbers that replace the names of types and indexes in keys:
//
//   64                 → 6 bytes: the highest number assigned to a type
//   64, name of a type → as a record: {"number":3,"last":5,"indexes":{"title":1,"c7":5}}
//
// A type gets its number in the commit that first puts one of its records, together with all its indexes; a later index
// gets its number in the commit that first writes one of its rows. No number is reused, neither for types nor for the
// indexes of a type, so leftovers of a removed type or index cannot become part of a new one. A reader that finds no number
// has nothing to read: it uses 0, which no key has.

import type { RecordType } from '../../schema/values.ts'
import { decodeRecord, encodeCounter, encodeRecord, readCounter } from './record-bytes.ts'
import type { TypeKeys } from './known-keys.ts'
import { readUnsigned, unsigned } from './key-numbers.ts'
import { decodeKey, encodeAfter, rangeOf } from './keys.ts'
import type { KvReader, KvWriter } from './kv.ts'

export interface TypeNumbers {
  readonly number: number
  /** The highest number assigned to one of its indexes. */
  readonly last: number
  readonly indexes: Readonly<Record<string, number>>
  /** Its records sort after all others: see KIND.lastRecord. */
  readonly isLast?: true
}

/** First bytes of keys, described in format.ts. */
export const KIND = {
  count: Buffer.of(0x6e),
  highestId: Buffer.of(0x63),
  record: Buffer.of(0x72),
  /**
   * For a type to which nearly every commit adds a record (RecordType.rises). LMDB's B+ tree fills its pages if new keys
   * come after all existing keys, and leaves pages half empty if other keys follow.
   */
  lastRecord: Buffer.of(0x7a),
  row: Buffer.of(0x69),
} as const

const NUMBERS = Buffer.of(0x64)
const NONE: TypeNumbers = { number: 0, last: 0, indexes: {} }
const NO_KEYS = keysFrom(NONE)
/** Number of an index without any rows. */
const NO_INDEX = 0

/** Names of all types with their numbers. Damaged rows are skipped. */
export function* typeNames(kv: KvReader): Generator<readonly [number, string]> {
  for (const key of kv.keys(rangeOf(NUMBERS))) {
    if (key.equals(NUMBERS)) continue
    const name = String(decodeKey(key.subarray(NUMBERS.length))[0])
    const numbers = findTypeNumbers(kv, name)
    if (numbers !== undefined) yield [numbers.number, name]
  }
}

function findTypeNumbers(kv: KvReader, name: string): TypeNumbers | undefined {
  try {
    return readTypeNumbers(kv, name)
  } catch {
    // Reading a record of the type reports the damage.
    return undefined
  }
}

/** Whether a commit that writes this key assigns or removes numbers, so that known numbers must be read again. */
export function isOfNumbers(key: Uint8Array): boolean {
  return key[0] === NUMBERS[0]
}

function typeNumbersKey(typeName: string): Buffer {
  return encodeAfter(NUMBERS, [typeName])
}

/** Key prefixes of a type, for reading. */
export function keysOf(kv: KvReader, typeName: string): TypeKeys {
  return kv.known.get(typeName) ?? readKeys(kv, typeName)
}

function readKeys(kv: KvReader, typeName: string): TypeKeys {
  const numbers = readTypeNumbers(kv, typeName)
  if (numbers === undefined) return NO_KEYS
  const keys = keysFrom(numbers)
  kv.known.set(typeName, keys)
  return keys
}

/** Key prefix of the rows of an index, for reading. */
export function rowsOf(kv: KvReader, typeName: string, index: string): Buffer {
  const known = kv.known.get(typeName)
  // An index that another process has created is not known here yet.
  const { indexes, rows } = known?.indexes.has(index) === true ? known : readKeys(kv, typeName)
  return indexes.get(index) ?? Buffer.concat([rows, unsigned(NO_INDEX)])
}

/** Whether a key begins with the number 0, which no record and no row has. */
export function isUnnumbered(key: Buffer): boolean {
  const type = readUnsigned(key, KIND.record.length)
  const isRow = key[0] === KIND.row[0]
  return type.value === NONE.number || (isRow && readUnsigned(key, type.next).value === NO_INDEX)
}

/** Types whose indexes all have numbers, by the key prefixes that prove it. */
const COMPLETE = new WeakMap<TypeKeys, WeakSet<RecordType>>()

/** Key prefixes for writing: missing numbers are assigned in this commit. */
export function requireKeys(writer: KvWriter, type: RecordType): TypeKeys {
  const keys = keysOf(writer, type.name)
  const complete = COMPLETE.get(keys)
  if (complete?.has(type) === true) return keys
  const isComplete = keys !== NO_KEYS && type.indexes.every(({ name }) => keys.indexes.has(name))
  const all = isComplete ? keys : giveNumbers(writer, type)
  COMPLETE.set(all, (COMPLETE.get(all) ?? new WeakSet()).add(type))
  return all
}

function giveNumbers(writer: KvWriter, type: RecordType): TypeKeys {
  const given = type.indexes.map((index) => index.name)
  return keepNumbers(writer, type.name, withIndexes(numbersToAddTo(writer, type), given))
}

/** The numbers of a type, or new ones. */
function numbersToAddTo(writer: KvWriter, { name, rises }: RecordType): TypeNumbers {
  const before = readTypeNumbers(writer, name)
  if (before !== undefined) return before
  const number = readCounter(writer, NUMBERS) + 1
  writer.put(NUMBERS, encodeCounter(number))
  return { ...NONE, number, ...(rises !== undefined && { isLast: true }) }
}

function withIndexes(before: TypeNumbers, names: readonly string[]): TypeNumbers {
  const fresh = names.filter((name) => !Object.hasOwn(before.indexes, name))
  const added = fresh.map((name, at) => [name, before.last + at + 1] as const)
  return {
    ...before,
    last: before.last + fresh.length,
    indexes: { ...before.indexes, ...Object.fromEntries(added) },
  }
}

function keepNumbers(writer: KvWriter, typeName: string, numbers: TypeNumbers): TypeKeys {
  writer.put(typeNumbersKey(typeName), encodeRecord(numbers, 1).value)
  const keys = keysFrom(numbers)
  writer.known.give(typeName, keys)
  return keys
}

/** Removes an index; its number is not reused. */
export function forgetIndex(writer: KvWriter, typeName: string, index: string): void {
  const before = readTypeNumbers(writer, typeName)
  if (before === undefined) return
  const left = Object.entries(before.indexes).filter(([name]) => name !== index)
  keepNumbers(writer, typeName, { ...before, indexes: Object.fromEntries(left) })
}

/** Removes a type; its number is not reused. */
export function forgetType(writer: KvWriter, typeName: string): void {
  writer.remove(typeNumbersKey(typeName))
}

/** Throws record-damaged. */
export function readTypeNumbers(kv: KvReader, typeName: string): TypeNumbers | undefined {
  const value = kv.get(typeNumbersKey(typeName))
  return value === undefined ? undefined : decodeRecord<TypeNumbers>(value).value
}

function keysFrom({ number, indexes, isLast }: TypeNumbers): TypeKeys {
  const after = (kind: Buffer): Buffer => Buffer.concat([kind, unsigned(number)])
  const rows = after(KIND.row)
  return {
    record: after(isLast === true ? KIND.lastRecord : KIND.record),
    count: after(KIND.count),
    highestId: after(KIND.highestId),
    rows,
    indexes: new Map(
      Object.entries(indexes).map(([name, index]) => [
        name,
        Buffer.concat([rows, unsigned(index)]),
      ]),
    ),
  }
}
