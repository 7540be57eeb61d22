// What the sender knows of one webhook: its progress, which is ahead of what is stored by what the log of deliveries has yet to
// commit, and the changes that come next. Who sets the position raises the turn, and then what is stored is what counts.

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
import { longestDelayMs, retryDelayMs } from './retry-times.ts'
import { progressOf } from './webhook-showing.ts'

export interface LineParts {
  readonly services: Pick<Services, 'records' | 'limits' | 'lived' | 'now'>
  readonly log: DeliveryLog
  readonly onState: (told: LineState) => void
}

/** Told at each change of it. */
export interface LineState {
  readonly webhook_id: number
  readonly name: string
  readonly state: WebhookProgress['state']
  readonly error: string | null
}

/** The next to be delivered are those of a queue. */
export interface DueChange {
  readonly sequence: number
  readonly shown: ShownChange
}

export interface Line {
  readonly id: number
  progress: WebhookProgress
  /** By a clock that nobody sets. */
  retryAt: number
  queue: readonly DueChange[]
  /** Where the queue was read up to. */
  readTo: number
  /** What the queue was made for. */
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

/** A position that moves past what is not wanted is written down at times: what lies before it may be trimmed. */
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

/** The record as it is now; undefined where it is gone. Drops what was made for another one, or another turn. */
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

/** Moves past what is not to be sent. */
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

/** What has become of an attempt to deliver. */
export function settle(
  parts: LineParts,
  line: Line,
  { record, change, delivery, failure }: Settled,
): void {
  if (failure !== undefined) return fail(parts, line, { record, delivery, failure })
  // It may have been read anew meanwhile, for a record that has changed.
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
    const since = `${reason} It has failed since ${date_failing}.`
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
