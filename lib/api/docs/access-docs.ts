// OpenAPI description of GET /api/v2/access, which explains why an action is denied.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { GRANTS } from '../../shared/grants.ts'
import { jsonAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { query } from '../../docs/parameters.ts'

const ID: SchemaObject = { type: 'integer', minimum: 1 }
const FOLDER: SchemaObject = { type: ['integer', 'null'] }

/** The values of `of`, with their descriptions. */
const REASONS = {
  object: 'there is no such record, or the key of this request may not see it',
  user: 'the user is disabled',
  key: 'the key is inactive or has expired',
  role: 'the role of the user',
  folder: 'the role of the user in the folder or a folder above it',
  grants: 'the list of grants of the key',
  scope: 'the folder of the key',
  reach: 'the record is a key or user that holds more grants',
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
        asset_category_id: {
          ...FOLDER,
          description: 'The folder in which the grant is missing; null: the whole site.',
        },
        path: { type: ['string', 'null'] },
      },
    },
    because: {
      type: 'array',
      description: 'Every reason why the action is denied.',
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
          asset_category_id: { ...FOLDER, description: 'The folder that the reason refers to.' },
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
      'The key of the request must see the key or user and the record; otherwise the answer is that they do not exist. ' +
      'The answer considers only grants, not whether a name is taken or a folder is empty. The request changes nothing.',
    parameters: [
      query('api_key_id', 'The key to check. Send either api_key_id or user_id.', ID),
      query('user_id', 'The user to check, with any key. Send either user_id or api_key_id.', ID),
      query('object', 'The type of the record.', {
        type: 'string',
        enum: all.map(([name]) => name),
      }),
      query('id', 'Identifier of the record; for create, of the folder.', ID),
      query(
        'action',
        `The action to check. ${all.map(([name, of]) => `${name}: ${of.join(', ')}`).join('; ')}.`,
        {
          type: 'string',
          enum: actions,
        },
      ),
    ],
    answers: {
      200: jsonAnswer('Whether the action is allowed, and if not, why.', {
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
