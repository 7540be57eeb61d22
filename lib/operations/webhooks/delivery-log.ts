// Commits the outcome of deliveries for many webhooks together, after a short delay: a commit for each would cost
// more than the deliveries. Deliveries forgotten in a crash are repeated under the same id.

import type { JsonObject } from '../../schema/values.ts'
import {
  webhook,
  type WebhookDelivery,
  webhookDelivery,
  type WebhookProgress,
  webhookProgress,
} from '../../schema/webhook.ts'
import type { Records, Unit } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Context, Services } from '../context.ts'
import { newestPage, type NewestPage, type NumberRange } from '../newest-page.ts'
import { progressOf, readWebhook } from './webhook-visibility.ts'

interface Noted {
  readonly webhookId: number
  /** The new progress; undefined if it has not changed. */
  readonly progress: WebhookProgress | undefined
  /** Undefined if nothing was sent. */
  readonly delivery: WebhookDelivery | undefined
}

export interface DeliveryLog {
  readonly note: (noted: Noted) => void
  /** Resolves when the queue has room for further deliveries. */
  readonly room: () => Promise<void>
  /** Resolves when everything noted so far is committed, or a commit has failed. */
  readonly written: () => Promise<void>
  /** Commits the whole queue. */
  readonly close: () => Promise<void>
}

interface LogOptions {
  readonly records: Records
  /** Rows kept per webhook. */
  readonly kept: number
  readonly onError: (error: unknown) => void
}

const GATHER_MS = 100
/** Delay after a failed commit. */
const AGAIN_MS = 1_000
/** Rows per commit. */
const BATCH = 250
/** Queue limit: a crash would forget the queue, and a full disk would let it fill the memory. */
const MAX_WAITING = 1_000

export function openDeliveryLog({ records, kept, onError }: LogOptions): DeliveryLog {
  let waiting: Noted[] = []
  let noted = 0
  let watchers: Watcher[] = []
  let running: Promise<void> | undefined
  let isClosing = false

  function begin(): void {
    running ??= run().finally(() => {
      running = undefined
      if (waiting.length > 0 && !isClosing) begin()
    })
  }

  async function run(): Promise<void> {
    if (!isClosing) await pause(GATHER_MS)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      try {
        await records.commit((unit) => putAll(unit, batch, kept))
        waiting = waiting.slice(batch.length)
        wakeUpTo(noted - waiting.length)
      } catch (error) {
        onError(error)
        wakeUpTo(noted)
        if (isClosing) return
        await pause(AGAIN_MS)
      }
    }
  }

  function wakeUpTo(count: number): void {
    const told = watchers.filter(({ upTo }) => upTo <= count)
    watchers = watchers.filter(({ upTo }) => upTo > count)
    for (const { wake } of told) wake()
  }

  /** Resolves when the first `upTo` rows are committed, or a commit has failed. */
  async function until(upTo: number): Promise<void> {
    if (upTo <= noted - waiting.length) return
    await new Promise<void>((wake) => void watchers.push({ upTo, wake }))
  }

  return {
    note(next) {
      waiting.push(next)
      noted += 1
      begin()
    },
    async room() {
      while (waiting.length > MAX_WAITING) await until(noted - MAX_WAITING)
    },
    written: () => until(noted),
    async close() {
      isClosing = true
      await running
      if (waiting.length > 0) await run()
    },
  }
}

interface Watcher {
  readonly upTo: number
  readonly wake: () => void
}

/** The timer does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

function putAll(unit: Unit, batch: readonly Noted[], kept: number): void {
  const ids = new Set(batch.map(({ webhookId }) => webhookId))
  for (const id of ids) {
    const noted = batch.filter(({ webhookId }) => webhookId === id)
    // The webhook may have been deleted meanwhile.
    if (unit.get(webhook.recordType, id) === undefined) continue
    const before = progressOf(unit, id)
    const rows = noted.flatMap(({ delivery }) => (delivery === undefined ? [] : [delivery]))
    for (const [at, row] of rows.entries()) {
      const number = before.deliveries + at + 1
      unit.put(webhookDelivery, [id, number], row)
      if (number > kept) unit.remove(webhookDelivery, id, number - kept)
    }
    const last = noted.findLast(({ progress }) => progress?.turn === before.turn)?.progress
    const deliveries = before.deliveries + rows.length
    unit.put(webhookProgress, [id], { ...before, ...last, deliveries })
  }
}

const EXPIRE_EVERY_MS = 3_600_000
/** Rows per commit. */
const EXPIRED_BATCH = 200

interface DeliveryPage extends Pick<NewestPage, 'next'> {
  /** Newest first. */
  readonly deliveries: readonly JsonObject[]
  readonly total: number
}

export function listDeliveries(
  context: Context,
  { id, ...range }: NumberRange & { readonly id: number },
): DeliveryPage {
  readWebhook(context, id)
  const { records } = context
  const all = records.list(webhookDelivery, [id]).map(([, number]) => Number(number))
  const { numbers, next } = newestPage(all, range)
  const deliveries = numbers.flatMap((number) => {
    const stored = records.get(webhookDelivery, id, number)
    return stored === undefined ? [] : [{ number, ...stored.value }]
  })
  return { deliveries, total: all.length, next }
}

type Needed = Pick<Services, 'records' | 'background' | 'retentionClock' | 'limits'>

/** Removes expired rows, now and every hour, until the signal aborts. */
export async function expireDeliveries(services: Needed, signal: AbortSignal): Promise<void> {
  const rounds = { name: 'expire-deliveries', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeExpired(services, signal))
}

async function removeExpired(
  { records, retentionClock, limits }: Needed,
  signal: AbortSignal,
): Promise<void> {
  for (const [id = 0] of records.list(webhook.recordType, [])) {
    const numbers = records.list(webhookDelivery, [id]).map(([, number]) => Number(number))
    const end = numbers.findIndex((number) => {
      const date = records.get(webhookDelivery, id, number)?.value.date
      return date !== undefined && retentionClock.since(date) <= limits.webhookDeliveryMs
    })
    const expired = end === -1 ? numbers : numbers.slice(0, end)
    for (let done = 0; done < expired.length && !signal.aborted; done += EXPIRED_BATCH)
      await records.commit((unit) => {
        for (const number of expired.slice(done, done + EXPIRED_BATCH))
          unit.remove(webhookDelivery, id, number)
      })
  }
}
