// Cursors as clients hold them: where a page ended, for the site alone to read. The place is a value of a
// record, which a client must neither read nor make up. The same place is always the same text (text-cipher.ts), so
// that an answer does not change with each reading.

import { CmsError } from '../base/errors.ts'
import { openTextCipher } from './text-cipher.ts'

export interface CursorCipher {
  /** Of a text in base64url. */
  encrypt(cursor: string): string
  /** Throws bad-qry where the site has not encrypted the text. */
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
    'The cursor is none that this site has given. Take it from page.next as it is, or leave it out.',
  )
}
