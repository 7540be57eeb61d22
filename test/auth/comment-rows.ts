// The requirements of the routes of comments. Callers who may not see the drafts of the target learn nothing.

import type { Row } from './route-table.ts'

const SEEN = {
  target: 'comment',
  needs: ['view', 'modify'],
  isForAll: true,
  denied: 404,
  outside: 404,
} as const

export const COMMENT_ROWS: readonly Row[] = [
  { route: 'GET /api/v2/comment', needs: [], ok: 200 },
  {
    route: 'POST /api/v2/comment',
    target: 'file',
    json: ({ targetId }) => ({ target: `asset_file/${targetId}`, text: 'Why?' }),
    needs: ['view', 'modify', 'stage', 'publish'],
    isForAll: true,
    ok: 201,
    outside: 422,
  },
  { route: 'GET /api/v2/comment/:id', ...SEEN, ok: 200 },
  { route: 'POST /api/v2/comment/:id', ...SEEN, json: () => ({ resolved: true }), ok: 200 },
  { route: 'DELETE /api/v2/comment/:id', ...SEEN, ok: 204 },
  { route: 'GET /api/v2/me/mentions', needs: [], ok: 200 },
]
