// The body sent to receivers: type, timestamp and data, as Standard Webhooks specifies.

import { randomUUID } from 'node:crypto'
import type { Webhook } from '../../schema/webhook.ts'
import type { Attempt } from './attempt.ts'
import type { DueChange } from './delivery-progress.ts'

interface Sender {
  readonly webhookId: number
  /** The epoch of the change log: after a restore, the same numbers stand for other changes. */
  readonly epoch: string
}

/** The same at every attempt, and after a restart or a replay: receivers recognize repeated messages by the id. */
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
