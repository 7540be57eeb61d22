// The largest batches of operations on files.

import { LIMITS } from '../../../lib/config/limits.ts'
import { FOLDER_ACTIONS } from '../../../lib/operations/folders/publish-folder.ts'
import { MAX_BATCH, MAX_JOINT_BATCH } from '../../../lib/shared/limits.ts'
import type { Call } from '../../helpers/server.ts'
import { type Ask, type Asks, LIST_BYTES, PAGE_BYTES, PROBLEM_BYTES } from './ask.ts'
import { many, type Site, TEXT } from './site.ts'

const batch = (mode: string, ids: readonly number[], op: string): Call => ({
  json: { mode, operations: ids.map((id) => ({ op, asset_file_id: id })) },
})

/** A folder with as many files as one list creates, ten times. */
async function folderOfFiles(site: Site): Promise<number> {
  const id = await site.make('asset_category', { name: site.name() })
  await many(10, () =>
    site.call('POST', '/api/v2/asset_file', {
      json: Array.from({ length: LIMITS.maxNewFiles }, () => ({
        name: site.name(),
        type: 'html',
        parent_category_id: id,
      })),
    }),
  )
  return id
}

interface Large {
  readonly folder: number
  readonly ids: readonly number[]
}

/** Makes a folder of files whose records are as large as one request can make them. */
async function largeRecords(site: Site): Promise<Large> {
  const folder = await site.make('asset_category', { name: site.name() })
  const ids = await many(Math.max(8, Math.min(40, site.size.files / 250)), () =>
    site.make('asset_file', {
      name: site.name(),
      type: 'html',
      parent_category_id: folder,
      description: TEXT,
    }),
  )
  return { folder, ids }
}

const ofLarge = (path: (folder: number) => string): Ask => ({
  what: 'of large records',
  prepare: largeRecords,
  path: (_, { folder }: Large) => path(folder),
  call: (site) => ({ json: { name: site.name() } }),
  maxBytes: LIST_BYTES,
})

export const BATCH_ASKS: Asks = {
  'POST /api/v2/asset_file/:id/copy': [
    {
      what: 'of a large text',
      path: ({ large }) => `/api/v2/asset_file/${large}/copy`,
      call: (site) => ({ json: { name: site.name() } }),
      maxBytes: PAGE_BYTES,
    },
  ],
  'POST /api/v2/asset_category/:id/copy': [
    {
      what: 'of many files',
      prepare: folderOfFiles,
      path: (_, id) => `/api/v2/asset_category/${id}/copy`,
      call: (site) => ({ json: { name: site.name() } }),
    },
    ofLarge((folder) => `/api/v2/asset_category/${folder}/copy`),
  ],
  ...Object.fromEntries(
    FOLDER_ACTIONS.map((action) => [
      `POST /api/v2/asset_category/:id/${action}`,
      [
        {
          what: 'of many files',
          prepare: folderOfFiles,
          path: (_: unknown, id: number) => `/api/v2/asset_category/${id}/${action}`,
          maxBytes: PROBLEM_BYTES,
        },
        { ...ofLarge((folder) => `/api/v2/asset_category/${folder}/${action}`), call: () => ({}) },
      ],
    ]),
  ),
  'POST /api/v2/batch': [
    {
      what: 'as many operations as one commit may have',
      path: () => '/api/v2/batch',
      call: ({ files: ids }) => batch('all', ids.slice(0, MAX_JOINT_BATCH), 'unpublish'),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'as many operations as one request may have, each by itself',
      path: () => '/api/v2/batch',
      call: ({ files: ids }) => batch('each', ids.slice(0, MAX_BATCH), 'unpublish'),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'more bytes of rows than one commit may have',
      prepare: largeRecords,
      path: () => '/api/v2/batch',
      call: (_, { ids }: Large) => batch('all', ids, 'publish'),
      maxBytes: PROBLEM_BYTES,
      status: 413,
    },
    {
      what: 'many refused operations',
      path: () => '/api/v2/batch',
      call: () => batch('each', Array(MAX_BATCH).fill(999_999_999), 'publish'),
      maxBytes: PROBLEM_BYTES,
    },
  ],
}
