// The nonce of a page (Content Security Policy, Level 3, 2.3.1). Each response has its own nonce, so such a response must
// not be stored.

import { randomBytes } from 'node:crypto'

const NONCE_BYTES = 16

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64')
}
