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
  type DeliveryProgress,
  type DueChange,
  openProgress,
  type ProgressParts,
} from './delivery-progress.ts'

export interface LaneParts extends ProgressParts {
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

interface LaneStatus extends Pick<WebhookProgress, 'state' | 'position'> {
  /** Neither paused nor given up. */
  readonly isActive: boolean
}

/** Changes per read. */
const BATCH = 100
/** Delay after an error in reading changes. */
const AGAIN_MS = 10_000

export function openLane(parts: LaneParts, webhookId: number): Lane {
  return new Lane(parts, webhookId)
}

export class Lane {
  /** Resolves when the webhook was deleted, or the sender stops. */
  readonly ended: Promise<void>
  readonly #parts: LaneParts
  readonly #webhookId: number
  readonly #progress: DeliveryProgress
  readonly #inTurn: ReturnType<typeof openTimeSlice>
  readonly #pauses = openPauses()
  #isActive = false

  constructor(parts: LaneParts, webhookId: number) {
    this.#parts = parts
    this.#webhookId = webhookId
    this.#progress = openProgress(parts, webhookId)
    this.#inTurn = openTimeSlice(parts.slots)
    // Waits for a running test, too.
    this.ended = this.#run().then(() => this.#inTurn(async () => undefined))
  }

  /** Checks for new work. */
  wake(): void {
    this.#pauses.wake()
  }

  status(): LaneStatus {
    return { ...this.#progress.now(), isActive: this.#isActive }
  }

  test(): Promise<WebhookDelivery> {
    return this.#inTurn(async () => {
      const delivery = await sendTest(this.#parts, this.#webhookId)
      this.#parts.log.note({ webhookId: this.#webhookId, progress: undefined, delivery })
      return delivery
    })
  }

  async #run(): Promise<void> {
    const { stopping, onError } = this.#parts
    while (!stopping.aborted) {
      this.#pauses.begin()
      const restMs = await this.#next().catch((error: unknown) => {
        onError(error)
        return AGAIN_MS
      })
      if (restMs === undefined) return
      await this.#pauses.rest(restMs)
    }
    const record = this.#progress.findRecord()
    if (record !== undefined) this.#progress.savePosition(record)
  }

  /** Milliseconds until there may be more to do; undefined if the webhook was deleted. */
  async #next(): Promise<number | undefined> {
    const record = this.#progress.findRecord()
    if (record === undefined) return undefined
    this.#isActive = record.status === 'active' && this.#progress.now().state !== 'given_up'
    return this.#isActive ? this.#step(record) : Infinity
  }

  /** Takes the next step; returns the milliseconds until there may be more to do. */
  async #step(record: Webhook): Promise<number> {
    const progress = this.#progress
    const waitMs = progress.waitMs()
    if (waitMs > 0) return waitMs
    const change = progress.next()
    if (change === undefined) return this.#fill(record)
    await this.#parts.log.room()
    const { turn } = progress.now()
    await this.#inTurn(async () => {
      // The record may have changed while the request waited for its slot.
      const current = this.#parts.stopping.aborted ? undefined : progress.findRecord()
      if (current?.status === 'active' && progress.next() === change)
        await this.#deliver(current, change, turn)
    })
    return 0
  }

  async #fill(record: Webhook): Promise<number> {
    const { services } = this.#parts
    const progress = this.#progress
    const { turn } = progress.now()
    const after = progress.readFrom()
    const view = openWebhookView(services, record)
    const wants = (change: ChangeEvent): boolean => view(change) !== undefined
    const found = await readChanges(services, { after, length: BATCH, wants })
    progress.findRecord()
    if (progress.now().turn !== turn) return 0
    // Changes may have been removed during the read.
    const { removed } = readChangeLog(services.records)
    if (after < removed) {
      progress.giveUp(record, goneReason(after, removed))
      return 0
    }
    const due = found.changes.flatMap((change) => {
      const shown = view(change)
      return shown === undefined ? [] : [{ sequence: change.sequence, shown }]
    })
    progress.enqueue(due, found.position)
    if (due.length > 0) return 0
    progress.pass(record)
    return found.isEnd ? Infinity : 0
  }

  async #deliver(record: Webhook, change: DueChange, turn: number): Promise<void> {
    const { services, aborted, onOutcome, log } = this.#parts
    const webhookId = this.#webhookId
    const { epoch } = readChangeLog(services.records)
    const message = changeMessage({ webhookId, epoch }, change)
    const attempt = this.#progress.now().attempts + 1
    const attempted = await send(this.#parts, { record, message, attempt })
    const { delivery, failure } = attempted
    // A request that was aborted by a stop is not a failure: the delivery is repeated.
    if (aborted.aborted && failure !== undefined) return
    onOutcome(failure === undefined)
    if (this.#progress.findRecord() === undefined) return
    const isCurrent = this.#progress.now().turn === turn
    if (isCurrent) this.#progress.settle(record, change, attempted)
    else log.note({ webhookId, progress: undefined, delivery })
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

/** A gap is always reported. */
function goneReason(position: number, removed: number): string {
  return (
    `The changes from ${position + 1} to ${removed} were not delivered and are no longer stored: see --audit-days and --audit-rows. ` +
    `Read the records again, then continue with a replay since ${removed}.`
  )
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
