// The primitives of text-cipher.ts, for texts of less than a hundred bytes: HMAC-SHA-256 and AES-256-CTR, to the
// byte what createHmac and createCipheriv give. An object of these for each text takes more time than the work, and
// the garbage collector as much again.

import { createCipheriv, hash } from 'node:crypto'

const HASH_BLOCK_BYTES = 64
const BLOCK_BYTES = 16

/** HMAC-SHA-256 under a key of at most 64 bytes: two hashes, each over the key and what it is of (RFC 2104). */
export function openHmac(key: Uint8Array): (bytes: Uint8Array) => Buffer {
  const padded = Buffer.alloc(HASH_BLOCK_BYTES)
  padded.set(key)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  return (bytes) => sha256(outer, sha256(inner, bytes))
}

/** As text and back: for the bytes themselves Node takes three times as long. */
function sha256(start: Uint8Array, rest: Uint8Array): Buffer {
  return Buffer.from(hash('sha256', Buffer.concat([start, rest]), 'binary'), 'binary')
}

/** AES-256-CTR, both ways: the bytes and what the cipher makes of the counters, bit by bit. */
export function openCtr(key: Uint8Array): (iv: Uint8Array, bytes: Uint8Array) => Buffer {
  // Each block by itself, so one object serves all texts.
  const blocks = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  return (iv, bytes) => {
    const stream = blocks.update(countersFrom(iv, Math.ceil(bytes.length / BLOCK_BYTES)))
    return Buffer.from(bytes.map((byte, at) => byte ^ (stream[at] ?? 0)))
  }
}

/** So many numbers of 16 bytes, each one more than the one before. */
function countersFrom(iv: Uint8Array, count: number): Buffer {
  const counters = Buffer.alloc(count * BLOCK_BYTES)
  const counter = Buffer.from(iv)
  for (let at = 0; at < counters.length; at += BLOCK_BYTES) {
    counters.set(counter, at)
    increment(counter)
  }
  return counters
}

function increment(number: Buffer): void {
  for (let at = number.length - 1; at >= 0; at -= 1) {
    const byte = ((number[at] ?? 0) + 1) & 0xff
    number[at] = byte
    if (byte !== 0) return
  }
}
