// The upload form (RFC 7578), built here so that its length is known before the first byte:
//
//   --boundary CRLF Content-Disposition: form-data; name="…" CRLF CRLF value CRLF
//   --boundary CRLF Content-Disposition: form-data; name="Filedata"; filename="…" CRLF
//   Content-Type: application/octet-stream CRLF CRLF bytes CRLF --boundary-- CRLF

import { randomBytes } from 'node:crypto'

export interface Form {
  readonly contentType: string
  /** The bytes before and after the content of the file. */
  readonly head: Buffer
  readonly tail: Buffer
}

export function buildForm(fields: Readonly<Record<string, string>>, fileName: string): Form {
  // 128 random bits: the content cannot contain them by chance.
  const boundary = `cms-${randomBytes(16).toString('hex')}`
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const disposition = `form-data; name="Filedata"; filename="${quoted(fileName)}"`
  const headers = `Content-Disposition: ${disposition}\r\nContent-Type: application/octet-stream`

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(`${parts.join('')}--${boundary}\r\n${headers}\r\n\r\n`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\r': '%0D',
  '\n': '%0A',
  '"': '%22',
  '\\': '%5C',
}

// Escapes like browsers, plus the backslash, because parsers differ in whether it escapes. The exact name is in
// the part `name`.
function quoted(fileName: string): string {
  return fileName.replace(/[\r\n"\\]/g, (character) => ESCAPES[character] ?? '')
}
