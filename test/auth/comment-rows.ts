// The requirements of the routes of comments. Callers who may not see the drafts of the target learn nothing.

import type { Row } from './route-table.ts'

const IN_FOLDER = {
  target: 'comment',
  needs: ['view', 'modify'],
  isForAll: true,
  denied: 404,
} as const

const SEEN = { ...IN_FOLDER, outside: 404 } as const

export const COMMENT_ROWS: readonly Row[] = [
  { route: 'GET /api/v2/comment', needs: [], ok: 200 },
  {
    route: 'POST /api/v2/comment',
    target: 'file',
    json: ({ targetId }) => ({ target: `asset_file/${targetId}`, text: 'Why?' }),
    // The grants stage and publish suffice in place of modify, and every role that has one of them has modify.
    needs: ['view', 'modify'],
    isForAll: true,
    ok: 201,
    outside: 422,
  },
  { route: 'GET /api/v2/comment/:id', ...SEEN, ok: 200 },
  { route: 'POST /api/v2/comment/:id', ...SEEN, json: () => ({ resolved: true }), ok: 200 },
  // Only the author and administrators delete a comment: test/api/comments.test.ts.
  { ...IN_FOLDER, route: 'DELETE /api/v2/comment/:id', ok: 204 },
  { route: 'GET /api/v2/comment/counts', query: '?targets=asset_file/1', needs: [], ok: 200 },
  { route: 'GET /api/v2/me/mentions', needs: [], ok: 200 },
]
