// Delivers to one webhook: its changes in order, each after the previous one was delivered.

import type { Poster } from '../../outgoing/post.ts'
import {
  type Webhook,
  webhook,
  type WebhookDelivery,
  type WebhookProgress,
  webhookSecret,
} from '../../schema/webhook.ts'
import type { Services } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { type ChangeEvent, readChanges } from '../trail/changes.ts'
import { type Attempt, type Attempted, signingKeys, tryOnce } from './attempt.ts'
import { changeMessage, openWebhookView, testMessage } from './message.ts'
import {
  type DueChange,
  findRecord,
  giveUp,
  type Line,
  type LineParts,
  newLine,
  pass,
  savePosition,
  settle,
  waitMsOf,
} from './delivery-progress.ts'

export interface LaneParts extends LineParts {
  readonly services: Services
  readonly post: Poster['post']
  readonly slots: Slots
  /** Aborts when no further work may begin. */
  readonly stopping: AbortSignal
  /** Aborts when running requests must end, too. */
  readonly aborted: AbortSignal
  readonly onOutcome: (isDelivered: boolean) => void
  readonly onError: (error: unknown) => void
}

export interface Lane {
  /** Checks for new work. */
  readonly wake: () => void
  readonly test: () => Promise<WebhookDelivery>
  readonly status: () => LaneStatus
  /** Resolves when the webhook was deleted, or the sender stops. */
  readonly ended: Promise<void>
}

interface LaneStatus extends Pick<WebhookProgress, 'state' | 'position'> {
  /** Neither paused nor given up. */
  readonly isActive: boolean
}

/** Changes per read. */
const BATCH = 100
/** Delay after an error in reading changes. */
const AGAIN_MS = 10_000

export function openLane(parts: LaneParts, id: number): Lane {
  const { stopping } = parts
  const line = newLine(parts, id)
  const inTurn = openTimeSlice(parts.slots)
  const pauses = openPauses()
  let isActive = false

  async function run(): Promise<void> {
    while (!stopping.aborted) {
      pauses.begin()
      const restMs = await next().catch((error: unknown) => {
        parts.onError(error)
        return AGAIN_MS
      })
      if (restMs === undefined) return
      await pauses.rest(restMs)
    }
    const record = findRecord(parts, line)
    if (record !== undefined) savePosition(parts, line, record)
  }

  /** Milliseconds until there may be more to do; undefined if the webhook was deleted. */
  async function next(): Promise<number | undefined> {
    const record = findRecord(parts, line)
    if (record === undefined) return undefined
    isActive = record.status === 'active' && line.progress.state !== 'given_up'
    return isActive ? step(parts, line, { record, inTurn }) : Infinity
  }

  return {
    wake: pauses.wake,
    status: () => ({ ...line.progress, isActive }),
    // Waits for a running test, too.
    ended: run().then(() => inTurn(async () => undefined)),
    test: () =>
      inTurn(async () => {
        const delivery = await sendTest(parts, id)
        parts.log.note({ webhookId: id, progress: undefined, delivery })
        return delivery
      }),
  }
}

type Posting = Pick<LaneParts, 'services' | 'post' | 'aborted'>

export async function sendTest(parts: Posting, id: number): Promise<WebhookDelivery> {
  const { services } = parts
  const { record } = requireRecord(services.records, webhook, id)
  const message = testMessage(record, services.now())
  const { delivery } = await send(parts, { record, message, attempt: 1 })
  return delivery
}

/** Runs one request at a time per webhook, and as many for all webhooks as there are slots. */
function openTimeSlice(slots: Slots) {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      const release = await slots.take()
      return work().finally(release)
    })
    last = turn.catch(() => undefined)
    return turn
  }
}

function openPauses() {
  let isNudged = false
  let end: (() => void) | undefined
  return {
    begin(): void {
      isNudged = false
    },
    wake(): void {
      isNudged = true
      end?.()
    },
    /** Waits for a wake-up or the timeout; returns at once if woken since `begin`. */
    async rest(ms: number): Promise<void> {
      if (isNudged || ms === 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        end = resolve
        if (ms < Infinity) timer = setTimeout(resolve, ms).unref()
      })
      clearTimeout(timer)
      end = undefined
    },
  }
}

