// /api/v2/me/views: the saved views of the user, for the lists of the administration area.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, jsonBody, NOT_MODIFIED } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { IF_MATCH, IF_NONE_MATCH } from '../docs/parameters.ts'
import { jsonText, type Reply } from '../http/reply.ts'
import {
  readSavedViews,
  replaceSavedViews,
  type ShownViews,
} from '../operations/people/saved-views.ts'
import { VIEW_FIELDS } from '../schema/saved-views.ts'
import { MAX_SAVED_VIEWS } from '../shared/limits.ts'
import { etagOfText, notModified } from './request/record-reply.ts'
import {
  readKnownFields,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PATH = '/api/v2/me/views'

const VIEWS: SchemaObject = {
  type: 'object',
  additionalProperties: false,
  required: ['views'],
  properties: {
    views: {
      type: 'array',
      maxItems: MAX_SAVED_VIEWS,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'page', 'query'],
        properties: {
          name: VIEW_FIELDS.name.schema,
          page: VIEW_FIELDS.page.schema,
          query: VIEW_FIELDS.query.schema,
        },
      },
    },
  },
}

const EXAMPLE = {
  views: [
    { name: 'Changed drafts', page: 'content', query: 'state=changed&sort=-date_modified' },
    { name: 'Cheap', page: 'data/7', query: 'sort=price' },
  ],
}

const ANSWER = jsonAnswer('All views of the user, in the order in which they were sent.', {
  schema: VIEWS,
  example: EXAMPLE,
  headers: ['ETag'],
})

const READ_VIEWS: EndpointDocs = {
  tag: 'api_key',
  operationId: 'read_saved_views',
  description:
    'The saved views are the same for every session and key of the user, and deleted with the user. A key must hold everything that its user holds.',
  parameters: [IF_NONE_MATCH],
  answers: { 200: ANSWER, 304: NOT_MODIFIED },
}

const REPLACE_VIEWS: EndpointDocs = {
  tag: 'api_key',
  operationId: 'replace_saved_views',
  description:
    'Replaces the whole list. The audit trail does not record the change. A key must hold everything that its user holds.',
  parameters: [IF_MATCH],
  body: jsonBody({ schema: VIEWS, example: EXAMPLE, limit: BODY_LIMITS.views }),
  answers: { 200: ANSWER },
}

export const savedViewRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: PATH,
    access: 'key',
    summary: 'Read the saved views of the user of this key',
    docs: READ_VIEWS,
    read: ({ query }) => requireKnownParameters(query, []),
    run: (context) => readSavedViews(context),
    reply: viewsReply,
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    access: 'key',
    action: 'update',
    summary: 'Replace the saved views of the user of this key',
    docs: REPLACE_VIEWS,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const precondition = readPrecondition(request)
      const { views } = await readKnownFields(request, ['views'], 'views')
      return { sent: views, precondition }
    },
    run: replaceSavedViews,
    recall: 'same',
    reply: viewsReply,
  }),
]

function viewsReply({ views, tag }: ShownViews, request: Request): Reply {
  const text = JSON.stringify({ views })
  const headers = { etag: etagOfText(request, tag, text) }
  return notModified(request, headers) ?? jsonText(200, text, headers)
}
