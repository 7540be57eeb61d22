// Batches of operations on files, and copies of files and folders.

import type { Row } from './route-table.ts'

export const BATCH_AND_COPY_ROWS: readonly Row[] = [
  {
    route: 'POST /api/v2/asset_file/:id/copy',
    target: 'file',
    json: () => ({}),
    needs: ['view', 'create'],
    isForAll: true,
    ok: 201,
    outside: 404,
  },
  {
    route: 'POST /api/v2/asset_category/:id/copy',
    target: 'folder',
    json: () => ({}),
    needs: ['view', 'create'],
    isForAll: true,
    ok: 201,
    outside: 404,
  },
  {
    route: 'POST /api/v2/batch',
    target: 'file',
    json: ({ targetId: asset_file_id }) => ({
      mode: 'all',
      operations: [{ op: 'publish', asset_file_id }],
    }),
    needs: ['publish'],
    ok: 200,
    outside: 404,
  },
]