interface Step {
  readonly record: Webhook
  readonly inTurn: ReturnType<typeof openTimeSlice>
}

/** Takes the next step; returns the milliseconds until there may be more to do. */
async function step(parts: LaneParts, line: Line, { record, inTurn }: Step): Promise<number> {
  const waitMs = waitMsOf(line)
  if (waitMs > 0) return waitMs
  const [change] = line.queue
  if (change === undefined) return fill(parts, line, record)
  await parts.log.room()
  const { turn } = line.progress
  await inTurn(async () => {
    // The record may have changed while the request waited for its slot.
    const current = parts.stopping.aborted ? undefined : findRecord(parts, line)
    if (current?.status === 'active' && line.queue[0] === change)
      await deliver(parts, line, { record: current, change, turn })
  })
  return 0
}

async function fill(parts: LaneParts, line: Line, record: Webhook): Promise<number> {
  const { services } = parts
  const { turn, position } = line.progress
  const asked = { after: Math.max(position, line.readTo), length: BATCH }
  const view = openWebhookView(services, record)
  const wants = (change: ChangeEvent): boolean => view(change) !== undefined
  const found = await readChanges(services, { ...asked, wants })
  findRecord(parts, line)
  if (line.progress.turn !== turn) return 0
  // Changes may have been removed during the read.
  const { removed } = readChangeLog(services.records)
  if (asked.after < removed) {
    giveUp(parts, line, { record, reason: goneReason(asked.after, removed) })
    return 0
  }
  line.queue = found.changes.flatMap((change) => {
    const shown = view(change)
    return shown === undefined ? [] : [{ sequence: change.sequence, shown }]
  })
  line.readTo = found.position
  if (line.queue.length > 0) return 0
  pass(parts, line, record)
  return found.isEnd ? Infinity : 0
}

/** A gap is always reported. */
function goneReason(position: number, removed: number): string {
  return (
    `The changes from ${position + 1} to ${removed} were not delivered and are no longer stored: see --audit-days and --audit-rows. ` +
    `Read the records again, then continue with a replay since ${removed}.`
  )
}

interface Due {
  readonly record: Webhook
  readonly change: DueChange
  readonly turn: number
}

async function deliver(parts: LaneParts, line: Line, { record, change, turn }: Due): Promise<void> {
  const { epoch } = readChangeLog(parts.services.records)
  const message = changeMessage({ webhookId: line.id, epoch }, change)
  const attempt = line.progress.attempts + 1
  const attempted = await send(parts, { record, message, attempt })
  const { delivery, failure } = attempted
  // A request that was aborted by a stop is not a failure: the delivery is repeated.
  if (parts.aborted.aborted && failure !== undefined) return
  parts.onOutcome(failure === undefined)
  if (findRecord(parts, line) === undefined) return
  if (line.progress.turn === turn) settle(parts, line, { record, ...attempted, change })
  else parts.log.note({ webhookId: line.id, progress: undefined, delivery })
}

interface Sending {
  readonly record: Webhook
  readonly message: Attempt['message']
  readonly attempt: number
}

async function send(
  { services, post, aborted }: Posting,
  { record, message, attempt }: Sending,
): Promise<Attempted> {
  const { records, webhooks } = services
  const now = services.now()
  const stored = records.get(webhookSecret, record.webhook_id)
  const keys = stored && signingKeys(stored.value, webhooks.cipher, now)
  const { url } = record
  return tryOnce(post, { message, url, keys, attempt, now, signal: aborted })
}

interface Slots {
  /** Resolves to a function that releases the slot. */
  readonly take: () => Promise<() => void>
}

/** A counting semaphore with waiters in FIFO order. */
export function openSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => void waiting.push(resolve))
      return release
    },
  }
}
