// Delivers to one webhook: its changes one after the other, the next when the one before was delivered.

import type { Poster } from '../../outgoing/post.ts'
import {
  type Webhook,
  type WebhookDelivery,
  type WebhookProgress,
  webhook,
  webhookSecret,
} from '../../schema/webhook.ts'
import type { Services } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { type ChangeEvent, readChanges } from '../trail/changes.ts'
import { type Attempt, type Attempted, tryOnce } from './attempt.ts'
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
import { changeMessage, testMessage } from './message.ts'
import { signingKeys } from './signing.ts'
import type { Slots } from './delivery-slots.ts'
import { openWanted } from './change-filter.ts'

export interface LaneParts extends LineParts {
  readonly services: Services
  readonly post: Poster['post']
  readonly slots: Slots
  /** Nothing more is begun. */
  readonly stopping: AbortSignal
  /** What is on its way is ended, too. */
  readonly aborted: AbortSignal
  readonly onOutcome: (isDelivered: boolean) => void
  readonly onError: (error: unknown) => void
}

export interface Lane {
  /** There may be something to do. */
  readonly wake: () => void
  readonly test: () => Promise<WebhookDelivery>
  readonly status: () => LaneStatus
  /** Resolves when the webhook is gone, or all is to stop. */
  readonly ended: Promise<void>
}

interface LaneStatus extends Pick<WebhookProgress, 'state' | 'position'> {
  /** Neither paused nor given up. */
  readonly isActive: boolean
}

/** Changes that are read at once. */
const BATCH = 100
/** Where the changes cannot be read. */
const AGAIN_MS = 10_000

export function openLane(parts: LaneParts, id: number): Lane {
  const { stopping } = parts
  const line = newLine(parts, id)
  const inTurn = openTurns(parts.slots)
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

  /** Milliseconds until there may be more to do; undefined where the webhook is gone. */
  async function next(): Promise<number | undefined> {
    const record = findRecord(parts, line)
    if (record === undefined) return undefined
    isActive = record.status === 'active' && line.progress.state !== 'given_up'
    return isActive ? step(parts, line, { record, inTurn }) : Infinity
  }

  return {
    wake: pauses.wake,
    status: () => ({ ...line.progress, isActive }),
    // A test may be on its way, too.
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

/** One request at a time, and of all webhooks as many as there are places. */
function openTurns(slots: Slots) {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      const giveBack = await slots.take()
      return work().finally(giveBack)
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
    /** Until it is woken, or for so long; not at all where it was woken since it began. */
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
  readonly inTurn: ReturnType<typeof openTurns>
}

/** Does what is next; milliseconds until there may be more to do. */
async function step(parts: LaneParts, line: Line, { record, inTurn }: Step): Promise<number> {
  const waitMs = waitMsOf(line)
  if (waitMs > 0) return waitMs
  const [change] = line.queue
  if (change === undefined) return fill(parts, line, record)
  await parts.log.room()
  const { turn } = line.progress
  await inTurn(async () => {
    // What was changed while it waited for its turn.
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
  const sight = openWanted(services, record)
  const wants = (change: ChangeEvent): boolean => sight(change) !== undefined
  const found = await readChanges(services, { ...asked, wants })
  findRecord(parts, line)
  if (line.progress.turn !== turn) return 0
  // Some may have been removed while it read.
  const { removed } = readChangeLog(services.records)
  if (asked.after < removed) {
    giveUp(parts, line, { record, reason: goneReason(asked.after, removed) })
    return 0
  }
  line.queue = found.changes.flatMap((change) => {
    const shown = sight(change)
    return shown === undefined ? [] : [{ sequence: change.sequence, shown }]
  })
  line.readTo = found.position
  if (line.queue.length > 0) return 0
  pass(parts, line, record)
  return found.isEnd ? Infinity : 0
}

/** No gap is passed over in silence. */
function goneReason(position: number, removed: number): string {
  return (
    `The changes from ${position + 1} to ${removed} were not delivered, and are not kept any more: see --audit-days and --audit-rows. ` +
    `Read what you need anew, then go on by a replay since ${removed}.`
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
  // Who stops does not fail: it is delivered again.
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
