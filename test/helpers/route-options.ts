// Options under which all routes of the server exist, for tests that look at the routes and call none.

import type { allRoutes } from '../../lib/api/routes.ts'

export const ROUTE_OPTIONS: Parameters<typeof allRoutes>[0] = {
  unready: () => undefined,
  warnings: () => [],
  metrics: () => Promise.reject(new Error('no test calls this route')),
  baseUrl: undefined,
  docs: 'public',
  maxUploadBytes: 1,
}
