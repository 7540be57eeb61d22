// What webhooks have beyond the common pattern.

import type { ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { EXAMPLE_DATE } from '../../schema/object.ts'
import { EXAMPLE_WEBHOOK_SECRET, WEBHOOK_SECRET_SCHEMA, webhook } from '../../schema/webhook.ts'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../../docs/examples.ts'
import { IF_MATCH, lengthParameter, query } from '../../docs/parameters.ts'
import { rotateDocs } from './rotate-docs.ts'
import { pageSchema, schemaRef } from '../../docs/schemas.ts'

const TAG = webhook.name
const NO_BODY = 'No body is needed; {} is as good.'
/** Of a body that is not empty, where none is documented. */
const BODY_PROBLEMS = [413, 415, 422]

function afterAnswer(): ResponseObject {
  return jsonAnswer('The webhook after it.', {
    schema: schemaRef(webhook.name),
    example: exampleRecord(webhook),
    headers: ['ETag'],
  })
}

export const PAUSE_WEBHOOK = stateDocs('pause', NO_BODY)
export const RESUME_WEBHOOK = stateDocs('resume', `What was given up begins anew. ${NO_BODY}`)

function stateDocs(name: string, description: string): EndpointDocs {
  return {
    tag: TAG,
    operationId: `${name}_webhook`,
    description,
    parameters: [IF_MATCH],
    answers: { 200: afterAnswer() },
    problems: BODY_PROBLEMS,
  }
}

export const REPLAY_WEBHOOK: EndpointDocs = {
  tag: TAG,
  operationId: 'replay_webhook',
  description:
    'From the change after `since` on, in order, each under the `webhook-id` that it had before. Where that is not kept any more, the ' +
    'refusal tells from where on it is. What was given up begins anew.',
  parameters: [IF_MATCH],
  body: jsonBody({
    schema: {
      type: 'object',
      required: ['since'],
      properties: {
        since: { type: 'integer', minimum: 0, description: 'A sequence of the changes.' },
      },
    },
    example: { since: 0 },
    limit: BODY_LIMITS.json,
  }),
  answers: { 200: afterAnswer() },
}

export const ROTATE_WEBHOOK = rotateDocs(webhook, {
  description:
    'Until the old secret ends, `webhook-signature` has a signature of each, separated by a space. One that is older ends at once.',
  keepOld: 'How long the old secret signs, too: 30d, 12h, 90s, or seconds; 0: not at all.',
  answer: 'The webhook, with its new secret.',
  secret: WEBHOOK_SECRET_SCHEMA,
  example: EXAMPLE_WEBHOOK_SECRET,
})

const DELIVERY: SchemaObject = {
  type: 'object',
  description: 'One attempt to deliver, and what became of it.',
  required: [
    'type',
    'message_id',
    'sequence',
    'attempt',
    'date',
    'status',
    'ms',
    'error',
    'answer',
  ],
  properties: {
    number: { type: 'integer', minimum: 1, description: 'Of the log, rising.' },
    type: {
      type: 'string',
      description: 'As the receiver was told: asset_file.update, or webhook.test.',
    },
    message_id: {
      type: 'string',
      description: 'The header webhook-id, the same at every attempt.',
    },
    sequence: { type: ['integer', 'null'], description: 'Of the change; null for a test.' },
    attempt: { type: 'integer', minimum: 1, description: 'Which one, of this change.' },
    date: { type: 'string', format: 'date-time', description: 'When it was begun.' },
    status: { type: ['integer', 'null'], description: 'Of the answer; null where there was none.' },
    ms: { type: 'integer', minimum: 0, description: 'How long it took.' },
    error: { type: ['string', 'null'], description: 'Why it has failed; null where it has not.' },
    answer: { type: ['string', 'null'], description: 'The first KiB of the answer.' },
  },
}

const EXAMPLE_DELIVERY = {
  type: 'asset_file.update',
  message_id: 'msg_1_7',
  sequence: 7,
  attempt: 1,
  date: EXAMPLE_DATE,
  status: 200,
  ms: 12,
  error: null,
  answer: 'ok',
}

export const TEST_WEBHOOK: EndpointDocs = {
  tag: TAG,
  operationId: 'test_webhook',
  description: `Of type webhook.test, sent once and behind what is on its way; also to one that is paused or given up. ${NO_BODY}`,
  answers: {
    200: jsonAnswer('What became of it, also where it was not delivered: error says why.', {
      schema: DELIVERY,
      example: { ...EXAMPLE_DELIVERY, type: 'webhook.test', sequence: null },
    }),
  },
  problems: BODY_PROBLEMS,
}

export const LIST_DELIVERIES: EndpointDocs = {
  tag: TAG,
  operationId: 'list_webhook_deliveries',
  description: 'The last 1,000, and none that is older than 30 days.',
  parameters: [
    query('cursor', 'The member page.next of the page before.', { type: 'integer', minimum: 1 }),
    lengthParameter(),
  ],
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema('webhook_delivery', DELIVERY),
      example: examplePage('webhook_delivery', { number: 1, ...EXAMPLE_DELIVERY }),
      headers: ['Link', 'X-Total'],
    }),
  },
}
