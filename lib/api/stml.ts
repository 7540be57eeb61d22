// POST /api/v2/stml/check: finds the errors of a text that is being edited.

import { jsonAnswer, jsonBody } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { json } from '../http/reply.ts'
import { findStmlFaults } from '../operations/files/stml-pages.ts'
import { assetFile } from '../schema/asset-file.ts'
import { refuseField } from '../schema/check.ts'
import { readKnownFields, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const FROM_ONE = { type: 'integer', minimum: 1 } as const

const CHECK_STML: EndpointDocs = {
  tag: assetFile.name,
  operationId: 'check_stml',
  description:
    'Finds the errors for which saving a file of type stml would be rejected. An editor can use it to mark errors while the user types. ' +
    'The request writes nothing, so an Idempotency-Key is ignored.',
  body: jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['pageContent'],
      properties: { pageContent: { type: 'string' } },
    },
    example: { pageContent: '<div id="dd.0"><p>Hello</div>' },
    limit: BODY_LIMITS.page,
  }),
  answers: {
    200: jsonAnswer('A list with the first error, or an empty list.', {
      schema: {
        type: 'object',
        required: ['faults'],
        properties: {
          faults: {
            type: 'array',
            items: {
              type: 'object',
              required: ['line', 'column', 'detail'],
              properties: {
                line: FROM_ONE,
                column: { ...FROM_ONE, description: 'Column in UTF-16 code units.' },
                detail: { type: 'string', description: 'What is wrong, and what to do.' },
              },
            },
          },
        },
      },
      example: {
        faults: [
          {
            line: 1,
            column: 24,
            detail: '</div> does not close <p> of line 1. Add </p> before it, or remove it.',
          },
        ],
      },
    }),
  },
}

export const stmlRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/stml/check',
    access: 'key',
    // The method is POST because a text is too long for a URL.
    changesNothing: true,
    summary: 'Check a text of type stml without saving it',
    docs: CHECK_STML,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const { pageContent } = await readKnownFields(request, ['pageContent'], 'page')
      if (typeof pageContent !== 'string') refuseField('pageContent', 'must be text')
      return pageContent
    },
    run: findStmlFaults,
    reply: (faults) => json(200, { faults }),
  }),
]
