// The delivery log: a bounded number of rows per webhook; new rows replace the oldest.

import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../schema/values.ts'
import { webhook, webhookDelivery } from '../../schema/webhook.ts'
import type { Context, Services } from '../context.ts'
import { readWebhook } from './webhook-showing.ts'

const EXPIRE_EVERY_MS = 3_600_000
/** Rows per commit. */
const BATCH = 200

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly JsonObject[]
  readonly total: number
  /** The start of the next page. */
  readonly next: number | undefined
}

export interface DeliveryQuery {
  readonly id: number
  /** Returns rows with a lower number; undefined starts at the newest. */
  readonly before: number | undefined
  readonly length: number
}

export function listDeliveries(
  context: Context,
  { id, before, length }: DeliveryQuery,
): DeliveryPage {
  readWebhook(context, id)
  const { records } = context
  const all = records.list(webhookDelivery, [id]).map(([, number]) => Number(number))
  const wanted = all.filter((number) => before === undefined || number < before).toReversed()
  const numbers = wanted.slice(0, length)
  const deliveries = numbers.flatMap((number) => {
    const stored = records.get(webhookDelivery, id, number)
    return stored === undefined ? [] : [{ number, ...stored.value }]
  })
  return {
    deliveries,
    total: all.length,
    next: wanted.length > length ? numbers.at(-1) : undefined,
  }
}

type Needed = Pick<Services, 'records' | 'background' | 'lived' | 'limits'>

/** Removes expired rows, now and every hour, until the signal aborts. */
export async function expireDeliveries(services: Needed, signal: AbortSignal): Promise<void> {
  for (;;) {
    // An error is logged, and the next round runs as usual.
    await services.background.run('expire-deliveries', () => removeExpired(services, signal))
    await sleep(EXPIRE_EVERY_MS, undefined, { signal, ref: false })
  }
}

async function removeExpired(
  { records, lived, limits }: Needed,
  signal: AbortSignal,
): Promise<void> {
  for (const [id = 0] of records.list(webhook.recordType, [])) {
    const numbers = records.list(webhookDelivery, [id]).map(([, number]) => Number(number))
    const end = numbers.findIndex((number) => {
      const date = records.get(webhookDelivery, id, number)?.value.date
      return date !== undefined && lived.since(date) <= limits.webhookDeliveryMs
    })
    const expired = end === -1 ? numbers : numbers.slice(0, end)
    for (let done = 0; done < expired.length && !signal.aborted; done += BATCH)
      await records.commit((unit) => {
        for (const number of expired.slice(done, done + BATCH))
          unit.remove(webhookDelivery, id, number)
      })
  }
}
