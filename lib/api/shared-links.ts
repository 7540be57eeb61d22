// /api/v2/user/{id}/shared_link: the links that a user has made, and their end.

import type { SchemaObject } from 'openapi3-ts/oas31'
import type { Site } from '../config/flag-values.ts'
import { jsonAnswer, NO_CONTENT } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../docs/examples.ts'
import { newestFirstParameters, queryParameter } from '../docs/parameters.ts'
import { pageSchema, schemaRef } from '../docs/schemas.ts'
import { empty } from '../http/reply.ts'
import {
  listSharedLinks,
  revokeSharedLinks,
  SHARED_KINDS,
} from '../operations/links/shared-links.ts'
import { refuseField } from '../schema/check.ts'
import { fileLink } from '../schema/file-link.ts'
import { user } from '../schema/user.ts'
import { newestFirstReply, readNewestFirst } from './request/newest-first.ts'
import { readId, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PATH = '/api/v2/user/:id/shared_link'

export const sharedLinkRoutes = (sites: readonly Site[]): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    access: 'key',
    summary: 'List the links that a user has made',
    docs: LIST,
    read: (request) => ({
      kind: readKind(request.query),
      ...readNewestFirst(request, ['kind']),
    }),
    run: (context, asked) => ({ asked, ...listSharedLinks(context, { ...asked, sites }) }),
    reply: ({ links, ...page }, request) => {
      const texts = links.map((link) => JSON.stringify(link))
      return newestFirstReply(request, { name: 'shared_link', texts, ...page })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: PATH,
    access: 'key',
    action: 'delete',
    summary: 'Revoke all links that a user has made',
    docs: REVOKE,
    read: (request) => {
      requireKnownParameters(request.query, [])
      return readId(request, 'id')
    },
    run: (context, id) => revokeSharedLinks(context, id),
    reply: () => empty(204),
  }),
]

function readKind(query: URLSearchParams): (typeof SHARED_KINDS)[number] {
  const wanted = query.get('kind') ?? SHARED_KINDS[0]
  const kind = SHARED_KINDS.find((each) => each === wanted)
  return kind ?? refuseField('kind', `must be one of ${SHARED_KINDS.join(', ')}`)
}

const USER_LINK: SchemaObject = {
  type: 'object',
  required: ['user_id', 'name', 'date_expires'],
  properties: {
    user_id: { type: 'integer', description: 'The user who can set a password with the link.' },
    name: { type: 'string', description: 'The name of this user.' },
    date_expires: { type: 'string', format: 'date-time' },
  },
}

const LIST: EndpointDocs = {
  tag: user.name,
  operationId: 'list_shared_links',
  description:
    'Links to files and previews are listed newest first, links for users by descending user_id. A signed-in user sees all links that this user created. The grant admin shows the ' +
    'links of all users who hold no more than the caller. Another key sees the links to files that it created.',
  parameters: [
    queryParameter(
      'kind',
      'asset_file_link: links to files and to previews of sites. user_link: links with which other users set their passwords. Default: asset_file_link.',
      { type: 'string', enum: [...SHARED_KINDS] },
    ),
    ...newestFirstParameters(),
  ],
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema('shared_link', { anyOf: [schemaRef(fileLink.name), USER_LINK] }),
      example: examplePage('shared_link', exampleRecord(fileLink)),
      headers: ['Link', 'X-Total'],
    }),
  },
}

const REVOKE: EndpointDocs = {
  tag: user.name,
  operationId: 'revoke_shared_links',
  description:
    'All links of both kinds that the caller sees in the lists stop working at once. Secret addresses of calendars end with their keys: DELETE /api/v2/api_key/{id}.',
  answers: { 204: NO_CONTENT },
}
