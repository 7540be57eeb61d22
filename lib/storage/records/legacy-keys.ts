// Keys of directory format 1 and their translation. All old keys began with 06 and no present key does, so both kinds can
// be in one store during an upgrade, and the remaining old keys are the remaining work.
//
//   "r", type, ids          "i", type, index, values, ids          "n", type          "c", type
//   "b", file, uid          "s"                                    "m", name
//
// Parts were encoded as in keys.ts, except that a string began with 06, and a number was 05 and the 8 bytes from which
// key-numbers.ts takes its bits, all of them flipped for a negative number. Values are unchanged.

import { carriedKey } from './inline-contents.ts'
import { lastCommitKey, markKey } from './format.ts'
import { damagedKey } from './key-numbers.ts'
import { encodeKey, type Range, STRING } from './keys.ts'
import type { KvReader, KvWriter, Pair } from './kv.ts'
import { decodeRecord } from './record-bytes.ts'
import { requireKeys } from './type-numbers.ts'
import type { RecordType } from '../../schema/values.ts'

const OLD_STRING = 0x06
const OLD_NUMBER = 0x05
const OLD_NUMBER_BYTES = 9
/** null, false and true are encoded as before. */
const PLAIN = new Set([0x02, 0x03, 0x04])
const HASH_BYTES = 16

export const OLD_KEYS: Range = { start: Buffer.of(OLD_STRING), end: Buffer.of(OLD_STRING + 1) }

/** Old key of an engine's internal note of this name. */
export function oldMarkKey(name: string): Buffer {
  const texts = ['m', name].map((text) => [Buffer.of(OLD_STRING), Buffer.from(text), END])
  return Buffer.concat(texts.flat())
}

const END = Buffer.of(0, 1)

export function hasOldKeys(kv: KvReader): boolean {
  return kv.count({ ...OLD_KEYS, limit: 1 }) > 0
}

/** Whether a row is obsolete and has no new key. */
export type IsGone = (names: readonly string[]) => boolean

/** Translates an old key; undefined if it has no new key. `writer` assigns numbers. */
export type Translate = (writer: KvWriter, key: Buffer) => Buffer | undefined

/** Caches translated prefixes between calls; after a failed commit no further commit may be started. */
export function openTranslation(isGone: IsGone, types: readonly RecordType[]): Translate {
  const bases = new Map<string, Buffer | 'gone'>()

  function baseOf(writer: KvWriter, old: Buffer): Buffer | 'gone' {
    const text = old.toString('latin1')
    const known = bases.get(text)
    if (known !== undefined) return known
    const names = Array.from(partsOf(old), readText)
    const base = isGone(names) ? 'gone' : newBase(writer, names, types)
    bases.set(text, base)
    return base
  }

  return (writer, key) => {
    const end = endOfNames(key)
    const base = baseOf(writer, key.subarray(0, end))
    if (base === 'gone') return undefined
    return Buffer.concat([base, ...Array.from(partsOf(key, end), translatePart)])
  }
}

/** Number of leading parts that are names: the kind of key, followed by the type and, for rows, the index. */
const NAMES: ReadonlyMap<string, number> = new Map([
  ['r', 2],
  ['i', 3],
  ['n', 2],
  ['c', 2],
  ['b', 1],
  ['s', 1],
  ['m', 2],
])

function endOfNames(key: Buffer): number {
  const first = endOfPart(key, 0)
  const count = NAMES.get(readText(key.subarray(0, first)))
  if (count === undefined) throw damagedKey()
  let at = first
  for (let part = 1; part < count; part += 1) at = endOfPart(key, at)
  return at
}

function newBase(
  writer: KvWriter,
  [kind, name = '', index = '']: readonly string[],
  types: readonly RecordType[],
): Buffer {
  const type = { ...types.find((item) => item.name === name), name, indexes: [] }
  switch (kind) {
    case 'r':
      return requireKeys(writer, type).record
    case 'i':
      return (
        requireKeys(writer, { ...type, indexes: [{ name: index, rows: () => [] }] }).indexes.get(
          index,
        ) ?? Buffer.alloc(0)
      )
    case 'n':
      return requireKeys(writer, type).count
    case 'c':
      return requireKeys(writer, type).highestId
    case 'b':
      return CARRIED_BASE
    case 's':
      return lastCommitKey()
    default:
      return markKey(name)
  }
}

const CARRIED_BASE = carriedKey({ fileId: 0, uid: '' }).subarray(0, 1)

function translatePart(part: Buffer): Buffer {
  if (part[0] === OLD_NUMBER) return encodeKey([readNumber(part)])
  if (part[0] !== OLD_STRING) return part
  const text = Buffer.from(part)
  text[0] = STRING
  return text
}

function* partsOf(key: Buffer, start = 0): Generator<Buffer> {
  for (let at = start; at < key.length; ) {
    const end = endOfPart(key, at)
    yield key.subarray(at, end)
    at = end
  }
}

function endOfPart(key: Buffer, at: number): number {
  const tag = key[at]
  if (tag !== undefined && PLAIN.has(tag)) return at + 1
  const end = tag === OLD_NUMBER ? at + OLD_NUMBER_BYTES : endOfText(key, at)
  if (end > key.length) throw damagedKey()
  return end
}

/** 00 01 ends a text; 00 02 ends a cut text and is followed by its hash; 00 FF is a 00 inside the text. */
function endOfText(key: Buffer, at: number): number {
  if (key[at] !== OLD_STRING) throw damagedKey()
  let nul = key.indexOf(0, at)
  while (nul !== -1 && key[nul + 1] === 0xff) nul = key.indexOf(0, nul + 2)
  const isWhole = key[nul + 1] === 1
  if (nul === -1 || !(isWhole || key[nul + 1] === 2)) throw damagedKey()
  return nul + 2 + (isWhole ? 0 : HASH_BYTES)
}

/** Names contain no 00. */
function readText(part: Buffer): string {
  return part.toString('utf8', 1, part.length - 2)
}

function readNumber(part: Buffer): number {
  const bits = Buffer.from(part.subarray(1))
  const isNegative = bits.readUInt8(0) < 0x80
  for (const [at, byte] of bits.entries())
    bits[at] = isNegative ? ~byte & 0xff : at === 0 ? byte ^ 0x80 : byte
  return bits.readDoubleBE(0)
}

/** Throws record-damaged if a key cannot be read, or if a record differs from what was written. */
export function requireOldPair({ key, value }: Pair): void {
  const end = endOfNames(key)
  const count = Array.from(partsOf(key, end)).length
  if (key[1] === RECORD && count > 0) decodeRecord(value)
}

const RECORD = 0x72
