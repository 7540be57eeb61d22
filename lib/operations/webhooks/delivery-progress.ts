// State of the sender for one webhook: its progress, which is ahead of the stored progress by the queued rows of the
// delivery log, and the next changes. A request that sets the position increments the turn; then the stored progress
// applies.

import {
  type Webhook,
  webhook,
  type WebhookDelivery,
  type WebhookProgress,
} from '../../schema/webhook.ts'
import type { Services } from '../context.ts'
import type { ShownChange } from '../following/change-visibility.ts'
import type { Attempted, Failure } from './attempt.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { progressOf } from './webhook-visibility.ts'

export interface ProgressParts {
  readonly services: Pick<Services, 'records' | 'limits' | 'retentionClock' | 'now'>
  readonly log: DeliveryLog
  readonly onState: (told: LineState) => void
}

/** Reported at each change of state. */
export interface LineState {
  readonly webhook_id: number
  readonly name: string
  readonly state: WebhookProgress['state']
  readonly error: string | null
}

/** A queued change. */
export interface DueChange {
  readonly sequence: number
  readonly shown: ShownChange
}

const FINE = {
  state: 'delivering',
  attempts: 0,
  date_failing: null,
  date_retry: null,
  last_error: null,
} as const

/** Interval for storing a position that moves past unwanted changes, so that the log before it can be trimmed. */
const SAVE_EVERY_MS = 60_000

export function openProgress(parts: ProgressParts, webhookId: number): DeliveryProgress {
  return new DeliveryProgress(parts, webhookId)
}

export class DeliveryProgress {
  readonly #parts: ProgressParts
  readonly #webhookId: number
  #progress: WebhookProgress
  /** On the monotonic clock. */
  #retryAt: number
  #queue: readonly DueChange[] = []
  /** The sequence number up to which changes were read into the queue. */
  #readTo: number
  /** Revision and turn for which the queue was built. */
  #queueOf = ''
  #savedAt = performance.now()
  #savedPosition: number

  constructor(parts: ProgressParts, webhookId: number) {
    const { records, limits, now } = parts.services
    this.#parts = parts
    this.#webhookId = webhookId
    this.#progress = progressOf(records, webhookId)
    const { position, date_retry } = this.#progress
    const ms = date_retry === null ? 0 : Date.parse(date_retry) - now().getTime()
    const delayMs = Math.min(Math.max(ms, 0), longestDelayMs(limits.webhookRetryMs))
    this.#retryAt = this.#savedAt + delayMs
    this.#readTo = position
    this.#savedPosition = position
  }

  now(): WebhookProgress {
    return this.#progress
  }

  /** The next change to send; undefined if the queue is empty. */
  next(): DueChange | undefined {
    return this.#queue[0]
  }

