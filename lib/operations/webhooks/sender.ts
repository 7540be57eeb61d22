// Sends changes to the webhooks: one lane per webhook, woken by new changes. Runs in the writing process, once the
// server listens. In a cluster one process sends (background/leases.ts); another takes over if that process stops.
// Progress and secret of each webhook are stored, so sending resumes after any stop.

import { setMaxListeners } from 'node:events'
import type { TextCipher } from '../../auth/site-cipher.ts'
import { CmsError } from '../../base/errors.ts'
import type { Poster } from '../../outgoing/post.ts'
import { type WebhookDelivery, webhook } from '../../schema/webhook.ts'
import type { HeldLease } from '../background/leases.ts'
import type { Services, Webhooks } from '../context.ts'
import { newestSequence, waitForChange } from '../trail/changes.ts'
import { openDeliveryLog } from './delivery-log.ts'
import { type Lane, type LaneParts, openLane, openSlots, sendTest } from './delivery-queue.ts'
import type { LineState } from './delivery-progress.ts'

export interface SenderStatus {
  readonly delivered: number
  readonly failed: number
  /** Lag of the slowest active webhook, in changes. */
  readonly lag: number
  readonly states: Readonly<Record<LineState['state'], number>>
}

export interface Sender extends Webhooks {
  /** Call it first, so that tests can be sent even if another process sends the changes. */
  readonly know: (services: Services) => void
  /** Sends while this process owns the work, or until the sender is closed. */
  readonly run: (services: Services, lease: Pick<HeldLease, 'signal' | 'require'>) => Promise<void>
  readonly status: () => SenderStatus
  /** Begins nothing more, waits up to the timeout for running requests, and stores their outcome. */
  readonly close: (timeoutMs: number) => Promise<void>
}

export interface SenderOptions {
  readonly cipher: TextCipher
  readonly poster: Poster
  readonly atOnce: number
  readonly onState: (told: LineState) => void
  readonly onError: (error: unknown) => void
}

export function openSender(options: SenderOptions): Sender {
  const { cipher, poster, atOnce, onError } = options
  const slots = openSlots(atOnce)
  const counts = { delivered: 0, failed: 0 }
  let known: Services | undefined
  let running: Run | undefined
  let isClosed = false

  /** Another process sends the changes; the test shows whether this machine reaches the receiver. */
  async function testFromHere(services: Services, id: number): Promise<WebhookDelivery> {
    const { records, limits } = services
    const log = openDeliveryLog({ records, kept: limits.webhookDeliveries, onError })
    // The test ends by its own timeout.
    const { signal: aborted } = new AbortController()
    const delivery = await sendTest({ services, post: poster.post, aborted }, id)
    log.note({ webhookId: id, progress: undefined, delivery })
    await log.close()
    return delivery
  }

  return {
    cipher,
    faultOf: poster.faultOf,
    notice: (id) => running?.notice(id),
    written: async () => running?.written(),
    async test(id) {
      const tested = running?.test(id)
      if (tested !== undefined) return tested
      if (isClosed || known === undefined)
        throw new CmsError('unavailable', 'The server is stopping.')
      return testFromHere(known, id)
    },
    know: (services) => void (known = services),
    async run(services, lease) {
      if (isClosed || lease.signal.aborted) return
      const own = openRun({ slots, counts, services, lease, ...options })
      running = own
      const lose = (): void => own.abort()
      lease.signal.addEventListener('abort', lose, { once: true })
      await own.done
      lease.signal.removeEventListener('abort', lose)
      if (running === own) running = undefined
    },
    status: () => ({ ...counts, ...(running?.status() ?? idle()) }),
    async close(timeoutMs) {
      isClosed = true
      const own = running
      own?.stop()
      const timer = setTimeout(() => own?.abort(), timeoutMs)
      await own?.done
      clearTimeout(timer)
      await poster.close()
    },
  }
}

interface RunOptions extends SenderOptions {
  readonly slots: LaneParts['slots']
  readonly counts: { delivered: number; failed: number }
  readonly services: Services
  readonly lease: Pick<HeldLease, 'signal' | 'require'>
}

function openRun(options: RunOptions): Run {
  return new Run(options)
}

/** One run of the sender; each run reads all webhooks again. */
class Run {
  /** Resolves when no request is running and all outcomes are stored. */
  readonly done: Promise<void>
  readonly #services: Services
  readonly #parts: LaneParts
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #lanes = new Map<number, Lane>()
  /** The highest id when all lanes were last opened. */
  #highestId = -1

  constructor({ services, lease, poster, slots, counts, onState, ...options }: RunOptions) {
    // Each running request adds a listener; Node reports more than ten as a leak.
    setMaxListeners(0, this.#aborting.signal)
    const { records, limits } = services
    const onError = (error: unknown): void => {
      if (!lease.signal.aborted) options.onError(error)
    }
    this.#services = services
    this.#parts = {
      services,
      async post(asked) {
        lease.require()
        return poster.post(asked)
      },
      slots,
      log: openDeliveryLog({ records, kept: limits.webhookDeliveries, onError }),
      stopping: this.#stopping.signal,
      aborted: this.#aborting.signal,
      onOutcome: (isDelivered) => void (counts[isDelivered ? 'delivered' : 'failed'] += 1),
      onState,
      onError,
    }
    const following = this.#follow().catch(onError)
    this.done = onAbort(this.#stopping.signal).then(() => this.#end(following))
  }

  /** Wakes the lane of the webhook. */
  notice(id: number): void {
    const lane = this.#lanes.get(id)
    if (lane !== undefined) return lane.wake()
    if (this.#stopping.signal.aborted) return
    if (this.#services.records.get(webhook.recordType, id) === undefined) return
    const opened = openLane(this.#parts, id)
    this.#lanes.set(id, opened)
    void opened.ended.catch(this.#parts.onError).finally(() => this.#lanes.delete(id))
  }

  /** Undefined if the webhook has no lane. */
  test(id: number): Promise<WebhookDelivery> | undefined {
    return this.#lanes.get(id)?.test()
  }

  async written(): Promise<void> {
    await this.#parts.log.written()
  }

  status(): Pick<SenderStatus, 'lag' | 'states'> {
    const { states } = idle()
    let lag = 0
    const newest = newestSequence(this.#services)
    for (const lane of this.#lanes.values()) {
      const { state, position, isActive } = lane.status()
      states[state] += 1
      if (isActive) lag = Math.max(lag, newest - position)
    }
    return { lag, states }
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Ends running requests, too. */
  abort(): void {
    this.#stopping.abort()
    this.#aborting.abort()
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted && !this.#services.changeWatch.closing.aborted) {
      const seen = newestSequence(this.#services)
      this.#wakeAll()
      await waitForChange(this.#services, seen, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    }
  }

  /** Also opens lanes for webhooks that another process created. */
  #wakeAll(): void {
    const { records } = this.#services
    const highest = records.highestId(webhook.recordType)
    if (highest === this.#highestId) {
      for (const lane of this.#lanes.values()) lane.wake()
      return
    }
    this.#highestId = highest
    for (const [id] of records.list(webhook.recordType, [])) this.notice(Number(id))
  }

  async #end(following: Promise<void>): Promise<void> {
    const lanes = [...this.#lanes.values()]
    for (const lane of lanes) lane.wake()
    await Promise.all(lanes.map(({ ended }) => ended.catch(() => undefined)))
    await following
    await this.#parts.log.close()
  }
}

function onAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function idle() {
  return { lag: 0, states: { delivering: 0, waiting: 0, given_up: 0 } }
}
