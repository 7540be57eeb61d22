// Keys as bytes whose order is the order of their parts. All engines use the same encoding, so equality, order and paging
// are the same in all of them.
//
//   null      02
//   false     03
//   true      04
//   number    06 and 1 to 10 bytes (key-numbers.ts)
//   string    07, UTF-8 with each 00 written as 00 FF, then 00 01
//   cut text  07, the first 400 bytes of the UTF-8, escaped as above, 00 02, 16 bytes of its SHA-256
//
// No part is a prefix of another part, and every part begins with a byte below FF: the keys with a given prefix of parts
// lie between the encoding of the prefix and the same bytes followed by FF.
// A cut text sorts by its first 400 bytes, directly after the text that equals these bytes.

import { createHash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import {
  damagedKey,
  lastNumberAt,
  MAX_NUMBER_BYTES,
  NUMBER,
  readNumber,
  writeNumber,
} from './key-numbers.ts'
import type { KeyRange } from './kv.ts'
import type { Id, KeyPart } from '../../schema/values.ts'

const NULL = 0x02
const FALSE = 0x03
const TRUE = 0x04
const STRING = 0x07

const NUL = 0x00
const NUL_ESCAPE = 0xff
const END_OF_WHOLE = 0x01
const END_OF_CUT = 0x02
const AFTER_ALL_PARTS = Buffer.of(0xff)
const NOTHING = Buffer.alloc(0)

const MAX_TEXT_BYTES = 400
const HASH_BYTES = 16

/** LMDB refuses keys of more than 1,978 bytes, even in a read. */
export const MAX_KEY_BYTES = 1_900

export type Range = Pick<KeyRange, 'start' | 'end'>

/** At most one lower and one upper bound. */
export interface Bounds {
  readonly gt?: KeyPart
  readonly gte?: KeyPart
  readonly lt?: KeyPart
  readonly lte?: KeyPart
}

export function encodeKey(parts: readonly KeyPart[]): Buffer {
  return encodeAfter(NOTHING, parts)
}

/** The key of the parts that are encoded in `prefix`, followed by these parts and identifiers. */
export function encodeAfter(
  prefix: Buffer,
  parts: readonly KeyPart[],
  ids: readonly Id[] = NO_IDS,
): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + maxSizes(parts) + maxSizes(ids))
  const at = writeParts(key, copyPrefix(prefix, key), parts)
  return key.subarray(0, writeParts(key, at, ids))
}

/** Memory for one key that is needed only until the next key is encoded. */
let passing = Buffer.allocUnsafeSlow(2 * MAX_KEY_BYTES)

/** Like `encodeAfter`, in memory that the next call reuses: for writes, which copy the key. */
export function encodePassing(
  prefix: Buffer,
  parts: readonly KeyPart[],
  ids: readonly Id[] = NO_IDS,
): Buffer {
  const size = prefix.length + maxSizes(parts) + maxSizes(ids)
  if (size > passing.length) passing = Buffer.allocUnsafeSlow(size)
  const at = writeParts(passing, copyPrefix(prefix, passing), parts)
  return passing.subarray(0, writeParts(passing, at, ids))
}

const NO_IDS: readonly Id[] = []

/** Returns the length. A prefix has 2 to 8 bytes, for which `copy` takes longer than a loop. */
function copyPrefix(prefix: Buffer, key: Buffer): number {
  for (let at = 0; at < prefix.length; at += 1) key[at] = prefix[at] ?? 0
  return prefix.length
}

function maxSizes(parts: readonly KeyPart[]): number {
  let size = 0
  for (let index = 0; index < parts.length; index += 1) size += maxSize(parts[index] ?? null)
  return size
}

/**
 * Returns the offset after the parts. Counts instead of iterating: array iterators create garbage for every part of every
 * key, a tenth of the garbage of a commit of 1,000 entries.
 */
function writeParts(key: Buffer, start: number, parts: readonly KeyPart[]): number {
  let at = start
  for (let index = 0; index < parts.length; index += 1)
    at = writePart(key, at, parts[index] ?? null)
  if (at > MAX_KEY_BYTES) throw new CmsError('internal', 'A key of the storage is too long.')
  return at
}

/** Decodes the parts of a key; a cut text decodes to its first bytes. */
export function decodeKey(key: Buffer): KeyPart[] {
  const parts: KeyPart[] = []
  for (let at = 0; at < key.length; ) {
    const { part, next } = readPart(key, at)
    parts.push(part)
    at = next
  }
  return parts
}

/** Each part of a key as it is encoded. */
export function splitKey(key: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < key.length; ) {
    const { next } = readPart(key, at)
    parts.push(key.subarray(at, next))
    at = next
  }
  return parts
}

/** A key without its last part, which must be a positive number: the part of a row before its identifier. */
export function beforeLastNumber(key: Buffer): Buffer {
  return key.subarray(0, lastPartAt(key))
}

/** Offset of the last part of a key, which must be a positive number. */
export function lastPartAt(key: Buffer): number {
  return lastNumberAt(key) - 1
}

/** The positive number that is the last part of a key: the identifier, without decoding the rest. */
export function lastNumber(key: Buffer): number {
  return readNumber(key, lastNumberAt(key)).part
}

/**
 * Whether the key holds the whole value and no other value has the same key. False for a cut text and for text that UTF-8
 * cannot express (half of a surrogate pair becomes U+FFFD).
 */
