// GET /api/v2/me/mentions: the open comments that mention the user of the key.

import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../docs/examples.ts'
import { newestFirstParameters } from '../docs/parameters.ts'
import { pageSchema, schemaRef } from '../docs/schemas.ts'
import { commentVisibility } from '../operations/comments/comments.ts'
import { listMentions } from '../operations/comments/my-mentions.ts'
import { presenterOf } from '../operations/present.ts'
import { viewOf } from '../operations/visibility.ts'
import { comment } from '../schema/comment.ts'
import { newestFirstReply, readNumberRange } from './request/newest-first.ts'
import { defineRoute, type Route } from './request/route.ts'

const LIST_MENTIONS: EndpointDocs = {
  tag: comment.name,
  operationId: 'list_my_mentions',
  description:
    'The comments that mention the user of the key, and the newest reply of each thread in which the user wrote before, newest first. ' +
    'Resolved threads and comments that the key may not see are left out.',
  parameters: newestFirstParameters(),
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema(comment.name, schemaRef(comment.name)),
      example: examplePage(comment.name, exampleRecord(comment)),
      headers: ['Link'],
    }),
  },
}

export const commentRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v2/me/mentions',
    access: 'key',
    summary: 'List the open comments that concern the user of this key',
    docs: LIST_MENTIONS,
    read: (request) => readNumberRange(request),
    run: async (context, asked) => ({ asked, ...(await listMentions(context, asked)) }),
    reply: ({ asked, comments, next }, request, context) => {
      const present = presenterOf(viewOf(context), commentVisibility)
      const texts = comments.map(present)
      return newestFirstReply(request, { name: comment.name, texts, asked, total: undefined, next })
    },
  }),
]
