// For tests that inspect routes without calling them: options that enable all routes, and addresses as documents show them.

import type { allRoutes } from '../../lib/api/routes.ts'
import { OBJECTS } from '../../lib/schema/catalog.ts'

export const ROUTE_OPTIONS: Parameters<typeof allRoutes>[0] = {
  unready: () => undefined,
  warnings: () => [],
  metrics: () => Promise.reject(new Error('no test calls this route')),
  baseUrl: undefined,
  docs: 'public',
  maxUploadBytes: 1,
}

const NAMES = OBJECTS.map(({ name }) => name).join('|')
const COMMON = new RegExp(`^/api/v2/(?:${NAMES})(?=$|/:\\w+$|/(?:bulk|search)$)`)

/**
 * An address in the form of the documents: `/api/v2/{object}/{id}` if every object has the address.
 */
export function shownAddress(path: string): string {
  return path
    .replace(COMMON, '/api/v2/{object}')
    .replace(/\(.*\)$/, '')
    .replace(/:(\w+)/g, '{$1}')
}
