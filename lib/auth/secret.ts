// Secrets of API keys: `cms_`, 32 random bytes in base62, and a checksum, so that a mistyped or truncated secret is
// recognized before the storage is read. Only the SHA-256 is stored.

import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const FORM = new RegExp(`^cms_[0-9A-Za-z]{${RANDOM_DIGITS + CHECK_DIGITS}}$`)

/** A secret as sent by the client. */
export interface Secret {
  readonly text: string
  readonly hash: string
}

/** The credential of a request. A ticket, which the site made itself, has no text. */
export interface Proof extends Omit<Secret, 'text'> {
  readonly text: string | undefined
}

export function newSecret(): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_DIGITS)
  return `cms_${random}${checksum(random)}`
}

/** As hard to guess as a key, for cookies and links. Base64url of 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** True for text that newSecret could have made. */
export function isSecret(text: string): boolean {
  if (!FORM.test(text)) return false
  return checksum(text.slice(4, 4 + RANDOM_DIGITS)) === text.slice(4 + RANDOM_DIGITS)
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** The part of a secret that may be shown. */
export function hintOf(secret: string): string {
  return `${secret.slice(0, 8)}…`
}

function checksum(digits: string): string {
  let text = ''
  for (let rest = crc32(digits); text.length < CHECK_DIGITS; rest = Math.floor(rest / 62))
    text = ALPHABET.charAt(rest % 62) + text
  return text
}

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text.padStart(digits, '0')
}
