// Sends changes to the webhooks: a lane for each, woken when something has changed. It runs in the process that writes, from the
// moment on in which the server listens. How it goes on after any stop stands in the records: progress and secret of each.

import { setMaxListeners } from 'node:events'
import type { TextCipher } from '../../auth/text-cipher.ts'
import { CmsError } from '../../errors.ts'
import type { Poster } from '../../outgoing/post.ts'
import { webhook } from '../../schema/webhook.ts'
import type { Services } from '../context.ts'
import { newestSequence, waitForChange } from '../trail/changes.ts'
import { openDeliveryLog } from './delivery-log.ts'
import { type Lane, type LaneParts, openLane } from './lane.ts'
import type { LineState } from './line.ts'
import type { Webhooks } from './sender-port.ts'
import { openSlots } from './slots.ts'

export interface SenderStatus {
  readonly delivered: number
  readonly failed: number
  /** Of the one that is farthest behind, in changes. */
  readonly lag: number
  readonly states: Readonly<Record<LineState['state'], number>>
}

export interface Sender extends Webhooks {
  readonly begin: (services: Services) => void
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

export function openSender({ cipher, poster, atOnce, onState, onError }: SenderOptions): Sender {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  // Of each request that is on its way; Node takes more than ten for a leak.
  setMaxListeners(0, aborting.signal)
  const lanes = new Map<number, Lane>()
  const slots = openSlots(atOnce)
  const counts = { delivered: 0, failed: 0 }
  let running: Running | undefined

  function begin(services: Services): void {
    const { records, limits } = services
    const log = openDeliveryLog({ records, kept: limits.webhookDeliveries, onError })
    const parts: LaneParts = {
      services,
      post: poster.post,
      slots,
      log,
      stopping: stopping.signal,
      aborted: aborting.signal,
      onOutcome: (isDelivered) => void (counts[isDelivered ? 'delivered' : 'failed'] += 1),
      onState,
      onError,
    }
    const following = follow(services, wakeAll, stopping.signal).catch(onError)
    running = { services, parts, following }
    for (const [id] of records.list(webhook.recordType, [])) notice(Number(id))
  }

  function notice(id: number): void {
    const lane = lanes.get(id)
    if (lane !== undefined) return lane.wake()
    if (running === undefined || stopping.signal.aborted) return
    const { records } = running.services
    if (records.get(webhook.recordType, id) === undefined) return
    const opened = openLane(running.parts, id)
    lanes.set(id, opened)
    void opened.ended.catch(onError).finally(() => lanes.delete(id))
  }

  function wakeAll(): void {
    for (const lane of lanes.values()) lane.wake()
  }

  return {
    cipher,
    faultOf: poster.faultOf,
    notice,
    written: async () => running?.parts.log.written(),
    async test(id) {
      const lane = lanes.get(id)
      if (lane === undefined) throw new CmsError('unavailable', 'The server is stopping.')
      return lane.test()
    },
    begin,
    status: () => ({ ...counts, ...statusOf(lanes, running) }),
    async close(timeoutMs) {
      stopping.abort()
      const timer = setTimeout(() => aborting.abort(), timeoutMs)
      await end(lanes, running)
      clearTimeout(timer)
      await poster.close()
    },
  }
}

async function end(lanes: ReadonlyMap<number, Lane>, running: Running | undefined): Promise<void> {
  for (const lane of lanes.values()) lane.wake()
  await Promise.all(Array.from(lanes.values(), ({ ended }) => ended.catch(() => undefined)))
  await running?.following
  await running?.parts.log.close()
}

interface Running {
  readonly services: Services
  readonly parts: LaneParts
  readonly following: Promise<void>
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

function statusOf(
  lanes: ReadonlyMap<number, Lane>,
  running: Running | undefined,
): Pick<SenderStatus, 'lag' | 'states'> {
  const states = { delivering: 0, waiting: 0, given_up: 0 }
  const newest = running === undefined ? 0 : newestSequence(running.services)
  let lag = 0
  for (const lane of lanes.values()) {
    const { state, position, isActive } = lane.status()
    states[state] += 1
    if (isActive) lag = Math.max(lag, newest - position)
  }
  return { lag, states }
}
