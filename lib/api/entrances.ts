// The addresses that a newcomer tries first. A client that prefers text/html, as every browser does, is redirected to a
// page. Any other client gets the addresses of the OpenAPI documents.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { DOCUMENT_NAMES } from '../docs/swagger-page.ts'
import { prefersHtml } from '../http/accept.ts'
import { json, type Reply } from '../http/reply.ts'
import { ADMIN } from './admin.ts'
import type { Request } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

/** The System API exists on every site, and its page links to the other page. */
const FIRST_PAGE = '/public/api/system'

/** The operation id of each address and the page that browsers are redirected to. */
const ENTRANCES = {
  '/': ['read_entrance', ADMIN],
  '/public': ['read_public_entrance', FIRST_PAGE],
  '/public/api': ['read_api_entrance', FIRST_PAGE],
  '/docs': ['read_docs_entrance', FIRST_PAGE],
} as const

/** Returns the base URL that this client uses, without a trailing slash. */
type AddressOf = (request: Request) => string

export function entranceRoutes(addressOf: AddressOf, vary: string): readonly Route[] {
  return Object.entries(ENTRANCES).map(([path, [operationId, page]]) =>
    defineRoute({
      method: 'GET',
      path,
      access: 'open',
      summary: 'List the API pages and documents',
      docs: entranceDocs(
        operationId,
        page === ADMIN ? 'the administration area' : 'the page of the System API',
      ),
      // `reply` negotiates the media type itself.
      answers: 'bytes',
      read: (request) => ({ isPerson: prefersHtml(request.message), url: addressOf(request) }),
      run: (_, input) => input,
      reply: ({ isPerson, url }) =>
        withVary(isPerson ? toPage(page) : json(200, listOf(url)), vary),
    }),
  )
}

function toPage(location: string): Reply {
  return { status: 303, headers: { location }, body: undefined }
}

function listOf(url: string): object {
  const pages = DOCUMENT_NAMES.map((name) => [name, `${url}/public/api/${name}`] as const)
  const documents = pages.map(([name, page]) => [name, `${page}/swagger.json`] as const)
  return { documents: Object.fromEntries(documents), pages: Object.fromEntries(pages) }
}

function withVary(reply: Reply, vary: string): Reply {
  return {
    ...reply,
    headers: { ...reply.headers, 'cache-control': 'no-cache', vary: `Accept, ${vary}` },
  }
}

const ADDRESSES: SchemaObject = {
  type: 'object',
  required: ['system', 'module'],
  properties: {
    system: { type: 'string' },
    module: { type: 'string' },
  },
}

const ENTRANCE: SchemaObject = {
  type: 'object',
  required: ['documents', 'pages'],
  properties: {
    documents: { ...ADDRESSES, description: 'OpenAPI documents.' },
    pages: { ...ADDRESSES, description: 'The same documents as web pages.' },
  },
}

const EXAMPLE = {
  documents: {
    system: 'http://localhost:8080/public/api/system/swagger.json',
    module: 'http://localhost:8080/public/api/module/swagger.json',
  },
  pages: {
    system: 'http://localhost:8080/public/api/system',
    module: 'http://localhost:8080/public/api/module',
  },
}

/** `page` names the target of the redirect for browsers. */
function entranceDocs(operationId: string, page: string): EndpointDocs {
  return {
    tag: 'service',
    operationId,
    description: `Clients that prefer text/html, such as browsers, are redirected to ${page}.`,
    answers: {
      200: jsonAnswer('Addresses of the documents.', { schema: ENTRANCE, example: EXAMPLE }),
      303: {
        description: `Redirects to ${page}.`,
        headers: { Location: { description: 'Address of the page.', schema: { type: 'string' } } },
      },
    },
  }
}
