// Batches of operations on files, copies of files and folders, and the pages of a menu.

import { FOLDER_ACTIONS } from '../../lib/operations/folders/publish-folder.ts'
import type { Row } from './route-table.ts'

export const BATCH_AND_COPY_ROWS: readonly Row[] = [
  {
    route: 'GET /api/v2/file_group/:id/used_on',
    target: 'group',
    needs: ['view'],
    ok: 200,
    outside: 404,
  },
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
  ...FOLDER_ACTIONS.map(
    (action): Row => ({
      route: `POST /api/v2/asset_category/:id/${action}`,
      target: 'folder',
      needs: ['view', action === 'stage' ? 'stage' : 'publish'],
      isForAll: true,
      ok: 200,
      outside: 404,
    }),
  ),
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
