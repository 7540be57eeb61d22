// The body sent to receivers: type, timestamp and data, as Standard Webhooks specifies.

import { randomUUID } from 'node:crypto'
import type { Caller } from '../../auth/caller.ts'
import { UNLIMITED } from '../../auth/key-role.ts'
import type { Webhook } from '../../schema/webhook.ts'
import type { Reader } from '../../storage/port.ts'
import { type ChangeView, openChangeView } from '../following/change-visibility.ts'
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

const NO_RECORD = {
  name: '',
  owner: '',
  date_added: '',
  date_modified: '',
  status: 'active',
} as const

/** A synthetic caller: the creator of a webhook sees the whole site, and the webhook outlives the creator's key. */
const WHOLE_SITE: Caller = {
  secretHash: '',
  dateEnds: null,
  user: {
    ...NO_RECORD,
    user_id: 0,
    role: 'admin',
    category_roles: [],
    role_grants: null,
    display_name: null,
    former_names: null,
    email: null,
  },
  key: {
    ...NO_RECORD,
    ...UNLIMITED,
    api_key_id: 0,
    user_id: 0,
    date_expires: null,
    hint: '',
    made_by: null,
    date_signed_in: null,
  },
}

/**
 * Decides which changes are sent to a webhook, and in which form: the changes that a key for the whole site sees, through
 * the filters of the webhook. A record that leaves the webhook's folder appears as deleted, and a record that enters the
 * folder as created. A view is for changes that are read together.
 */
export function openWebhookView(
  { records, basePath }: { readonly records: Pick<Reader, 'get'>; readonly basePath: string },
  { objects, actions, asset_category_id: folder }: Webhook,
): ChangeView {
  const filter = {
    objects: objects === null ? undefined : new Set(objects),
    actions: actions === null ? undefined : new Set(actions),
    categoryId: folder ?? undefined,
  }
  return openChangeView({ reader: records, caller: WHOLE_SITE, basePath }, filter)
}
