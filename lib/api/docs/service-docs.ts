// Documents of the endpoints beside the objects: keys, problems, health, and the documents themselves.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { apiKey, EXAMPLE_SECRET, SECRET_SCHEMA } from '../../schema/api-key.ts'
import { jsonAnswer, otherAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { pathParameter } from '../../docs/parameters.ts'
import { rotateDocs } from './rotate-docs.ts'

export const ROTATE_KEY = rotateDocs(apiKey, {
  keepOld: 'How long the old secret stays valid: 30d, 12h, 90s, or seconds.',
  answer: 'The key, with its new secret.',
  secret: SECRET_SCHEMA,
  example: EXAMPLE_SECRET,
})

const WARNINGS: SchemaObject = {
  type: 'array',
  description:
    'What an operator should know, though the server takes all requests; absent where there is nothing.',
  items: {
    type: 'object',
    required: ['code', 'detail'],
    properties: {
      code: {
        type: 'string',
        enum: ['documents-public', 'few-files', 'few-processes', 'read-only'],
      },
      detail: { type: 'string', description: 'What it is, and what to do.' },
    },
  },
}

const VERSION_FIELD: SchemaObject = {
  type: 'string',
  description: 'Of this build: the release, and behind `+` the number of its commits and its hash.',
}

export function statusDocs(name: 'health' | 'ready', status: 'ok' | 'ready'): EndpointDocs {
  const schema: SchemaObject = {
    type: 'object',
    required: name === 'ready' ? ['status', 'version'] : ['status'],
    properties: {
      status: { type: 'string', enum: [status] },
      ...(name === 'ready' && { version: VERSION_FIELD, warnings: WARNINGS }),
    },
  }
  const example = { status, ...(name === 'ready' && { version: '0.1.0+1016.c5ba2ef' }) }
  return {
    tag: 'service',
    operationId: `read_${name}`,
    answers: { 200: jsonAnswer('Yes.', { schema, example }) },
    ...(name === 'ready' && {
      description:
        'A 503 says in `reason` why not: `starting`, `stopping`, `storage-failed`, `read-only` (a disk has failed to ' +
        'write: all changes are refused until the next start), `storage-slow` (a change waits for the disk), or ' +
        '`disk-full` (new content is refused). With the last three reads go on. Of a server that keeps its site in a database ' +
        'and a store there are also `database-away` (nothing can be read or changed) and `store-away` (contents that are ' +
        'not on its machine cannot be read, and new ones are refused).',
      codes: ['unavailable'],
    }),
  }
}

export const READ_METRICS: EndpointDocs = {
  tag: 'service',
  operationId: 'read_metrics',
  description:
    'Times of requests and commits, waiting work, sizes and free room, in the text format of Prometheus. ' +
    'They tell of the whole site, so the key is for no folder alone; the grant admin, and nothing else, is enough.',
  answers: { 200: otherAnswer('The metrics.', 'text/plain') },
}

export const LIST_PROBLEMS = pageDocs('list_problems')
export const READ_PROBLEM = pageDocs('read_problem')

export function pageDocs(operationId: string): EndpointDocs {
  return { tag: 'service', operationId, answers: { 200: otherAnswer('A page.', 'text/html') } }
}

export const READ_DOCUMENT_ASSET: EndpointDocs = {
  tag: 'service',
  operationId: 'read_document_asset',
  parameters: [
    pathParameter('version', 'Stands in the pages: another one with each release of the programs.'),
    pathParameter('name', 'Name of the program or style sheet.'),
  ],
  answers: { 200: otherAnswer('A program or style sheet of the pages.', '*/*') },
}

export const READ_BACKUP: EndpointDocs = {
  tag: 'service',
  operationId: 'read_backup',
  description:
    'Whatever was acknowledged before the request is in it, of later writes those before one moment. It ' +
    'unpacks to a directory that `cms-server restore` and `cms-server check` take; its last entry, ' +
    'backup.json, tells the moment, and what could not be read. One at a time is sent. All content and ' +
    'all keys are in it, so it needs every grant on the whole site.',
  answers: { 200: otherAnswer('A tar file.', 'application/x-tar', ['Content-Disposition']) },
  problems: [507],
  codes: ['unavailable'],
}
