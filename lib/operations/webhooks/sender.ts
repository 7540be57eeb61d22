// Sends changes to the webhooks: one lane per webhook, woken by new changes. Runs in the writing process, once the
// server listens. In a cluster one process sends (background/leases.ts); another takes over if that process stops.
// Progress and secret of each webhook are stored, so sending resumes after any stop.

import { setMaxListeners } from 'node:events'
import type { TextCipher } from '../../auth/site-cipher.ts'
import { CmsError } from '../../base/errors.ts'
import type { Poster } from '../../outgoing/post.ts'
import { type WebhookDelivery, webhook } from '../../schema/webhook.ts'
import type { Held } from '../background/leases.ts'
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
  readonly run: (services: Services, held: Pick<Held, 'signal' | 'require'>) => Promise<void>
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
  let running: Running | undefined
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
    notice(id) {
      if (running !== undefined) noticeIn(running, id)
    },
    written: async () => running?.parts.log.written(),
    async test(id) {
      const lane = running?.lanes.get(id)
      if (lane !== undefined) return lane.test()
      if (isClosed || known === undefined)
        throw new CmsError('unavailable', 'The server is stopping.')
      return testFromHere(known, id)
    },
    know: (services) => void (known = services),
    async run(services, held) {
      if (isClosed || held.signal.aborted) return
      const own = begin({ ...options, slots, counts }, services, held)
      running = own
      const lose = (): void => {
        own.stopping.abort()
        own.aborting.abort()
      }
      held.signal.addEventListener('abort', lose, { once: true })
      await own.done
      held.signal.removeEventListener('abort', lose)
      if (running === own) running = undefined
    },
    status: () => ({ ...counts, ...statusOf(running) }),
    async close(timeoutMs) {
      isClosed = true
      const own = running
      own?.stopping.abort()
      const timer = setTimeout(() => own?.aborting.abort(), timeoutMs)
      await own?.done
      clearTimeout(timer)
      await poster.close()
    },
  }
}

interface Sending extends SenderOptions {
  readonly slots: LaneParts['slots']
  readonly counts: { delivered: number; failed: number }
}

function begin(
  { poster, slots, counts, onState, onError }: Sending,
  services: Services,
  held: Pick<Held, 'signal' | 'require'>,
): Running {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  // Each running request adds a listener; Node reports more than ten as a leak.
  setMaxListeners(0, aborting.signal)
  const { records, limits } = services
  const onOwnError = (error: unknown): void => {
    if (!held.signal.aborted) onError(error)
  }
  const log = openDeliveryLog({ records, kept: limits.webhookDeliveries, onError: onOwnError })
  const parts: LaneParts = {
    services,
    async post(asked) {
      held.require()
      return poster.post(asked)
    },
    slots,
    log,
    stopping: stopping.signal,
    aborted: aborting.signal,
    onOutcome: (isDelivered) => void (counts[isDelivered ? 'delivered' : 'failed'] += 1),
    onState,
    onError: onOwnError,
  }
  const begun = { services, parts, stopping, aborting, lanes: new Map<number, Lane>() }
  const following = follow(services, openWaking(begun), stopping.signal).catch(onOwnError)
  return { ...begun, done: onAbort(stopping.signal).then(() => end(begun, following)) }
}

function noticeIn({ services, parts, lanes, stopping }: Begun, id: number): void {
  const lane = lanes.get(id)
  if (lane !== undefined) return lane.wake()
  if (stopping.signal.aborted) return
  if (services.records.get(webhook.recordType, id) === undefined) return
  const opened = openLane(parts, id)
  lanes.set(id, opened)
  void opened.ended.catch(parts.onError).finally(() => lanes.delete(id))
}

/** One run of the sender; each run reads all webhooks again. */
interface Begun {
  readonly services: Services
  readonly parts: LaneParts
  readonly stopping: AbortController
  readonly aborting: AbortController
  readonly lanes: Map<number, Lane>
}

interface Running extends Begun {
  /** Resolves when no request is running and all outcomes are stored. */
  readonly done: Promise<void>
}

function onAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function end({ lanes, parts }: Begun, following: Promise<void>): Promise<void> {
  for (const lane of lanes.values()) lane.wake()
  await Promise.all(Array.from(lanes.values(), ({ ended }) => ended.catch(() => undefined)))
  await following
  await parts.log.close()
}

/** Returns the handler for new changes: wakes all lanes, and opens lanes for webhooks that another process created. */
function openWaking(begun: Begun): () => void {
  const { records } = begun.services
  let newest = -1
  return () => {
    const highest = records.highestId(webhook.recordType)
    if (highest === newest) {
      for (const lane of begun.lanes.values()) lane.wake()
      return
    }
    newest = highest
    for (const [id] of records.list(webhook.recordType, [])) noticeIn(begun, Number(id))
  }
}

/** Runs until the signal aborts. */
async function follow(
  services: Services,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !services.changeWatch.closing.aborted) {
    const seen = newestSequence(services)
    onChange()
    await waitForChange(services, seen, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}

function statusOf(running: Running | undefined): Pick<SenderStatus, 'lag' | 'states'> {
  const states = { delivering: 0, waiting: 0, given_up: 0 }
  let lag = 0
  if (running === undefined) return { lag, states }
  const newest = newestSequence(running.services)
  for (const lane of running.lanes.values()) {
    const { state, position, isActive } = lane.status()
    states[state] += 1
    if (isActive) lag = Math.max(lag, newest - position)
  }
  return { lag, states }
}