export function isExact(part: KeyPart): boolean {
  if (typeof part !== 'string') return true
  const bytes = Buffer.from(part)
  return bytes.length <= MAX_TEXT_BYTES && !bytes.toString().includes('\ufffd')
}

/** All keys with this prefix, which must end at the end of a part. */
export function rangeOf(start: Buffer): Range {
  return { start, end: after(start) }
}

/** The keys of all rows, of any format. */
export const EVERY_KEY: Range = { start: Buffer.of(0), end: AFTER_ALL_PARTS }

/** All keys that continue `base` with these parts. */
export function prefixRange(base: Buffer, parts: readonly KeyPart[] = []): Range {
  return rangeOf(encodeAfter(base, parts))
}

/** Keys whose part after `base` is within the bounds and not null. The range is wider than requested if a bound is cut. */
export function valueRange(base: Buffer, bounds: Bounds): Range {
  return { start: startOf(base, bounds), end: endOf(base, bounds) }
}

/** Keys whose part after `base` is a string that begins with `text`, or with its first bytes if `text` is cut. */
export function textRange(base: Buffer, text: string): Range {
  return rangeOf(stem(base, text))
}

function startOf(base: Buffer, { gt, gte }: Bounds): Buffer {
  const bound = gt ?? gte
  if (bound === undefined) return after(encodeAfter(base, [null]))
  if (typeof bound === 'string' && isCut(bound)) return stem(base, bound)
  const key = encodeAfter(base, [bound])
  return gt === undefined ? key : after(key)
}

function endOf(base: Buffer, { lt, lte }: Bounds): Buffer {
  const bound = lt ?? lte
  if (bound === undefined) return after(base)
  if (typeof bound === 'string' && isCut(bound)) return after(stem(base, bound))
  const key = encodeAfter(base, [bound])
  return lt === undefined ? after(key) : key
}

/** Sorts after all keys that continue this key. */
export function after(key: Buffer): Buffer {
  return Buffer.concat([key, AFTER_ALL_PARTS])
}

function stem(base: Buffer, text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, MAX_TEXT_BYTES)
  return Buffer.concat([base, Buffer.of(STRING), escape(bytes)])
}

function isCut(text: string): boolean {
  // A UTF-16 unit has at most three bytes, so most texts need not be measured.
  return text.length * 3 > MAX_TEXT_BYTES && Buffer.byteLength(text) > MAX_TEXT_BYTES
}

function maxSize(part: KeyPart): number {
  if (typeof part === 'number') return MAX_NUMBER_BYTES
  if (typeof part !== 'string') return 1
  return 3 + Math.min(part.length * 3, MAX_TEXT_BYTES * 2 + HASH_BYTES)
}

/** Returns the offset after the part. */
function writePart(key: Buffer, at: number, part: KeyPart): number {
  if (typeof part === 'number') return writeNumber(key, at, part)
  if (typeof part === 'string') return writeText(key, at, part)
  key[at] = part === null ? NULL : part ? TRUE : FALSE
  return at + 1
}

function writeText(key: Buffer, at: number, text: string): number {
  key[at] = STRING
  let end = at + 1
  if (isCut(text)) {
    const bytes = Buffer.from(text)
    end += escape(bytes.subarray(0, MAX_TEXT_BYTES)).copy(key, end)
    end = writeEnd(key, end, END_OF_CUT)
    return end + createHash('sha256').update(bytes).digest().copy(key, end, 0, HASH_BYTES)
  }

  end += text.includes('\0') ? escape(Buffer.from(text)).copy(key, end) : key.write(text, end)
  return writeEnd(key, end, END_OF_WHOLE)
}

function writeEnd(key: Buffer, at: number, end: number): number {
  key[at] = NUL
  key[at + 1] = end
  return at + 2
}

function escape(bytes: Buffer): Buffer {
  if (!bytes.includes(NUL)) return bytes
  return Buffer.from([...bytes].flatMap((byte) => (byte === NUL ? [NUL, NUL_ESCAPE] : [byte])))
}

function readPart(key: Buffer, at: number): { readonly part: KeyPart; readonly next: number } {
  switch (key[at]) {
    case NULL:
      return { part: null, next: at + 1 }
    case FALSE:
      return { part: false, next: at + 1 }
    case TRUE:
      return { part: true, next: at + 1 }
    case NUMBER:
      return readNumber(key, at + 1)
    case STRING:
      return readText(key, at + 1)
    default:
      throw damagedKey()
  }
}

function readText(key: Buffer, start: number): { readonly part: string; readonly next: number } {
  const nul = findNul(key, start)
  // Nearly every text is whole and has no 00, so it is decoded in place; this is measurable in walks over all keys.
  if (key[nul + 1] === END_OF_WHOLE)
    return { part: key.toString('utf8', start, nul), next: nul + 2 }

  const pieces: Buffer[] = []
  let at = start
  let end = nul
  while (key[end + 1] === NUL_ESCAPE) {
    pieces.push(key.subarray(at, end + 1))
    at = end + 2
    end = findNul(key, at)
  }
  pieces.push(key.subarray(at, end))
  const hashBytes = key[end + 1] === END_OF_CUT ? HASH_BYTES : 0
  return { part: Buffer.concat(pieces).toString(), next: end + 2 + hashBytes }
}

function findNul(key: Buffer, at: number): number {
  const nul = key.indexOf(NUL, at)
  if (nul === -1 || nul + 1 >= key.length) throw damagedKey()
  return nul
}
