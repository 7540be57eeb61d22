// What a receiver is sent: type, timestamp and data, as Standard Webhooks proposes.

import { randomUUID } from 'node:crypto'
import type { Webhook } from '../../schema/webhook.ts'
import type { Attempt } from './attempt.ts'
import type { DueChange } from './delivery-progress.ts'

interface Sender {
  readonly webhookId: number
  /** Of the log: numbers of a restored one stand for other changes. */
  readonly epoch: string
}

/** The same at every attempt, and after a restart or a replay: by its id a receiver knows what it has had. */
export function changeMessage(
  { webhookId, epoch }: Sender,
  { sequence, shown }: DueChange,
): Attempt['message'] {
  const { object, action, date_added } = shown
  const type = `${object}.${action}`
  const body = JSON.stringify({ type, timestamp: date_added, data: shown })
  return { id: `msg_${epoch}_${webhookId}_${sequence}`, type, sequence, body }
}

export function testMessage({ webhook_id, name }: Webhook, now: Date): Attempt['message'] {
  const type = 'webhook.test'
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data: { webhook_id, name } })
  return { id: `msg_${webhook_id}_${randomUUID()}`, type, sequence: null, body }
}
