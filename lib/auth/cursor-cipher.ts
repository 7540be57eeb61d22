// Cursors as clients hold them: where a page ended, for the site alone to read. The place is a value of a
// record, which a client must neither read nor make up. Encrypted by a key of the site, so that a cursor is good
// after a restart, and with a synthetic IV (the way of RFC 5297, with HMAC and CTR): the same place is always
// the same text, so that an answer does not change with each reading. Base64url of 16 bytes tag, ciphertext.

import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { CmsError } from '../errors.ts'
import { openCtr, openHmac } from './site-cipher.ts'

export interface CursorCipher {
  /** Of a text in base64url. */
  encrypt(cursor: string): string
  /** Throws bad-qry where the site has not encrypted the text. */
  decrypt(encrypted: string): string
}

const KEY_BYTES = 32
const TAG_BYTES = 16

export function openCursorCipher(siteKey: Uint8Array): CursorCipher {
  const derive = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', siteKey, '', `cms-server cursor ${purpose}`, KEY_BYTES))
  const hmac = openHmac(derive('tag'))
  const turn = openCtr(derive('text'))
  const tagOf = (bytes: Uint8Array): Buffer => hmac(bytes).subarray(0, TAG_BYTES)

  return {
    encrypt(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const tag = tagOf(bytes)
      return Buffer.concat([tag, turn(tag, bytes)]).toString('base64url')
    },

    decrypt(encrypted) {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.length < TAG_BYTES || bytes.toString('base64url') !== encrypted) throw notOurs()
      const tag = bytes.subarray(0, TAG_BYTES)
      const opened = turn(tag, bytes.subarray(TAG_BYTES))
      if (!timingSafeEqual(tagOf(opened), tag)) throw notOurs()
      return opened.toString('base64url')
    },
  }
}

function notOurs(): CmsError {
  return new CmsError(
    'bad-qry',
    'The cursor is none that this site has given. Take it from page.next as it is, or leave it out.',
  )
}
