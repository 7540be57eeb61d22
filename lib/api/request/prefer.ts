// Preferences of a request (RFC 7240). Unknown preferences are ignored (section 2).

import type { IncomingMessage } from 'node:http'

const PREFERENCES = {
  /** Return the whole record. */
  'return=representation': /(?:^|,)\s*return\s*=\s*"?representation"?\s*(?:;|,|$)/i,
  /** Reject values that would be stored differently from what was sent. */
  'handling=strict': /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:;|,|$)/i,
} as const

export function prefers(
  { headers }: Pick<IncomingMessage, 'headers'>,
  preference: keyof typeof PREFERENCES,
): boolean {
  return PREFERENCES[preference].test(String(headers['prefer'] ?? ''))
}
