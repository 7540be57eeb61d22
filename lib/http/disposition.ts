// The header Content-Disposition (RFC 6266): a name in plain ASCII is given as it is, every other
// one twice, as an ASCII fallback and exactly in filename* (RFC 8187).

import { create } from 'content-disposition'

/** Never throws, and every character of the header is one that Node sends. */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  return create(wellFormed(fileName), { type: kind })
}

// A lone surrogate has no UTF-8 form, and percent-encoding one throws: it becomes U+FFFD.
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
