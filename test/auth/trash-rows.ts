// The requirements of the routes of the trash.

import type { Row, Target } from './route-table.ts'

/** Callers who do not see the trash get an empty list. */
export function trashRows(): readonly Row[] {
  const list = '/api/v2/trash'
  const target: Target = 'trash'
  const seen = {
    target,
    needs: ['view', 'delete'],
    isForAll: true,
    denied: 404,
    outside: 404,
  } as const
  const json = (): object => ({})
  return [
    { route: `GET ${list}`, needs: [], ok: 200 },
    { route: `GET ${list}/:id`, ...seen, ok: 200 },
    {
      route: `POST ${list}/bulk_delete`,
      needs: [],
      json: () => ({ dry_run: true }),
      ok: 200,
    },
    {
      route: `POST ${list}/:id/restore`,
      ...seen,
      needs: ['view', 'create', 'delete'],
      json,
      ok: 200,
    },
    { route: `DELETE ${list}/:id`, ...seen, ok: 204 },
  ]
}
