// The requirements of objects of the whole site: webhooks and roles.

import { GRANTS } from '../../lib/shared/grants.ts'
import type { Place, Row, Target } from './route-table.ts'

function webhookRows(): readonly Row[] {
  const list = '/api/v2/webhook'
  const target: Target = 'webhook'
  const changes = { needs: GRANTS, isForAll: true, ok: 200 } as const
  const json = ({ name }: Place): object => ({ name, url: 'https://a.invalid', status: 'paused' })
  return [
    ...rowsOfSite(target, json, { objects: ['user'] }),
    { route: `GET ${list}/:id/delivery`, target, needs: ['admin'], ok: 200 },
    ...['pause', 'resume', 'rotate', 'test'].map((name) => ({
      route: `POST ${list}/:id/${name}`,
      target,
      ...changes,
    })),
    { route: `POST ${list}/:id/replay`, target, ...changes, json: () => ({ since: 0 }) },
  ]
}

/** An object of the whole site: admin reads, and every grant changes. */
function rowsOfSite(
  target: 'webhook' | 'role',
  json: (place: Place) => object,
  change: object,
): readonly Row[] {
  const list = `/api/v2/${target}`
  const reads = { needs: ['admin'], ok: 200 } as const
  const changes = { needs: GRANTS, isForAll: true, ok: 200 } as const
  return [
    { route: `GET ${list}`, ...reads },
    { route: `GET ${list}/:id`, target, ...reads },
    { route: `POST ${list}`, json, ...changes, ok: 201 },
    { route: `POST ${list}/:id`, target, ...changes, json: () => change },
    { route: `DELETE ${list}/:id`, target, ...changes, ok: 204 },
  ]
}

export const SITE_ROWS: readonly Row[] = [
  {
    route: 'POST /api/v2/links/check',
    json: () => ({ pageContent: '<a href="b">', type: 'html', parent_category_id: 1 }),
    needs: ['view'],
    ok: 200,
  },
  {
    route: 'POST /api/v2/links/check_files',
    json: () => ({ asset_file_ids: [1] }),
    needs: ['modify', 'stage', 'publish'],
    ok: 200,
  },
  ...webhookRows(),
  ...rowsOfSite('role', ({ name }) => ({ name, grants: ['view'] }), { grants: [] }),
]
