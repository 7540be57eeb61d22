// Secrets of API keys: `cms_`, 32 random bytes in base62, and a checksum, so that a mistyped or cut
// secret is told apart from an unknown one before storage is asked. Only the SHA-256 is kept.

import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const FORM = new RegExp(`^cms_[0-9A-Za-z]{${RANDOM_DIGITS + CHECK_DIGITS}}$`)

/** A secret as it was sent. */
export interface Secret {
  readonly text: string
  readonly hash: string
}

/** What a request is signed by. Without a text: of a ticket, which the site itself has made. */
export interface Proof extends Omit<Secret, 'text'> {
  readonly text: string | undefined
}

export function newSecret(): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_DIGITS)
  return `cms_${random}${checksum(random)}`
}

/** As hard to guess, for what is no key: a cookie, a link. Base64url of 32 random bytes. */
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

/** What may be shown of a secret. */
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
