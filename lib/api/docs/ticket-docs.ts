// Tickets: addresses that sign themselves.

import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'

const EXAMPLE_TICKET = `dGhpcyBpcyBub3QgYSB0aWNrZXQ${'A'.repeat(67)}`

export const MAKE_TICKET: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'make_ticket',
  description:
    'For what can send no header: `<img>`, `<video>`, a link to save. The ticket is good for GET and HEAD of this very address, ' +
    'until date_expires, and gives what the key may do at that moment: it ends with the key and its secret. A request that has a ' +
    'header Authorization, too, is that of the header. A browser that asks for a script, a style sheet, a worker or a plug-in ' +
    'by a ticket (header Sec-Fetch-Dest) gets 403 ticket-as-code. Addresses are those of downloads: /file/…, the content of a version, the ' +
    'backup, the feed of a calendar. Nothing is changed, so an Idempotency-Key is passed over.',
  body: jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', description: 'Path and query, as in the field url of a file.' },
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
          path: { type: 'string', description: 'What was asked for, with the ticket at its end.' },
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
