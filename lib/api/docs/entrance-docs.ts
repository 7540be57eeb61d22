// OpenAPI descriptions of the entry points that list the OpenAPI documents.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'

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
export function entranceDocs(operationId: string, page: string): EndpointDocs {
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
