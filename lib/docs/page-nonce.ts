// The nonce of a page (Content Security Policy, Level 3, 2.3.1): what carries it is ours. It is made for each answer, so
// such an answer must not be stored.

import { randomBytes } from 'node:crypto'

const NONCE_BYTES = 16

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64')
}
