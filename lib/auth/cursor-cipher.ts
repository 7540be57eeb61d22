// Cursors as clients hold them: the end of a page, as text that only the site can read. A cursor contains a value of
// a record, which clients must neither read nor forge. The same cursor always gives the same text (site-cipher.ts),
// so that an unchanged answer keeps its bytes.

import { CmsError } from '../base/errors.ts'
import { openTextCipher } from './site-cipher.ts'

export interface CursorCipher {
  /** Takes a text in base64url. */
  encrypt(cursor: string): string
  /** Throws bad-qry if the site did not encrypt the text. */
  decrypt(encrypted: string): string
}

export function openCursorCipher(siteKey: Uint8Array): CursorCipher {
  const cipher = openTextCipher(siteKey, 'cursor')
  return {
    encrypt: (cursor) => cipher.encrypt(Buffer.from(cursor, 'base64url')),
    decrypt(encrypted) {
      const opened = cipher.decrypt(encrypted)
      if (opened === undefined) throw notOurs()
      return opened.toString('base64url')
    },
  }
}

function notOurs(): CmsError {
  return new CmsError(
    'bad-qry',
    'The cursor was not issued by this site. Copy it from page.next unchanged, or leave it out.',
  )
}
