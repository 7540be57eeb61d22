// OpenAPI description of the STML check.

import { assetFile } from '../../schema/asset-file.ts'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'

const FROM_ONE = { type: 'integer', minimum: 1 } as const

export const CHECK_STML: EndpointDocs = {
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
