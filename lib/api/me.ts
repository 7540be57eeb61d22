// GET /api/v2/me: tells a client whether its key works and what it may do. GET /api/v2/me/people: the names of the people
// whom the user works with.

import type { SchemaObject } from 'openapi3-ts/oas31'
import type { Site } from '../config/flag-values.ts'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { examplePage } from '../docs/examples.ts'
import { newestFirstParameters } from '../docs/parameters.ts'
import { pageSchema } from '../docs/schemas.ts'
import { json } from '../http/reply.ts'
import { listColleagues } from '../operations/people/colleagues.ts'
import { readMe } from '../operations/people/me.ts'
import { visibleSites } from '../operations/site/site-place.ts'
import { trashDaysOf } from '../operations/trash/trash-items.ts'
import { user } from '../schema/user.ts'
import { GRANTS } from '../shared/grants.ts'
import { newestFirstReply, readNumberRange } from './request/newest-first.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const GRANT_LIST: SchemaObject = { type: 'array', items: { type: 'string', enum: [...GRANTS] } }

function closed(properties: NonNullable<SchemaObject['properties']>): SchemaObject {
  return { type: 'object', properties, required: Object.keys(properties) }
}

const NAMES: SchemaObject = closed({
  user_id: { type: 'integer' },
  name: { type: 'string' },
  display_name: {
    type: ['string', 'null'],
    description: 'Null for a key without the admin grant, except for a session.',
  },
  former_names: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Names that records may still have. Null like the display name.',
  },
})

const READ_ME: EndpointDocs = {
  tag: 'api_key',
  operationId: 'read_me',
  description:
    'Every valid key may send this request, even a key without grants. Roles of the user in folders that the key does not see are omitted.',
  answers: {
    200: jsonAnswer('The key, its user, and what it may do.', {
      schema: closed({
        user: NAMES,
        api_key: closed({
          api_key_id: { type: 'integer' },
          name: { type: 'string' },
          grants: {
            ...GRANT_LIST,
            type: ['array', 'null'],
            description: 'The grants to which the key is limited; null: all grants of its user.',
          },
          asset_category_id: {
            type: ['integer', 'null'],
            description: 'The folder to which the key is limited; null: no limit.',
          },
          date_expires: { type: ['string', 'null'], format: 'date-time' },
        }),
        grants: {
          ...GRANT_LIST,
          description: 'Grants on objects that are in no folder: users, keys, the audit trail.',
        },
        asset_category: {
          type: 'array',
          description:
            'Folders in which the grants of the key begin or change. The grants also apply to all subfolders.',
          items: closed({
            asset_category_id: { type: 'integer' },
            path: { type: 'string' },
            grants: GRANT_LIST,
          }),
        },
        trash_days: {
          type: 'integer',
          description: 'Days until the trash deletes records permanently; 0: there is no trash.',
        },
        site: {
          type: 'array',
          description: 'The sites (--site-origin) whose root folder is public.',
          items: closed({
            origin: { type: 'string' },
            asset_category_id: { type: 'integer', description: 'The root folder of the site.' },
          }),
        },
      }),
      example: {
        user: { user_id: 2, name: 'editor', display_name: null, former_names: null },
        api_key: {
          api_key_id: 5,
          name: 'site',
          grants: ['view'],
          asset_category_id: 13,
          date_expires: null,
        },
        grants: [],
        asset_category: [{ asset_category_id: 13, path: '/news', grants: ['view'] }],
        trash_days: 30,
        site: [{ origin: 'https://www.example.org', asset_category_id: 13 }],
      },
    }),
  },
}

const LIST_PEOPLE: EndpointDocs = {
  tag: user.name,
  operationId: 'list_my_people',
  description:
    'The names of the users who may write in a folder where the user of the session sees drafts, newest users first, and of the ' +
    'users whom the key may read. A key without the admin grant is refused, except for a session.',
  parameters: newestFirstParameters(),
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema(user.name, NAMES),
      example: examplePage(user.name, {
        user_id: 2,
        name: 'editor',
        display_name: 'Ada King',
        former_names: null,
      }),
      headers: ['Link'],
    }),
  },
}

export function meRoutes(sites: readonly Site[]): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/me',
      access: 'key',
      summary: 'Read the key of this request, its user, and its grants',
      docs: READ_ME,
      read: ({ query }) => requireKnownParameters(query, []),
      run: async (context) => ({
        ...(await readMe(context)),
        trash_days: trashDaysOf(context.records, context),
        site: visibleSites(context, sites),
      }),
      reply: (me) => json(200, me),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v2/me/people',
      access: 'key',
      summary: 'List the names of the people with whom the user of this session works',
      docs: LIST_PEOPLE,
      read: (request) => readNumberRange(request),
      run: async (context, asked) => ({ asked, ...(await listColleagues(context, asked)) }),
      reply: ({ asked, users, next }, request) => {
        const texts = users.map((each) => JSON.stringify(each))
        return newestFirstReply(request, { name: user.name, texts, asked, total: undefined, next })
      },
    }),
  ]
}
