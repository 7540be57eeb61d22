// Preferences of a request (RFC 7240). One that is not known is ignored, as section 2 says.

import type { IncomingMessage } from 'node:http'

const PREFERENCES = {
  /** Answer the whole record. */
  'return=representation': /(?:^|,)\s*return\s*=\s*"?representation"?\s*(?:;|,|$)/i,
  /** Refuse what would be stored other than it was sent. */
  'handling=strict': /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:;|,|$)/i,
} as const

export function prefers(
  { headers }: Pick<IncomingMessage, 'headers'>,
  preference: keyof typeof PREFERENCES,
): boolean {
  return PREFERENCES[preference].test(String(headers['prefer'] ?? ''))
}
