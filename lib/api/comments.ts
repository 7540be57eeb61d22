// GET /api/v2/me/mentions: the open comments that concern the user of the key; GET /api/v2/comment/counts: how many open
// comments some targets have.

import { CmsError } from '../base/errors.ts'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../docs/examples.ts'
import { lengthParameter, queryParameter } from '../docs/parameters.ts'
import { closed, pageSchema, schemaRef } from '../docs/schemas.ts'
import { whilePresent } from '../http/client-disconnect.ts'
import { json } from '../http/reply.ts'
import { countComments } from '../operations/comments/comment-counts.ts'
import { commentVisibility } from '../operations/comments/comments.ts'
import { listMentions } from '../operations/comments/my-mentions.ts'
import { presenterOf } from '../operations/present.ts'
import { viewOf } from '../operations/visibility.ts'
import { comment, findTarget } from '../schema/comment.ts'
import { MAX_COMMENT_COUNT, MAX_COUNTED_TARGETS } from '../shared/limits.ts'
import { newestFirstReply } from './request/newest-first.ts'
import { readNumber, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const LIST_MENTIONS: EndpointDocs = {
  tag: comment.name,
  operationId: 'list_my_mentions',
  description:
    'The comments that mention the user of the key, and the newest reply of each thread in which the user wrote before, newest first. ' +
    'Resolved threads and comments that the key may not see are left out.',
  parameters: [
    queryParameter('cursor', 'The value page.next of the previous page.', { type: 'string' }),
    lengthParameter(),
  ],
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema(comment.name, schemaRef(comment.name)),
      example: examplePage(comment.name, exampleRecord(comment)),
      headers: ['Link'],
    }),
  },
}

const COUNT_COMMENTS: EndpointDocs = {
  tag: comment.name,
  operationId: 'count_comment',
  description:
    `Counts the threads on each target that are not resolved. A number stops at ${MAX_COMMENT_COUNT}: the target has at least as many. ` +
    'The response leaves out targets without open threads, targets that do not exist, and targets whose comments the key may not see.',
  parameters: [
    {
      ...queryParameter(
        'targets',
        `1 to ${MAX_COUNTED_TARGETS} targets, separated by commas: asset_file/12,datatable/3/7.`,
        { type: 'string' },
      ),
      required: true,
    },
  ],
  answers: {
    200: jsonAnswer('The numbers.', {
      schema: closed({
        type: 'object',
        required: ['counts'],
        properties: {
          counts: {
            type: 'array',
            maxItems: MAX_COUNTED_TARGETS,
            items: closed({
              type: 'object',
              required: ['target', 'open'],
              properties: {
                target: { type: 'string' },
                open: { type: 'integer', minimum: 1, maximum: MAX_COMMENT_COUNT },
              },
            }),
          },
        },
      }),
      example: { counts: [{ target: 'asset_file/2', open: 1 }] },
    }),
  },
}

export const commentRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v2/comment/counts',
    access: 'key',
    summary: 'Count the open comments on files and entries',
    docs: COUNT_COMMENTS,
    read: ({ query }) => {
      requireKnownParameters(query, ['targets'])
      return readTargets(query.get('targets') ?? '')
    },
    run: countComments,
    reply: (counts) => json(200, { counts }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v2/me/mentions',
    access: 'key',
    summary: 'List the open comments that concern the user of this key',
    docs: LIST_MENTIONS,
    read: ({ query, limits, client }) => {
      requireKnownParameters(query, ['cursor', 'length'])
      const length = readNumber(query, 'length', limits.maxListLength) ?? limits.listLength
      return { client, asked: { cursor: query.get('cursor') ?? undefined, length } }
    },
    run: async (context, { client, asked }) => {
      const work = (signal: AbortSignal) => listMentions(context, { ...asked, signal })
      return { asked, ...(await whilePresent(client, work)) }
    },
    reply: ({ asked, comments, ...end }, request, context) => {
      const texts = comments.map(presenterOf(viewOf(context), commentVisibility))
      const { cursor: before, length } = asked
      return newestFirstReply(request, {
        name: comment.name,
        texts,
        asked: { before, length },
        total: undefined,
        ...end,
      })
    },
  }),
]

function readTargets(text: string): readonly string[] {
  const targets = [...new Set(text.split(','))]
  const isRight = targets.every((target) => findTarget(target) !== undefined)
  if (isRight && targets.length <= MAX_COUNTED_TARGETS) return targets
  throw new CmsError(
    'bad-request',
    `The query parameter targets must name 1 to ${MAX_COUNTED_TARGETS} files or entries, separated by commas: targets=asset_file/12,datatable/3/7.`,
  )
}
