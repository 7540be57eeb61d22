// Every route there is. What is not in this list does not exist.

import { apiKeyRoutes } from './api-keys.ts'
import { assetFileRoutes } from './asset-files.ts'
import { calendarRoutes } from './calendars.ts'
import { documentRoutes } from './documents.ts'
import { downloadRoutes } from './download.ts'
import { healthRoutes, type Unready } from './health.ts'
import { objectRoutes } from './objects.ts'
import { problemRoutes } from './problems.ts'
import type { Route } from './route.ts'
import { moduleRoutes } from './modules.ts'
import { uploadRoutes } from './upload.ts'

interface RouteOptions {
  readonly unready: Unready
  /** The address that the documents tell; undefined: that of the request. */
  readonly baseUrl: string | undefined
}

export function allRoutes({ unready, baseUrl }: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = [
    ...objectRoutes,
    ...assetFileRoutes,
    ...apiKeyRoutes,
    ...calendarRoutes,
    ...moduleRoutes,
    ...uploadRoutes,
    ...downloadRoutes,
    ...problemRoutes,
    ...healthRoutes(unready),
    ...documentRoutes({ routes: () => routes, baseUrl }),
  ]
  return routes
}
