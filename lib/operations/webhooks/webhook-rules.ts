// Rules of webhook as an object.

import { EXAMPLE_WEBHOOK_SECRET, WEBHOOK_SECRET_SCHEMA } from '../../schema/webhook.ts'
import type { ObjectRules } from '../object-rules.ts'
import { webhookShowing } from './webhook-showing.ts'
import { createWebhook, removeWebhook, updateWebhook } from './webhooks.ts'

export const webhookRules: ObjectRules = {
  ...webhookShowing,
  readAccess: ['admin'],
  changeAccess: { create: ['admin'], update: ['admin'], remove: ['admin'] },
  body: 'json',
  needsRoom: 'record',
  async create(context, body) {
    const { stored, secret } = await createWebhook(context, body)
    return { stored, extra: { secret } }
  },
  hasSecret: true,
  update: updateWebhook,
  remove: removeWebhook,
  notes: {
    create: ['The webhook sends all later changes; `POST …/replay` sends earlier ones.'],
    created: WEBHOOK_SECRET_SCHEMA,
    createdExample: { secret: EXAMPLE_WEBHOOK_SECRET },
  },
}
