// OpenAPI description of tickets: addresses that carry their own authentication.

import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'

const EXAMPLE_TICKET = `dGhpcyBpcyBub3QgYSB0aWNrZXQ${'A'.repeat(67)}`

export const MAKE_TICKET: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'make_ticket',
  description:
    'For clients that cannot send a header: `<img>`, `<video>`, a download link. The ticket is valid for GET and HEAD of exactly this ' +
    'address until date_expires. It grants what the key may do at the time of the request, and becomes invalid with the key and its secret. ' +
    'If a request also has the header Authorization, the header decides. A browser that loads a script, a style sheet, a worker or a plug-in ' +
    'with a ticket (header Sec-Fetch-Dest) gets 403 ticket-as-code. Tickets exist for downloads: /file/…, the content of a version, the ' +
    'backup, and the feed of a calendar. The request changes nothing, so an Idempotency-Key is ignored.',
  body: jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          description: 'Path and query of the download, as in the field url of a file.',
        },
      },
    },
    example: { path: '/file/12/a.pdf?version=3' },
    limit: BODY_LIMITS.json,
  }),
  answers: {
    201: jsonAnswer('The address with its ticket.', {
      schema: {
        type: 'object',
        required: ['path', 'date_expires'],
        properties: {
          path: { type: 'string', description: 'The requested path with the ticket appended.' },
          date_expires: { type: 'string', format: 'date-time' },
        },
      },
      example: {
        path: `/file/12/a.pdf?version=3&ticket=${EXAMPLE_TICKET}`,
        date_expires: '2026-01-02T03:09:05.000Z',
      },
    }),
  },
}
