// The webhook operations beyond the common object pattern: pause, resume, replay, rotate, test, and the delivery log.

import {
  LIST_DELIVERIES,
  PAUSE_WEBHOOK,
  REPLAY_WEBHOOK,
  RESUME_WEBHOOK,
  ROTATE_WEBHOOK,
  TEST_WEBHOOK,
} from './docs/webhook-docs.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { json } from '../http/reply.ts'
import type { Context, RecordInput } from '../operations/context.ts'
import { parseDuration } from '../operations/people/api-keys.ts'
import { listDeliveries } from '../operations/webhooks/delivery-log.ts'
import { readWebhook, webhookVisibility } from '../operations/webhooks/webhook-visibility.ts'
import {
  pauseWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhook,
  testWebhook,
} from '../operations/webhooks/webhooks.ts'
import { refuseField } from '../schema/check.ts'
import type { Stored } from '../schema/values.ts'
import { readActionBody } from './request/action-body.ts'
import { newestFirstReply, readNewestFirst } from './request/newest-first.ts'
import { recordReply } from './request/record-reply.ts'
import {
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const WEBHOOK = '/api/v2/webhook/:id'
/** How long the old secret also signs by default, because receivers need time to switch to the new secret. */
const KEEP_SECONDS = 86_400

export const webhookRoutes: readonly Route[] = [
  stateRoute('pause', pauseWebhook, PAUSE_WEBHOOK),
  stateRoute('resume', resumeWebhook, RESUME_WEBHOOK),
  defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/replay`,
    access: ['admin'],
    action: 'update',
    summary: 'Send all changes after a sequence number again',
    docs: REPLAY_WEBHOOK,
    read: async (request) => {
      const input = readAction(request)
      const { since } = await readActionBody(request, ['since'])
      return { ...input, since: checkSince(since) }
    },
    run: (context, input) => replayWebhook(context, input),
    recall: (context, { id }) => readWebhook(context, id),
    reply: changedReply,
  }),
  defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/rotate`,
    access: ['admin'],
    action: 'rotate',
    summary: 'Create a new secret; the old secret also signs for keep_old (default 24h)',
    docs: ROTATE_WEBHOOK,
    read: async (request) => {
      const input = readAction(request)
      const { keep_old: keep } = await readActionBody(request, ['keep_old'])
      const isGiven = keep !== undefined && keep !== null
      return { ...input, keepSeconds: isGiven ? parseDuration(keep, 'keep_old') : KEEP_SECONDS }
    },
    run: (context, input) => rotateWebhook(context, input),
    recall: 'secret',
    reply: ({ stored, secret }, request, context) =>
      recordReply(context, request, {
        status: 200,
        visibility: webhookVisibility,
        stored,
        extra: { secret },
      }),
  }),
  defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/test`,
    access: ['admin'],
    changesNothing: true,
    summary: 'Send a test message and return the result',
    docs: TEST_WEBHOOK,
    read: async (request) => {
      const { id } = readAction(request)
      await readActionBody(request, [])
      return id
    },
    run: (context, id) => testWebhook(context, id),
    reply: (delivery) => json(200, delivery),
  }),
  defineRoute({
    method: 'GET',
    path: `${WEBHOOK}/delivery`,
    access: ['admin'],
    summary: 'List the delivery attempts of a webhook, newest first',
    docs: LIST_DELIVERIES,
    read: (request) => readNewestFirst(request),
    run: (context, asked) => ({ asked, ...listDeliveries(context, asked) }),
    reply: ({ deliveries, ...page }, request) => {
      const texts = deliveries.map((delivery) => JSON.stringify(delivery))
      return newestFirstReply(request, { name: 'webhook_delivery', texts, ...page })
    },
  }),
]

function stateRoute(
  name: 'pause' | 'resume',
  run: (context: Context, input: RecordInput) => Promise<Stored>,
  docs: EndpointDocs,
): Route {
  return defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/${name}`,
    access: ['admin'],
    action: 'update',
    summary:
      name === 'pause'
        ? 'Pause the webhook until it is resumed'
        : 'Resume the webhook at once where it stopped, and retry deliveries that were given up',
    docs,
    read: async (request) => {
      const input = readAction(request)
      await readActionBody(request, [])
      return input
    },
    run: (context, input) => run(context, input),
    recall: (context, { id }) => readWebhook(context, id),
    reply: changedReply,
  })
}

function changedReply(stored: Stored, request: Request, context: Context) {
  return recordReply(context, request, { status: 200, visibility: webhookVisibility, stored })
}

function readAction(request: Request): RecordInput {
  requireKnownParameters(request.query, [])
  return { id: readId(request, 'id'), precondition: readPrecondition(request) }
}

function checkSince(since: unknown): number {
  if (Number.isSafeInteger(since) && Number(since) >= 0) return Number(since)
  return refuseField(
    'since',
    'must be a sequence number, a whole number from 0; all changes after it are sent again',
  )
}
