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

export interface LineParts {
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

export interface Line {
  readonly id: number
  progress: WebhookProgress
  /** On the monotonic clock. */
  retryAt: number
  queue: readonly DueChange[]
  /** The sequence number up to which changes were read into the queue. */
  readTo: number
  /** Revision and turn for which the queue was built. */
  queueOf: string
  savedAt: number
  savedPosition: number
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

export function newLine({ services }: LineParts, id: number): Line {
  const progress = progressOf(services.records, id)
  const { position, date_retry } = progress
  const ms = date_retry === null ? 0 : Date.parse(date_retry) - services.now().getTime()
  const delayMs = Math.min(Math.max(ms, 0), longestDelayMs(services.limits.webhookRetryMs))
  const at = performance.now()
  return {
    id,
    progress,
    retryAt: at + delayMs,
    queue: [],
    readTo: position,
    queueOf: '',
    savedAt: at,
    savedPosition: position,
  }
}

/** The present record; undefined if it was deleted. Drops a queue that was built for another revision or turn. */
export function findRecord({ services }: LineParts, line: Line): Webhook | undefined {
  const stored = services.records.get(webhook.recordType, line.id)
  if (stored === undefined) return undefined
  const progress = progressOf(services.records, line.id)
  if (progress.turn !== line.progress.turn) {
    line.progress = progress
    line.savedPosition = progress.position
    line.retryAt = performance.now()
  }
  const name = `${stored.revision} ${line.progress.turn}`
  if (name !== line.queueOf) {
    line.queue = []
    line.readTo = line.progress.position
  }
  line.queueOf = name
  return stored.value
}

/** Milliseconds until the next attempt. */
export function waitMsOf({ progress, retryAt }: Line): number {
  return progress.state === 'waiting' ? Math.max(retryAt - performance.now(), 0) : 0
}

/** Moves the position past changes that are not sent. */
export function pass(parts: LineParts, line: Line, record: Webhook): void {
  const position = Math.max(line.progress.position, line.readTo)
  line.progress = { ...line.progress, position }
  if (performance.now() - line.savedAt > SAVE_EVERY_MS) savePosition(parts, line, record)
}

export function savePosition(parts: LineParts, line: Line, record: Webhook): void {
  if (line.progress.position !== line.savedPosition) move(parts, line, { record, next: {} })
}

interface Settled extends Attempted {
  readonly record: Webhook
  readonly change: DueChange
}

/** Records the outcome of a delivery attempt. */
export function settle(
  parts: LineParts,
  line: Line,
  { record, change, delivery, failure }: Settled,
): void {
  if (failure !== undefined) return fail(parts, line, { record, delivery, failure })
  // The queue may have been rebuilt meanwhile, for a changed record.
  line.queue = line.queue.filter((item) => item.sequence > change.sequence)
  const next = { ...FINE, position: change.sequence, date_delivered: delivery.date }
  move(parts, line, { record, next, delivery })
}

interface Failed {
  readonly record: Webhook
  readonly delivery: WebhookDelivery
  readonly failure: Failure
}

function fail(parts: LineParts, line: Line, { record, delivery, failure }: Failed): void {
  const { limits, retentionClock, now } = parts.services
  const { reason, retryAfter, isFinal } = failure
  const attempts = line.progress.attempts + 1
  const date_failing = line.progress.date_failing ?? delivery.date
  line.progress = { ...line.progress, attempts, date_failing }
  if (isFinal) return giveUp(parts, line, { record, reason, delivery })
  if (retentionClock.since(date_failing) >= limits.webhookGiveUpMs) {
    const since = `${reason} Deliveries have failed since ${date_failing}.`
    return giveUp(parts, line, { record, reason: since, delivery })
  }
  const asked = { attempts, firstRetryMs: limits.webhookRetryMs, retryAfter, now: now() }
  const delayMs = retryDelayMs(asked)
  line.retryAt = performance.now() + delayMs
  const date_retry = new Date(now().getTime() + delayMs).toISOString()
  const next = { state: 'waiting', date_retry, last_error: reason } as const
  move(parts, line, { record, next, delivery })
}

interface GivenUp {
  readonly record: Webhook
  readonly reason: string
  readonly delivery?: WebhookDelivery
}

export function giveUp(parts: LineParts, line: Line, { reason, ...of }: GivenUp): void {
  const next = { state: 'given_up', last_error: reason, date_retry: null } as const
  move(parts, line, { ...of, next })
}

interface Move {
  readonly record: Webhook
  readonly next: Partial<WebhookProgress>
  readonly delivery?: WebhookDelivery
}

function move({ log, onState }: LineParts, line: Line, { record, next, delivery }: Move): void {
  const before = line.progress.state
  const progress = { ...line.progress, ...next }
  line.progress = progress
  line.savedAt = performance.now()
  line.savedPosition = progress.position
  log.note({ webhookId: line.id, progress, delivery })
  const { state, last_error: error } = progress
  if (state !== before) onState({ webhook_id: line.id, name: record.name, state, error })
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
