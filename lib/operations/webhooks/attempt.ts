// One delivery attempt: the request, and the meaning of its answer.

import { createHmac, randomBytes } from 'node:crypto'
import type { TextCipher } from '../../auth/site-cipher.ts'
import type { Posted, Poster } from '../../outgoing/post.ts'
import {
  WEBHOOK_SECRET_PREFIX,
  type WebhookDelivery,
  type WebhookSecret,
} from '../../schema/webhook.ts'

export interface Attempted {
  readonly delivery: WebhookDelivery
  /** Undefined after a successful delivery. */
  readonly failure: Failure | undefined
}

export interface Failure {
  readonly reason: string
  readonly retryAfter: string | undefined
  /** The receiver wants no further deliveries. */
  readonly isFinal: boolean
}

export interface Attempt {
  readonly message: Message & Pick<WebhookDelivery, 'type' | 'sequence'>
  readonly url: string
  /** Undefined if the site can no longer read the secret. */
  readonly keys: readonly Buffer[] | undefined
  readonly attempt: number
  readonly now: Date
  readonly signal: AbortSignal
}

const GONE = 410
/** The key of the site was lost or replaced. */
const UNREADABLE = new Error('the site can no longer read its secret: rotate it')

export async function tryOnce(
  post: Poster['post'],
  { message, url, keys, attempt, now, signal }: Attempt,
): Promise<Attempted> {
  const started = performance.now()
  const { body } = message
  const outcome =
    keys === undefined
      ? UNREADABLE
      : await post({ url, headers: signedHeaders(message, keys, now), body, signal }).catch(
          (error: unknown) => error as Error,
        )
  const posted = outcome instanceof Error ? undefined : outcome
  const failure = outcome instanceof Error ? noAnswer(outcome) : failureOf(outcome)
  const { id, type, sequence } = message
  return {
    failure,
    delivery: {
      type,
      message_id: id,
      sequence,
      attempt,
      date: now.toISOString(),
      status: posted?.status ?? null,
      ms: Math.round(performance.now() - started),
      error: failure?.reason ?? null,
      answer: posted?.answer ?? null,
    },
  }
}

function noAnswer({ message }: Error): Failure {
  return { reason: `Not delivered: ${message}.`, retryAfter: undefined, isFinal: false }
}

function failureOf({ status, retryAfter, location }: Posted): Failure | undefined {
  if (status >= 200 && status < 300) return undefined
  return { reason: reasonOf(status, location), retryAfter, isFinal: status === GONE }
}

const MAX_SHOWN = 200

function reasonOf(status: number, location: string | undefined): string {
  if (status === GONE) return 'The receiver answered 410: it wants no further deliveries.'
  if (status < 300 || status >= 400) return `The receiver answered ${status}.`
  const to = location === undefined ? '' : ` to ${location.slice(0, MAX_SHOWN)}`
  return `The receiver answered ${status}, a redirect${to}. Redirects are not followed: set the final address as url.`
}

const SECRET_BYTES = 32

interface NewSecret {
  /** The form shown once to the user. */
  readonly shown: string
  /** The stored form. */
  readonly encrypted: string
}

/**
 * The secret of a webhook and its signatures, as Standard Webhooks specifies (symmetric, v1): HMAC-SHA-256 of
 * "id.timestamp.body" under the bytes of the secret, in base64. Several signatures are separated by spaces.
 */
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

interface Message {
  readonly id: string
  readonly body: string
}

/** The headers of one delivery attempt. */
function signedHeaders(
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
