// GET /api/v2/asset_category/counts: how many files and folders are directly in each of some folders.

import { CmsError } from '../base/errors.ts'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { queryParameter } from '../docs/parameters.ts'
import { closed } from '../docs/schemas.ts'
import { json } from '../http/reply.ts'
import { countInFolders } from '../operations/folders/folder-counts.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { MAX_COUNTED_FOLDERS, MAX_FOLDER_COUNT } from '../shared/limits.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const COUNT = { type: 'integer', minimum: 0, maximum: MAX_FOLDER_COUNT } as const

const FOLDER_COUNTS: EndpointDocs = {
  tag: assetCategory.name,
  operationId: 'count_in_asset_category',
  description:
    `Counts what the key may view directly in each folder. A number stops at ${MAX_FOLDER_COUNT.toLocaleString('en')}: the folder has at least as many. ` +
    'The response leaves out folders that do not exist or that the key may not view.',
  parameters: [
    {
      ...queryParameter(
        'ids',
        `Identifiers of 1 to ${MAX_COUNTED_FOLDERS} folders, separated by commas.`,
        { type: 'string', pattern: String.raw`^[1-9]\d*(,[1-9]\d*)*$` },
      ),
      required: true,
    },
  ],
  answers: {
    200: jsonAnswer('The numbers.', {
      schema: closed({
        type: 'object',
        required: ['counts'],
        properties: {
          counts: {
            type: 'array',
            maxItems: MAX_COUNTED_FOLDERS,
            items: closed({
              type: 'object',
              required: ['asset_category_id', 'folders', 'files'],
              properties: {
                asset_category_id: { type: 'integer', minimum: 1 },
                folders: COUNT,
                files: COUNT,
              },
            }),
          },
        },
      }),
      example: { counts: [{ asset_category_id: 13, folders: 2, files: 40 }] },
    }),
  },
}

export const folderCountRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v2/asset_category/counts',
    access: ['view'],
    summary: 'Count the files and folders in folders',
    docs: FOLDER_COUNTS,
    read: ({ query }) => {
      requireKnownParameters(query, ['ids'])
      return readIds(query.get('ids') ?? '')
    },
    run: countInFolders,
    reply: (counts) => json(200, { counts }),
  }),
]

function readIds(text: string): readonly number[] {
  const ids = [
    ...new Set(text.split(',').map((part) => (/^[1-9]\d*$/.test(part) ? Number(part) : 0))),
  ]
  if (ids.length <= MAX_COUNTED_FOLDERS && ids.every((id) => Number.isSafeInteger(id) && id > 0))
    return ids
  throw new CmsError(
    'bad-request',
    `The query parameter ids must name 1 to ${MAX_COUNTED_FOLDERS} folders by their identifiers, separated by commas: ids=1,12.`,
  )
}
