// OpenAPI descriptions of the webhook operations beyond the common object pattern.

import type { ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { EXAMPLE_DATE } from '../../schema/object.ts'
import { EXAMPLE_WEBHOOK_SECRET, WEBHOOK_SECRET_SCHEMA, webhook } from '../../schema/webhook.ts'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../../docs/examples.ts'
import { IF_MATCH, newestFirstParameters } from '../../docs/parameters.ts'
import { rotateDocs } from './object-docs.ts'
import { pageSchema, schemaRef } from '../../docs/schemas.ts'

const TAG = webhook.name
const NO_BODY = 'Send no body, or {}.'
/** Problems of operations that document no body but receive one. */
const BODY_PROBLEMS = [413, 415, 422]

function afterAnswer(): ResponseObject {
  return jsonAnswer('The webhook after the change.', {
    schema: schemaRef(webhook.name),
    example: exampleRecord(webhook),
    headers: ['ETag'],
  })
}

export const PAUSE_WEBHOOK = stateDocs('pause', NO_BODY)
export const RESUME_WEBHOOK = stateDocs(
  'resume',
  `A delivery that was given up is retried. ${NO_BODY}`,
)

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
    'Sends all changes after `since` again, in order, each with its previous `webhook-id`. If these changes are no longer in the log, ' +
    'the error says where the log begins. A delivery that was given up is retried.',
  parameters: [IF_MATCH],
  body: jsonBody({
    schema: {
      type: 'object',
      required: ['since'],
      properties: {
        since: { type: 'integer', minimum: 0, description: 'Sequence number of a change.' },
      },
    },
    example: { since: 0 },
    limit: BODY_LIMITS.json,
  }),
  answers: { 200: afterAnswer() },
}

export const ROTATE_WEBHOOK = rotateDocs(webhook, {
  description:
    'Until the old secret expires, `webhook-signature` has a signature of each secret, separated by a space. An even older secret expires at once.',
  keepOld:
    'How long the old secret also signs: 30d, 12h, 90s, or a number of seconds; 0: the old secret expires at once.',
  answer: 'The webhook with its new secret.',
  secret: WEBHOOK_SECRET_SCHEMA,
  example: EXAMPLE_WEBHOOK_SECRET,
})

const DELIVERY: SchemaObject = {
  type: 'object',
  description: 'One delivery attempt and its result.',
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
    number: {
      type: 'integer',
      minimum: 1,
      description: 'Number of the attempt in the delivery log; numbers increase.',
    },
    type: {
      type: 'string',
      description:
        'Type of the event, as sent to the receiver: asset_file.update, or webhook.test.',
    },
    message_id: {
      type: 'string',
      description: 'Value of the header webhook-id, the same for every attempt.',
    },
    sequence: {
      type: ['integer', 'null'],
      description: 'Sequence number of the change; null for a test.',
    },
    attempt: { type: 'integer', minimum: 1, description: 'Number of the attempt for this change.' },
    date: { type: 'string', format: 'date-time', description: 'Start of the attempt.' },
    status: {
      type: ['integer', 'null'],
      description: 'HTTP status of the response; null if there was none.',
    },
    ms: { type: 'integer', minimum: 0, description: 'Duration in milliseconds.' },
    error: {
      type: ['string', 'null'],
      description: 'Why the attempt failed; null if it succeeded.',
    },
    answer: { type: ['string', 'null'], description: 'The first KiB of the response body.' },
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
  description: `Sends one message of type webhook.test after the deliveries that are in progress, also to a webhook that is paused or given up. ${NO_BODY}`,
  answers: {
    200: jsonAnswer('The result of the attempt. If the delivery failed, error says why.', {
      schema: DELIVERY,
      example: { ...EXAMPLE_DELIVERY, type: 'webhook.test', sequence: null },
    }),
  },
  problems: BODY_PROBLEMS,
}

export const LIST_DELIVERIES: EndpointDocs = {
  tag: TAG,
  operationId: 'list_webhook_deliveries',
  description: 'The last 1,000 delivery attempts of the last 30 days.',
  parameters: newestFirstParameters(),
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema('webhook_delivery', DELIVERY),
      example: examplePage('webhook_delivery', { number: 1, ...EXAMPLE_DELIVERY }),
      headers: ['Link', 'X-Total'],
    }),
  },
}
