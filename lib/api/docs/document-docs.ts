// OpenAPI descriptions of the endpoints that serve the OpenAPI documents.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, NOT_MODIFIED } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { IF_NONE_MATCH, query } from '../../docs/parameters.ts'
import type { DocumentAudience } from '../../docs/swagger-page.ts'

export function documentDocs(operationId: string): EndpointDocs {
  const answer = jsonAnswer('An OpenAPI 3.1 document.', {
    schema: { type: 'object' },
    example: { openapi: '3.1.0' },
    headers: ['ETag'],
  })
  return {
    tag: 'service',
    operationId,
    parameters: [IF_NONE_MATCH],
    answers: { 200: answer, 304: NOT_MODIFIED },
  }
}

const SEEN =
  'Contains only the modules in folders where the key holds some grant, and no trace of other modules.'

export function moduleDocumentDocs(audience: DocumentAudience): EndpointDocs {
  const docs = documentDocs('read_module_document')
  const module = query(
    'module',
    'One module, as modules.json names it: datatable/5 or calendar/5. Without this parameter the document has all modules; ' +
      'with a thousand modules that is 12 MB.',
    { type: 'string', pattern: String.raw`^(datatable|calendar)/[1-9]\d{0,15}$` },
  )
  return {
    ...docs,
    parameters: [module, IF_NONE_MATCH],
    problems: [404],
    ...(audience === 'keyed' && { description: SEEN }),
  }
}

const NAMES: SchemaObject = {
  type: 'object',
  required: ['modules'],
  properties: {
    modules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['module', 'name'],
        properties: {
          module: {
            type: 'string',
            description: 'Type and identifier of the module: datatable/5.',
          },
          name: { type: 'string' },
        },
      },
    },
  },
}

export function moduleNamesDocs(audience: DocumentAudience): EndpointDocs {
  return {
    tag: 'service',
    operationId: 'list_documented_modules',
    parameters: [IF_NONE_MATCH],
    answers: {
      200: jsonAnswer('The names of the modules.', {
        schema: NAMES,
        example: { modules: [{ module: 'datatable/5', name: 'cities' }] },
        headers: ['ETag'],
      }),
      304: NOT_MODIFIED,
    },
    ...(audience === 'keyed' && { description: SEEN }),
  }
}
