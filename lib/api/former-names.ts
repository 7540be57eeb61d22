// /api/v2/asset_category/{id}/former_name: the redirects that renames and moves leave behind in a folder.

import { empty, jsonText } from '../http/reply.ts'
import { listFormerNames, removeFormerName } from '../operations/folders/former-names.ts'
import { LIST_FORMER_NAMES, REMOVE_FORMER_NAME } from './docs/former-name-docs.ts'
import { linkHeader } from './request/list-reply.ts'
import { readId, readNumber, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PATH = '/api/v2/asset_category/:id/former_name'

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
