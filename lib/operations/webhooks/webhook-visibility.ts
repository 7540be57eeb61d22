// Webhooks are visible to administrators of the whole site, like the audit trail. Also decides who may change them,
// and adds their progress.

import { requireEverywhere } from '../../auth/grants.ts'
import type { Holder } from '../../auth/key-role.ts'
import { GRANTS } from '../../shared/grants.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import {
  type Webhook,
  type WebhookProgress,
  webhook,
  webhookProgress,
} from '../../schema/webhook.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireRecord } from '../requirements.ts'
import type { Visibility } from '../visibility.ts'

export const webhookVisibility: Visibility<Webhook> = {
  object: webhook,
  seen: {
    requireRead: readWebhook,
    requireMade: readWebhook,
    visibility({ caller }) {
      requireWebhookAdmin(caller)
      return undefined
    },
  },
  derive:
    ({ reader }) =>
    (record) => ({ ...shownProgress(reader, record) }),
}

function requireWebhookAdmin(caller: Holder): void {
  requireEverywhere(caller, 'admin', 'for webhooks')
}

/**
 * Requires every grant, as for a backup: a webhook makes the server send requests, and its secret authenticates
 * messages of the site. A key for metrics, which has only admin, must not change webhooks.
 */
export function requireWebhookChange(caller: Holder): void {
  for (const grant of GRANTS) requireEverywhere(caller, grant, 'to change webhooks')
}

export function readWebhook({ records, caller }: Context, id: number): Stored<Webhook> {
  requireWebhookAdmin(caller)
  return requireRecord(records, webhook, id).stored
}

export function progressOf(reader: Pick<Reader, 'get'>, id: number): WebhookProgress {
  return reader.get(webhookProgress, id)?.value ?? initialProgress(0)
}

export function initialProgress(position: number): WebhookProgress {
  return {
    position,
    turn: 1,
    state: 'delivering',
    attempts: 0,
    date_failing: null,
    date_retry: null,
    last_error: null,
    date_delivered: null,
    deliveries: 0,
  }
}

/** Progress after a restart of the webhook: from the position, without earlier failures. */
export function restartedProgress(
  before: WebhookProgress,
  position = before.position,
): WebhookProgress {
  const { deliveries, date_delivered, turn } = before
  return { ...initialProgress(position), deliveries, date_delivered, turn: turn + 1 }
}

function shownProgress(reader: Reader, record: Webhook): JsonObject {
  const { position, state, last_error, date_delivered, date_retry } = progressOf(
    reader,
    record.webhook_id,
  )
  return {
    position,
    state,
    last_error: last_error ?? faultOfFolder(reader, record),
    date_delivered,
    date_retry,
  }
}

/** The webhook is valid, but can never send anything. */
function faultOfFolder(reader: Reader, { asset_category_id: id }: Webhook): string | null {
  if (id === null || reader.get(assetCategory.recordType, id) !== undefined) return null
  return `The asset category ${id} was deleted, so this webhook will send no more changes.`
}
