// /api/v2/asset_category/{id}/former_name: the redirects that renames and moves leave behind in a folder.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { lengthParameter, queryParameter } from '../docs/parameters.ts'
import { closed, pageSchema } from '../docs/schemas.ts'
import { empty, jsonText } from '../http/reply.ts'
import { listFormerNames, removeFormerName } from '../operations/folders/former-names.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { linkHeader } from './request/list-reply.ts'
import { readId, readNumber, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PATH = '/api/v2/asset_category/:id/former_name'

const TAG = assetCategory.name

const ITEM: SchemaObject = closed({
  type: 'object',
  required: ['name', 'object', 'object_id', 'path'],
  properties: {
    name: { type: 'string', description: 'The former name, in lower case.' },
    object: { type: 'string', enum: ['asset_file', 'asset_category'] },
    object_id: { type: 'integer', description: 'The file or folder that had the name.' },
    path: { type: 'string', description: 'The current path of this file or folder.' },
  },
})

const EXAMPLE = {
  former_name: [
    { name: 'old.html', object: 'asset_file', object_id: 2, path: '/Main/Press/new.html' },
  ],
  page: { start: 1, length: 100, total: null, next: null },
}

const LIST_FORMER_NAMES: EndpointDocs = {
  tag: TAG,
  operationId: 'list_former_names',
  description:
    'After the rename or the move of a live file or a public folder, the former address redirects (308) until another file or folder uses this address. ' +
    'The list contains, sorted, the names in this folder that redirect to a file or folder that the key may view. ' +
    'At most the first 10,000 names of files and of folders in the folder are examined.',
  parameters: [
    queryParameter('cursor', 'The value page.next of the previous page.', { type: 'string' }),
    lengthParameter(),
  ],
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema('former_name', ITEM),
      example: EXAMPLE,
      headers: ['Link'],
    }),
  },
}

const REMOVE_FORMER_NAME: EndpointDocs = {
  tag: TAG,
  operationId: 'delete_former_name',
  description:
    'The former address then returns 404. Needs view, modify and publish in the folder. Only names in the list can be removed.',
  answers: { 204: { description: 'The name no longer redirects.' } },
}

export const formerNameRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: PATH,
    access: ['view'],
    summary: 'List the former names in a folder that redirect',
    docs: LIST_FORMER_NAMES,
    read: (request) => {
      const { query, limits } = request
      requireKnownParameters(query, ['cursor', 'length'])
      const length = readNumber(query, 'length', limits.maxListLength) ?? limits.listLength
      return { id: readId(request, 'id'), after: query.get('cursor') ?? undefined, length }
    },
    run: async (context, asked) => ({ asked, ...(await listFormerNames(context, asked)) }),
    reply: ({ asked, names, next }, request) => {
      const start = asked.after === undefined ? 1 : null
      const page = { start, length: asked.length, total: null, next: next ?? null }
      return jsonText(200, JSON.stringify({ former_name: names, page }), linkHeader(request, next))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:former_name`,
    access: ['publish'],
    action: 'update',
    summary: 'End the redirect from a former name',
    docs: REMOVE_FORMER_NAME,
    read: (request) => {
      requireKnownParameters(request.query, [])
      return { id: readId(request, 'id'), name: request.params['former_name'] ?? '' }
    },
    run: (context, input) => removeFormerName(context, input),
    reply: () => empty(204),
  }),
]
