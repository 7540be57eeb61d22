// Short texts that only the site can read and make. The site's key encrypts them, so they survive a restart, with a
// synthetic IV (as in RFC 5297, with HMAC and CTR): the same bytes always give the same text. Base64url of 16 bytes
// tag, ciphertext. A text made for one purpose is invalid for any other.

import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { openCtr, openHmac } from './site-cipher.ts'

export interface TextCipher {
  encrypt(bytes: Uint8Array): string
  /** Undefined if the site did not encrypt the text, or encrypted it for another purpose. */
  decrypt(encrypted: string): Buffer | undefined
}

const KEY_BYTES = 32
const TAG_BYTES = 16

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
