// Encodes numbers in keys. A number that is one part among others:
//
//   06, then IEEE 754, big endian, sign bit flipped, 7 bits in a byte from the top: the lowest bit of a byte says whether
//   any of the following bits is 1, and is 0 in the last byte that is written. A negative number is encoded like its
//   absolute value with all bits of the bytes after 06 flipped
//
// The order of the bytes is therefore the order of the numbers. A whole number takes 3 bytes up to 512, at most 5 up to
// 131,072 and 6 up to 16 million. A non-negative number can be read from its end: its last byte is even, and so is the 06.
//
// Small numbers that replace names need no 06, because their place in a key is fixed: see `unsigned`.

import { CmsError } from '../../base/errors.ts'

export const NUMBER = 0x06
/** Groups of 7 bits in 64 bits. */
const MAX_GROUPS = 10
export const MAX_NUMBER_BYTES = 1 + MAX_GROUPS

const BITS = new DataView(new ArrayBuffer(8))
const SIGN_BIT = 0x8000_0000

/** Returns the offset after the number. */
export function writeNumber(key: Buffer, at: number, value: number): number {
  if (Number.isNaN(value)) throw new CmsError('internal', 'A key of the storage holds no number.')

  const flip = value < 0 ? 0xff : 0
  BITS.setFloat64(0, Math.abs(value))
  let high = (BITS.getUint32(0) ^ SIGN_BIT) >>> 0
  let low = BITS.getUint32(4)
  key[at] = NUMBER
  for (let end = at + 1; ; end += 1) {
    const group = high >>> 25
    high = ((high << 7) | (low >>> 25)) >>> 0
    low = (low << 7) >>> 0
    const isLast = (high | low) === 0
    key[end] = ((group << 1) | (isLast ? 0 : 1)) ^ flip
    if (isLast) return end + 1
  }
}

/** Reads the number whose bytes begin after the 06. Uses two 32-bit words, because it runs for every key of a range. */
export function readNumber(
  key: Buffer,
  at: number,
): { readonly part: number; readonly next: number } {
  const isNegative = (key[at] ?? 0) < 0x80
  const flip = isNegative ? 0xff : 0
  let high = 0
  let low = 0
  for (let group = 0; group < MAX_GROUPS; group += 1) {
    const byte = key[at + group]
    if (byte === undefined) break
    const bits = (byte ^ flip) >>> 1
    // Position of the lowest of the 7 bits among the 64 bits.
    const place = 57 - 7 * group
    if (place >= 32) high |= bits << (place - 32)
    else {
      if (place > 25) high |= bits >>> (32 - place)
      low |= place < 0 ? bits >>> -place : bits << place
    }
    if (((byte ^ flip) & 1) === 1) continue
    BITS.setUint32(0, high ^ SIGN_BIT)
    BITS.setUint32(4, low)
    const part = BITS.getFloat64(0)
    return { part: isNegative ? -part : part, next: at + group + 1 }
  }
  throw damagedKey()
}

/** Offset of a non-negative number that is the last part of a key. */
export function lastNumberAt(key: Buffer): number {
  let at = key.length - 1
  while (at > 0 && isOdd(key[at - 1])) at -= 1
  if (key[at - 1] !== NUMBER) throw damagedKey()
  return at
}

function isOdd(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 1) === 1
}

/**
 * Encodes a non-negative whole number in as few bytes as possible. No encoding begins with FF, and the bytes sort like the
 * numbers: 1 byte up to 240, 2 up to 2,287, 3 up to 67,823 (the variable-length integers of SQLite 4).
 */
export function unsigned(value: number): Buffer {
  if (value <= 240) return Buffer.of(value)
  if (value <= 2_287) return Buffer.of(241 + ((value - 240) >>> 8), (value - 240) & 0xff)
  if (value <= 67_823) return Buffer.of(249, (value - 2_288) >>> 8, (value - 2_288) & 0xff)
  if (value <= MAX_UNSIGNED) return Buffer.of(250, value >>> 16, (value >>> 8) & 0xff, value & 0xff)
  throw new CmsError('internal', 'The storage has no numbers left for types.')
}

const MAX_UNSIGNED = 0xff_ff_ff

/** Decodes such a number and returns the offset of the rest of the key. */
export function readUnsigned(
  key: Buffer,
  at: number,
): { readonly value: number; readonly next: number } {
  const first = key[at] ?? 0xff
  const rest = (index: number): number => key[at + index] ?? 0
  if (first <= 240) return { value: first, next: at + 1 }
  if (first <= 248) return { value: 240 + 256 * (first - 241) + rest(1), next: at + 2 }
  if (first === 249) return { value: 2_288 + 256 * rest(1) + rest(2), next: at + 3 }
  if (first !== 250) throw damagedKey()
  return { value: rest(1) * 65_536 + rest(2) * 256 + rest(3), next: at + 4 }
}

export function damagedKey(): CmsError {
  return new CmsError('record-damaged', 'A key of the storage cannot be read.')
}
