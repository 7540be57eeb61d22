// GET /api/v2/access: whether a key or a user may do something, and if not, why.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { CmsError } from '../base/errors.ts'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { queryParameter } from '../docs/parameters.ts'
import { json } from '../http/reply.ts'
import type { ObjectRules } from '../operations/object-rules.ts'
import { type AccessInput, actionsOf, readAccess } from '../operations/people/access.ts'
import { GRANTS } from '../shared/grants.ts'
import { readNumber, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PARAMETERS = ['api_key_id', 'user_id', 'object', 'id', 'action'] as const

export function accessRoutes(all: readonly ObjectRules[]): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/access',
      access: 'key',
      summary: 'Check whether a key or a user may do something, and if not, why',
      docs: readAccessDocs(all.map((rules) => [rules.object.name, actionsOf(rules)])),
      read: (request) => readAsked(request, all),
      run: readAccess,
      reply: (access) => json(200, access),
    }),
  ]
}

function readAsked({ query }: Request, all: readonly ObjectRules[]): AccessInput {
  requireKnownParameters(query, PARAMETERS)
  const [keyId, userId] = [readNumber(query, 'api_key_id'), readNumber(query, 'user_id')]
  if ((keyId === undefined) === (userId === undefined))
    throw new CmsError('bad-request', 'Send exactly one of api_key_id and user_id.')
  const of = { kind: keyId === undefined ? 'user' : 'key', id: keyId ?? userId ?? 0 } as const

  const names = all.map(({ object }) => object.name)
  const rules = all.find(({ object }) => object.name === query.get('object'))
  if (rules === undefined) throw mustBe('object', names)
  const actions = actionsOf(rules)
  const action = actions.find((name) => name === query.get('action'))
  if (action === undefined) throw mustBe('action', actions)
  const id = readNumber(query, 'id')
  if (id === undefined)
    throw new CmsError('bad-request', 'Send id; for create, the id of the folder.')
  return { of, rules, action, id }
}

function mustBe(name: string, known: readonly string[]): CmsError {
  return new CmsError(
    'bad-request',
    `The query parameter ${name} must be one of ${known.join(', ')}.`,
  )
}

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

function readAccessDocs(all: Actions): EndpointDocs {
  const actions = [...new Set(all.flatMap(([, names]) => names))]
  return {
    tag: 'api_key',
    operationId: 'read_access',
    description:
      'The key of the request must see the key or user and the record; otherwise the response says that they do not exist. ' +
      'The response considers only grants, not whether a name is taken or a folder is empty. The request changes nothing.',
    parameters: [
      queryParameter('api_key_id', 'The key to check. Send either api_key_id or user_id.', ID),
      queryParameter(
        'user_id',
        'The user to check, without regard to keys. Send either user_id or api_key_id.',
        ID,
      ),
      queryParameter('object', 'The type of the record.', {
        type: 'string',
        enum: all.map(([name]) => name),
      }),
      queryParameter('id', 'Identifier of the record; for create, of the folder.', ID),
      queryParameter(
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
