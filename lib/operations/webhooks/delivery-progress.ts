// State of the sender for one webhook: its progress, which is ahead of the stored progress by the queued rows of the
// delivery log, and the next changes. A request that sets the position increments the turn; then the stored progress
// applies.

import {
  type Webhook,
  type WebhookDelivery,
  type WebhookProgress,
  webhook,
} from '../../schema/webhook.ts'
import type { Services } from '../context.ts'
import type { ShownChange } from '../following/change-visibility.ts'
import type { Attempted, Failure } from './attempt.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { longestDelayMs, retryDelayMs } from './retry-schedule.ts'
import { progressOf } from './webhook-showing.ts'

export interface LineParts {
  readonly services: Pick<Services, 'records' | 'limits' | 'lived' | 'now'>
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
  const { limits, lived, now } = parts.services
  const { reason, retryAfter, isFinal } = failure
  const attempts = line.progress.attempts + 1
  const date_failing = line.progress.date_failing ?? delivery.date
  line.progress = { ...line.progress, attempts, date_failing }
  if (isFinal) return giveUp(parts, line, { record, reason, delivery })
  if (lived.since(date_failing) >= limits.webhookGiveUpMs) {
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
