// Text that only the holder of a secret can read: AES-256-GCM under a key that HKDF derives from the secret, which
// the server does not store. Base64 of 12 bytes nonce, 16 bytes tag, ciphertext.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface EncryptionKey {
  /** The secret that the caller sent. */
  readonly secret: string
  /** The use of the text: a text encrypted for one purpose cannot be decrypted for another. */
  readonly purpose: string
}

export function encrypt(text: string, key: EncryptionKey): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, deriveKey(key), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

/** Undefined if the text was encrypted under another key, was altered, or is too short to be ciphertext. */
export function decrypt(encrypted: string, key: EncryptionKey): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64')
  // node:crypto throws for a nonce or a tag of another length, and browsers send arbitrary cookies.
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, deriveKey(key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    // A wrong key shows as a wrong tag.
    return undefined
  }
}

/** The secret has 256 random bits, so no slow derivation is needed. */
function deriveKey({ secret, purpose }: EncryptionKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, purpose, 'cms-server sealed answer', KEY_BYTES))
}
