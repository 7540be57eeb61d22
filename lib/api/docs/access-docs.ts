// Why something is denied.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { GRANTS } from '../../schema/grants.ts'
import { jsonAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { query } from '../../docs/parameters.ts'

const ID: SchemaObject = { type: 'integer', minimum: 1 }
const FOLDER: SchemaObject = { type: ['integer', 'null'] }

/** What `of` says of a reason. */
const REASONS = {
  object: 'there is no such record, or the key that asks may not see it',
  user: 'the user is disabled',
  key: 'the key is inactive, or has expired',
  role: 'the role of the user',
  folder: 'the role of the user in a folder on the way up',
  grants: 'the list of grants of the key',
  scope: 'the folder of the key',
  reach: 'the record, a key or user, holds more',
} as const

const ANSWER: SchemaObject = {
  type: 'object',
  required: ['allowed', 'missing', 'because'],
  properties: {
    allowed: { type: 'boolean' },
    missing: {
      type: ['object', 'null'],
      required: ['grant', 'asset_category_id', 'path'],
      properties: {
        grant: { type: 'string', enum: [...GRANTS] },
        asset_category_id: { ...FOLDER, description: 'Where; null: on the whole site.' },
        path: { type: ['string', 'null'] },
      },
    },
    because: {
      type: 'array',
      description: 'All that takes it away.',
      items: {
        type: 'object',
        required: ['of', 'detail', 'asset_category_id'],
        properties: {
          of: {
            type: 'string',
            enum: Object.keys(REASONS),
            description: `${Object.entries(REASONS)
              .map(([name, text]) => `${name}: ${text}`)
              .join('; ')}.`,
          },
          detail: { type: 'string' },
          asset_category_id: { ...FOLDER, description: 'The folder that it is about.' },
        },
      },
    },
  },
}

type Actions = readonly (readonly [object: string, actions: readonly string[]])[]

export function readAccessDocs(all: Actions): EndpointDocs {
  const actions = [...new Set(all.flatMap(([, names]) => names))]
  return {
    tag: 'api_key',
    operationId: 'read_access',
    description:
      'For keys and users that the key sees, and records that it sees itself: of all others the answer is that there are none. ' +
      'It tells of grants alone; that a name is taken, or a folder not empty, is not asked. Nothing is changed.',
    parameters: [
      query('api_key_id', 'The key; or user_id.', ID),
      query('user_id', 'The user, whatever the key; or api_key_id.', ID),
      query('object', 'What it is to be done to.', {
        type: 'string',
        enum: all.map(([name]) => name),
      }),
      query('id', 'Identifier of the record; of create that of the folder.', ID),
      query(
        'action',
        `What is to be done. ${all.map(([name, of]) => `${name}: ${of.join(', ')}`).join('; ')}.`,
        {
          type: 'string',
          enum: actions,
        },
      ),
    ],
    answers: {
      200: jsonAnswer('Whether, and why not.', {
        schema: ANSWER,
        example: {
          allowed: false,
          missing: { grant: 'publish', asset_category_id: 13, path: '/Main/news' },
          because: [
            {
              of: 'folder',
              detail: 'The role "viewer" in this folder does not hold "publish".',
              asset_category_id: 13,
            },
          ],
        },
      }),
    },
    problems: [404],
  }
}
