// Options that enable all routes of the server, for tests that inspect routes without calling them.

import type { allRoutes } from '../../lib/api/routes.ts'

export const ROUTE_OPTIONS: Parameters<typeof allRoutes>[0] = {
  unready: () => undefined,
  warnings: () => [],
  metrics: () => Promise.reject(new Error('no test calls this route')),
  baseUrl: undefined,
  docs: 'public',
  maxUploadBytes: 1,
}
