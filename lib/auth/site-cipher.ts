// Encryption and signatures of texts below 100 bytes, such as cursors and tickets: HMAC-SHA-256 and AES-256-CTR, with the same result as
// createHmac and createCipheriv. Creating such an object for each text costs more time than the work itself, and the
// same again in garbage collection.

import { createCipheriv, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

const HASH_BLOCK_BYTES = 64
const BLOCK_BYTES = 16

/** HMAC-SHA-256 under a key of at most 64 bytes (RFC 2104). */
export function openHmac(key: Uint8Array): (bytes: Uint8Array) => Buffer {
  const padded = Buffer.alloc(HASH_BLOCK_BYTES)
  padded.set(key)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  return (bytes) => sha256(outer, sha256(inner, bytes))
}

/** Converts through text, because Node takes three times as long to return bytes. */
function sha256(start: Uint8Array, rest: Uint8Array): Buffer {
  return Buffer.from(hash('sha256', Buffer.concat([start, rest]), 'binary'), 'binary')
}

/** AES-256-CTR in both directions: XOR of the bytes and the encrypted counters. */
export function openCtr(key: Uint8Array): (iv: Uint8Array, bytes: Uint8Array) => Buffer {
  // ECB encrypts each block independently, so one object serves all texts.
  const blocks = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  return (iv, bytes) => {
    const stream = blocks.update(countersFrom(iv, Math.ceil(bytes.length / BLOCK_BYTES)))
    return Buffer.from(bytes.map((byte, at) => byte ^ (stream[at] ?? 0)))
  }
}

/** Consecutive 16-byte counters. */
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

export interface TextCipher {
  encrypt(bytes: Uint8Array): string
  /** Undefined if the site did not encrypt the text, or encrypted it for another purpose. */
  decrypt(encrypted: string): Buffer | undefined
}

const KEY_BYTES = 32
const TAG_BYTES = 16

/**
 * Short texts that only the site can read and make. The site's key encrypts them, so they survive a restart, with a
 * synthetic IV (as in RFC 5297, with HMAC and CTR): the same bytes always give the same text. Base64url of 16 bytes
 * tag, ciphertext. A text made for one purpose is invalid for any other.
 */
export function openTextCipher(siteKey: Uint8Array, purpose: string): TextCipher {
  const derive = (part: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', siteKey, '', `cms-server ${purpose} ${part}`, KEY_BYTES))
  const hmac = openHmac(derive('tag'))
  const applyCtr = openCtr(derive('text'))
  const tagOf = (bytes: Uint8Array): Buffer => hmac(bytes).subarray(0, TAG_BYTES)

  return {
    encrypt(bytes) {
      const tag = tagOf(bytes)
      return Buffer.concat([tag, applyCtr(tag, bytes)]).toString('base64url')
    },

    decrypt(encrypted) {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.length < TAG_BYTES || bytes.toString('base64url') !== encrypted) return undefined
      const tag = bytes.subarray(0, TAG_BYTES)
      const opened = applyCtr(tag, bytes.subarray(TAG_BYTES))
      return timingSafeEqual(tagOf(opened), tag) ? opened : undefined
    },
  }
}
