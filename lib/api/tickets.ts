// POST /api/v2/ticket: a URL that carries its own authentication, for clients that cannot send a header.

import { jsonAnswer, jsonBody } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { json } from '../http/reply.ts'
import { buildRouter, type Router } from '../http/router.ts'
import { makeTicket } from '../operations/people/tickets.ts'
import { refuseField } from '../schema/check.ts'
import { readKnownFields, requireKnownParameters } from './request/request.ts'
import { signedTarget, splitTicket, withTicket } from './request/request-ticket.ts'
import { addressesOf, defineRoute, type Route } from './request/route.ts'

interface TicketOptions {
  /** All routes, including the route of this file. */
  readonly routes: () => readonly Route[]
}

/** The base for parsing a path. No request is sent to it. */
const NOWHERE = 'http://nowhere.invalid'

export function ticketRoutes({ routes }: TicketOptions): readonly Route[] {
  let router: Router<Route> | undefined
  const isDownload = (target: string): boolean => {
    router ??= buildRouter(
      routes().filter(({ takesTicket }) => takesTicket),
      { addressesOf },
    )
    return router.methods(target).length > 0
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/v2/ticket',
      access: 'key',
      changesNothing: true,
      summary: 'Create a download address that needs no header and is valid for five minutes',
      docs: MAKE_TICKET,
      read: async (request, { basePath }) => {
        requireKnownParameters(request.query, [])
        const body = await readKnownFields(request, ['path', 'permanent'], 'json')
        const { path, permanent = false } = body
        if (typeof path !== 'string') refuseField('path', 'must be text')
        if (typeof permanent !== 'boolean') refuseField('permanent', 'must be true or false')
        const target = readTarget(path, { basePath, isDownload })
        if (permanent && !FEED.test(target)) refuseField('permanent', NO_FEED)
        return { target, isPermanent: permanent }
      },
      run: (context, { target, isPermanent }) => ({
        target,
        ...makeTicket(context, { target: signedTarget(target), isPermanent }),
      }),
      // The response contains the ticket and input of the client, so compression would reveal the ticket by the length.
      reply: ({ target, ticket, dateExpires }, _, { basePath }) =>
        json(
          201,
          { path: `${basePath}${withTicket(target, ticket)}`, date_expires: dateExpires },
          { 'cache-control': 'no-store, no-transform' },
        ),
    }),
  ]
}

interface Inside {
  readonly basePath: string
  readonly isDownload: (target: string) => boolean
}

/** Normalizes the path (dot segments, spaces) as clients will send it, because the ticket is valid only for that target. */
function readTarget(path: string, { basePath, isDownload }: Inside): string {
  const url =
    path.startsWith('/') && URL.canParse(path, NOWHERE) ? new URL(path, NOWHERE) : undefined
  if (url?.origin !== NOWHERE || path.includes('#'))
    refuseField('path', 'must be a path of this server with its query, starting with one /')
  const asked = `${url.pathname}${url.search}`
  if (splitTicket(asked).ticket !== undefined) refuseField('path', 'already has a ticket')

  const inner = asked.startsWith(`${basePath}/`) ? asked.slice(basePath.length) : asked
  const target = [inner, asked].find(isDownload)
  return target ?? refuseField('path', NO_DOWNLOAD)
}

const FEED = /^(?:\/api\/v2)?\/module\/calendar\/[^/?]+\/[^/?]+\.ics$/
const NO_FEED = 'is only for the feed of a calendar: /api/v2/module/calendar/{id}/{name}.ics'

const NO_DOWNLOAD =
  'must be the address of a download: /file/{number}/{name}, /api/v2/asset_file/{id}/versions/{version}/content, ' +
  '/api/v2/backup or the feed of a calendar'

const EXAMPLE_TICKET = `dGhpcyBpcyBub3QgYSB0aWNrZXQ${'A'.repeat(67)}`

const MAKE_TICKET: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'make_ticket',
  description:
    'For clients that cannot send a header: `<img>`, `<video>`, a download link. The ticket is valid for GET and HEAD of exactly this ' +
    'address until date_expires. It grants what the key may do at the time of the request, and becomes invalid with the key and its secret. ' +
    'If a request also has the header Authorization, the header decides. A browser that loads a script, a style sheet, a worker or a plug-in ' +
    'with a ticket (header Sec-Fetch-Dest) gets 403 ticket-as-code. Tickets exist for downloads: /file/…, the content of a version, the ' +
    'backup, and the feed of a calendar. With permanent, the address of a feed ends only with its key: the secret address for calendar programs ' +
    'that send no password. Deleting or rotating the key withdraws it. The request changes nothing, so an Idempotency-Key is ignored.',
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
        permanent: {
          type: 'boolean',
          description:
            'The address works as long as the key of the request. Only for the feed of a calendar, without a query, and not for a session.',
          default: false,
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
