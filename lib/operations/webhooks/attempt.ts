// One delivery attempt: the request, and the meaning of its answer.

import type { Posted, Poster } from '../../outgoing/post.ts'
import type { WebhookDelivery } from '../../schema/webhook.ts'
import { type Message, signedHeaders } from './signing.ts'

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