  /** The sequence number after which the next changes are read. */
  readFrom(): number {
    return Math.max(this.#progress.position, this.#readTo)
  }

  enqueue(changes: readonly DueChange[], readTo: number): void {
    this.#queue = changes
    this.#readTo = readTo
  }

  /** The present record; undefined if it was deleted. Drops a queue that was built for another revision or turn. */
  findRecord(): Webhook | undefined {
    const { records } = this.#parts.services
    const stored = records.get(webhook.recordType, this.#webhookId)
    if (stored === undefined) return undefined
    const progress = progressOf(records, this.#webhookId)
    if (progress.turn !== this.#progress.turn) {
      this.#progress = progress
      this.#savedPosition = progress.position
      this.#retryAt = performance.now()
    }
    const name = `${stored.revision} ${progress.turn}`
    if (name !== this.#queueOf) this.enqueue([], this.#progress.position)
    this.#queueOf = name
    return stored.value
  }

  /** Milliseconds until the next attempt. */
  waitMs(): number {
    const isWaiting = this.#progress.state === 'waiting'
    return isWaiting ? Math.max(this.#retryAt - performance.now(), 0) : 0
  }

  /** Moves the position past changes that are not sent. */
  pass(record: Webhook): void {
    this.#progress = { ...this.#progress, position: this.readFrom() }
    if (performance.now() - this.#savedAt > SAVE_EVERY_MS) this.savePosition(record)
  }

  savePosition(record: Webhook): void {
    if (this.#progress.position !== this.#savedPosition) this.#move(record, {})
  }

  /** Records the outcome of a delivery attempt. */
  settle(record: Webhook, change: DueChange, { delivery, failure }: Attempted): void {
    if (failure !== undefined) return this.#fail(record, delivery, failure)
    // The queue may have been rebuilt meanwhile, for a changed record.
    this.#queue = this.#queue.filter((item) => item.sequence > change.sequence)
    const next = { ...FINE, position: change.sequence, date_delivered: delivery.date }
    this.#move(record, next, delivery)
  }

  giveUp(record: Webhook, reason: string, delivery?: WebhookDelivery): void {
    const next = { state: 'given_up', last_error: reason, date_retry: null } as const
    this.#move(record, next, delivery)
  }

  #fail(record: Webhook, delivery: WebhookDelivery, failure: Failure): void {
    const { limits, retentionClock, now } = this.#parts.services
    const { reason, retryAfter, isFinal } = failure
    const attempts = this.#progress.attempts + 1
    const date_failing = this.#progress.date_failing ?? delivery.date
    this.#progress = { ...this.#progress, attempts, date_failing }
    if (isFinal) return this.giveUp(record, reason, delivery)
    if (retentionClock.since(date_failing) >= limits.webhookGiveUpMs) {
      const since = `${reason} Deliveries have failed since ${date_failing}.`
      return this.giveUp(record, since, delivery)
    }
    const asked = { attempts, firstRetryMs: limits.webhookRetryMs, retryAfter, now: now() }
    const delayMs = retryDelayMs(asked)
    this.#retryAt = performance.now() + delayMs
    const date_retry = new Date(now().getTime() + delayMs).toISOString()
    this.#move(record, { state: 'waiting', date_retry, last_error: reason }, delivery)
  }

  #move({ name }: Webhook, next: Partial<WebhookProgress>, delivery?: WebhookDelivery): void {
    const { log, onState } = this.#parts
    const webhookId = this.#webhookId
    const before = this.#progress.state
    const progress = { ...this.#progress, ...next }
    this.#progress = progress
    this.#savedAt = performance.now()
    this.#savedPosition = progress.position
    log.note({ webhookId, progress, delivery })
    const { state, last_error: error } = progress
    if (state !== before) onState({ webhook_id: webhookId, name, state, error })
  }
}

/**
 * Multiples of the first delay: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, then daily, as Standard Webhooks
 * proposes.
 */
const RETRY_FACTORS = [1, 60, 360, 1_440, 3_600, 7_200, 10_080, 14_400, 17_280]
/** Lengthens each delay randomly, so that a recovered receiver is not called by all senders at once. */
const JITTER = 0.1
/** Upper limit for the Retry-After of a receiver. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000

interface FailedAttempts {
  /** Number of failed attempts so far, including this one. */
  readonly attempts: number
  readonly firstRetryMs: number
  /** The header as sent by the receiver. */
  readonly retryAfter: string | undefined
  readonly now: Date
}

export function retryDelayMs({ attempts, firstRetryMs, retryAfter, now }: FailedAttempts): number {
  const factor = RETRY_FACTORS[Math.min(attempts, RETRY_FACTORS.length) - 1] ?? 1
  const ownMs = firstRetryMs * factor * (1 + Math.random() * JITTER)
  return Math.max(ownMs, askedMs(retryAfter, now))
}

/** Seconds, or a date (RFC 9110, 10.2.3). Invalid values are ignored. */
function askedMs(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}

/** The longest possible delay, whatever is stored and however the clock was set since. */
function longestDelayMs(firstRetryMs: number): number {
  return Math.max(firstRetryMs * (RETRY_FACTORS.at(-1) ?? 1) * (1 + JITTER), MAX_RETRY_AFTER_MS)
}
