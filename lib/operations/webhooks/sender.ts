// Sends changes to the webhooks: a lane for each, woken when something has changed. It runs in the process that writes, from the
// moment on in which the server listens; of several that write in one of them (background/leases.ts), and in another when
// that is no more. How it goes on after any stop stands in the records: progress and secret of each.

import { setMaxListeners } from 'node:events'
import type { TextCipher } from '../../auth/text-cipher.ts'
import { CmsError } from '../../base/errors.ts'
import type { Poster } from '../../outgoing/post.ts'
import { type WebhookDelivery, webhook } from '../../schema/webhook.ts'
import type { Held } from '../background/leases.ts'
import type { Services } from '../context.ts'
import { newestSequence, waitForChange } from '../trail/changes.ts'
import { openDeliveryLog } from './delivery-log.ts'
import { type Lane, type LaneParts, openLane, sendTest } from './delivery-queue.ts'
import type { LineState } from './delivery-progress.ts'
import type { Webhooks } from './sender-port.ts'
import { openSlots } from './delivery-slots.ts'

export interface SenderStatus {
  readonly delivered: number
  readonly failed: number
  /** Of the one that is farthest behind, in changes. */
  readonly lag: number
  readonly states: Readonly<Record<LineState['state'], number>>
}

export interface Sender extends Webhooks {
  /** To be called first: with it a test is sent also where another process sends the changes. */
  readonly know: (services: Services) => void
  /** Sends while the work is this process's, or until it is closed. */
  readonly run: (services: Services, held: Pick<Held, 'signal' | 'require'>) => Promise<void>
  readonly status: () => SenderStatus
  /** Begins nothing more, waits so long for what is on its way, and writes down what has become of it. */
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

  /** Where another process sends: whether the receiver can be reached is asked from here all the same. */
  async function testFromHere(services: Services, id: number): Promise<WebhookDelivery> {
    const { records, limits } = services
    const log = openDeliveryLog({ records, kept: limits.webhookDeliveries, onError })
    // It ends by its own time.
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
  // Of each request that is on its way; Node takes more than ten for a leak.
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

/** Of those who send, one after the other: each reads all webhooks anew. */
interface Begun {
  readonly services: Services
  readonly parts: LaneParts
  readonly stopping: AbortController
  readonly aborting: AbortController
  readonly lanes: Map<number, Lane>
}

interface Running extends Begun {
  /** Resolves when nothing is on its way any more, and what has become of it is written down. */
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

/** What is done at each change: lanes look at it, and webhooks that another process has made get theirs. */
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

/** Until the signal. */
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
