// The header Content-Disposition (RFC 6266). An ASCII name is sent as filename. Any other name is sent twice: as an ASCII
// fallback in filename, and exactly in filename* (RFC 8187).

import { create } from 'content-disposition'

/** Never throws, and returns only characters that Node accepts in a header. */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  return create(wellFormed(fileName), { type: kind })
}

// Replaces lone surrogates by U+FFFD, because percent-encoding a lone surrogate throws.
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
