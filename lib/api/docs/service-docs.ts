// OpenAPI descriptions of the endpoints that belong to no object: key rotation, problem pages, health, metrics, backup.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { apiKey, EXAMPLE_SECRET, SECRET_SCHEMA } from '../../schema/api-key.ts'
import { jsonAnswer, otherAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { pathParameter } from '../../docs/parameters.ts'
import { rotateDocs } from './object-docs.ts'

export const ROTATE_KEY = rotateDocs(apiKey, {
  keepOld: 'How long the old secret stays valid: 30d, 12h, 90s, or a number of seconds.',
  answer: 'The key with its new secret.',
  secret: SECRET_SCHEMA,
  example: EXAMPLE_SECRET,
})

export const WARNING_CODES = [
  'documents-public',
  'few-files',
  'few-processes',
  'live-tree-behind',
  'live-tree-skipped',
  'pictures-unsupported',
  'read-only',
  'site-hidden',
] as const

const WARNINGS: SchemaObject = {
  type: 'array',
  description:
    'Conditions that the operator should know about although the server accepts all requests. Absent if there are none.',
  items: {
    type: 'object',
    required: ['code', 'detail'],
    properties: {
      code: {
        type: 'string',
        enum: [...WARNING_CODES],
      },
      detail: { type: 'string', description: 'The condition, and what to do.' },
    },
  },
}

const VERSION_FIELD: SchemaObject = {
  type: 'string',
  description:
    'Version of this build: the release, then after `+` the number of commits and the commit hash.',
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
    answers: {
      200: jsonAnswer(
        name === 'ready' ? 'The server accepts requests.' : 'The process is running.',
        { schema, example },
      ),
    },
    ...(name === 'ready' && {
      description:
        'With 503, `reason` says why: `starting`, `stopping`, `storage-failed`, `read-only` (a write to the disk failed; ' +
        'all changes are rejected until the next start), `storage-slow` (a change is waiting for the disk), or ' +
        '`disk-full` (new content is rejected). Reads still work with the last three. A server that stores its site in a database ' +
        'and an object store also reports `database-away` (nothing can be read or changed) and `store-away` (content that is ' +
        'not on the local machine cannot be read, and new content is rejected).',
      codes: ['unavailable'],
    }),
  }
}

export const READ_METRICS: EndpointDocs = {
  tag: 'service',
  operationId: 'read_metrics',
  description:
    'Durations of requests and commits, queued work, sizes and free space, in the Prometheus text format. ' +
    'The metrics cover the whole site, so the key must not be limited to a folder. No grant other than admin is needed.',
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
    pathParameter(
      'version',
      'Version of the files, as in the links of the pages. It changes with each release.',
    ),
    pathParameter('name', 'Name of the script or style sheet.'),
  ],
  answers: { 200: otherAnswer('A script or style sheet of the pages.', '*/*') },
}

export const READ_BACKUP: EndpointDocs = {
  tag: 'service',
  operationId: 'read_backup',
  description:
    'The backup is a consistent snapshot: it contains everything that was acknowledged before the request, and later writes only up to ' +
    'one moment. It unpacks to a directory that `cms-server restore` and `cms-server check` accept. Its last entry, ' +
    'backup.json, has the time of the snapshot and lists what could not be read. The server sends one backup at a time. ' +
    'The backup contains all content and all keys, so it needs every grant on the whole site.',
  answers: { 200: otherAnswer('A tar file.', 'application/x-tar', ['Content-Disposition']) },
  problems: [507],
  codes: ['unavailable'],
}
