// The secret of a webhook and its signatures, as Standard Webhooks specifies (symmetric, v1): HMAC-SHA-256 of
// "id.timestamp.body" under the bytes of the secret, in base64. Several signatures are separated by spaces.

import { createHmac, randomBytes } from 'node:crypto'
import type { TextCipher } from '../../auth/text-cipher.ts'
import { WEBHOOK_SECRET_PREFIX, type WebhookSecret } from '../../schema/webhook.ts'

const SECRET_BYTES = 32

export interface NewSecret {
  /** The form shown once to the user. */
  readonly shown: string
  /** The stored form. */
  readonly encrypted: string
}

export function newWebhookSecret(cipher: TextCipher): NewSecret {
  const bytes = randomBytes(SECRET_BYTES)
  return {
    shown: WEBHOOK_SECRET_PREFIX + bytes.toString('base64'),
    encrypted: cipher.encrypt(bytes),
  }
}

/** The keys valid now, the newest first; undefined if the site can no longer read the newest. */
export function signingKeys(
  { secret, previous }: WebhookSecret,
  cipher: TextCipher,
  now: Date,
): readonly Buffer[] | undefined {
  const newest = cipher.decrypt(secret)
  if (newest === undefined) return undefined
  const isOver = previous === null || previous.date_ends <= now.toISOString()
  const before = isOver ? undefined : cipher.decrypt(previous.secret)
  return before === undefined ? [newest] : [newest, before]
}

export interface Message {
  readonly id: string
  readonly body: string
}

/** The headers of one delivery attempt. */
export function signedHeaders(
  { id, body }: Message,
  keys: readonly Buffer[],
  now: Date,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signatures = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'cms-server',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
