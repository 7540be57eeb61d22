// What is done with webhooks beyond the common pattern: pause, resume, replay, rotate, test, and the log of deliveries.

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
import type { Context } from '../operations/context.ts'
import { parseDuration } from '../operations/people/api-keys.ts'
import { listDeliveries } from '../operations/webhooks/deliveries.ts'
import { readWebhook, webhookShowing } from '../operations/webhooks/webhook-showing.ts'
import {
  type ActionInput,
  pauseWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhook,
  testWebhook,
} from '../operations/webhooks/webhooks.ts'
import { refuseField, requireObject } from '../schema/check.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import { linkHeader, totalHeader } from './request/list-reply.ts'
import { recordReply } from './request/record-reply.ts'
import {
  readId,
  readNumber,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const WEBHOOK = '/api/v2/webhook/:id'
/** How long the old secret signs, too, without a wish: receivers need time to learn the new one. */
const KEEP_SECONDS = 86_400

export const webhookRoutes: readonly Route[] = [
  stateRoute('pause', pauseWebhook, PAUSE_WEBHOOK),
  stateRoute('resume', resumeWebhook, RESUME_WEBHOOK),
  defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/replay`,
    access: ['admin'],
    action: 'update',
    summary: 'Send once more what was changed after a sequence',
    docs: REPLAY_WEBHOOK,
    read: async (request) => {
      const input = readAction(request)
      const { since } = await readBody(request, ['since'])
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
    summary: 'A new secret; the old one signs, too, for keep_old (24h unless it is given)',
    docs: ROTATE_WEBHOOK,
    read: async (request) => {
      const input = readAction(request)
      const { keep_old: keep } = await readBody(request, ['keep_old'])
      const isGiven = keep !== undefined && keep !== null
      return { ...input, keepSeconds: isGiven ? parseDuration(keep, 'keep_old') : KEEP_SECONDS }
    },
    run: (context, input) => rotateWebhook(context, input),
    recall: 'secret',
    reply: ({ stored, secret }, request, context) =>
      recordReply(context, request, {
        status: 200,
        showing: webhookShowing,
        stored,
        extra: { secret },
      }),
  }),
  defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/test`,
    access: ['admin'],
    changesNothing: true,
    summary: 'Send a message that says that it is a test, and tell what became of it',
    docs: TEST_WEBHOOK,
    read: async (request) => {
      const { id } = readAction(request)
      await readBody(request, [])
      return id
    },
    run: (context, id) => testWebhook(context, id),
    reply: (delivery) => json(200, delivery),
  }),
  defineRoute({
    method: 'GET',
    path: `${WEBHOOK}/delivery`,
    access: ['admin'],
    summary: 'What was sent to a webhook and what it has answered, newest first',
    docs: LIST_DELIVERIES,
    read: (request) => {
      requireKnownParameters(request.query, ['cursor', 'length'])
      const { listLength, maxListLength } = request.limits
      return {
        id: readId(request, 'id'),
        before: readNumber(request.query, 'cursor'),
        length: readNumber(request.query, 'length', maxListLength) ?? listLength,
      }
    },
    run: (context, input) => ({ input, list: listDeliveries(context, input) }),
    reply: ({ input, list }, request) => {
      const { deliveries, total } = list
      const next = list.next === undefined ? undefined : String(list.next)
      const start = input.before === undefined ? 1 : null
      const page = { start, length: input.length, total, next: next ?? null }
      const headers = { ...totalHeader(total), ...linkHeader(request, next) }
      return json(200, { webhook_delivery: deliveries, page }, headers)
    },
  }),
]

function stateRoute(
  name: 'pause' | 'resume',
  run: (context: Context, input: ActionInput) => Promise<Stored>,
  docs: EndpointDocs,
): Route {
  return defineRoute({
    method: 'POST',
    path: `${WEBHOOK}/${name}`,
    access: ['admin'],
    action: 'update',
    summary:
      name === 'pause'
        ? 'Send nothing more until it is resumed'
        : 'Go on where it was, and at once: also what was given up',
    docs,
    read: async (request) => {
      const input = readAction(request)
      await readBody(request, [])
      return input
    },
    run: (context, input) => run(context, input),
    recall: (context, { id }) => readWebhook(context, id),
    reply: changedReply,
  })
}

function changedReply(stored: Stored, request: Request, context: Context) {
  return recordReply(context, request, { status: 200, showing: webhookShowing, stored })
}

function readAction(request: Request): ActionInput {
  requireKnownParameters(request.query, [])
  return { id: readId(request, 'id'), precondition: readPrecondition(request) }
}

/** It may be left out where nothing in it is needed. */
async function readBody(request: Request, known: readonly string[]): Promise<JsonObject> {
  const given = await request.json(undefined, true)
  const body = requireObject(given === undefined ? {} : given)
  const rule = known.length === 0 ? 'send no body' : `the only field is ${known.join(', ')}`
  for (const name of Object.keys(body))
    if (!known.includes(name)) refuseField(name, `is not known here; ${rule}`)
  return body
}

function checkSince(since: unknown): number {
  if (Number.isSafeInteger(since) && Number(since) >= 0) return Number(since)
  return refuseField(
    'since',
    'must be a sequence, after which everything is sent: a whole number from 0',
  )
}
