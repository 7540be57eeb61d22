// Every route there is. What is not in this list does not exist.

import { apiKeyRoutes } from './api-keys.ts'
import { assetFileRoutes } from './asset-files.ts'
import { backupRoutes } from './backup.ts'
import { calendarRoutes } from './calendars.ts'
import { documentRoutes } from './documents.ts'
import type { DocumentAudience } from '../docs/swagger-page.ts'
import { downloadRoutes } from './download.ts'
import { healthRoutes, type HealthSources } from './health.ts'
import { objectRoutes } from './objects.ts'
import { problemRoutes } from './problems.ts'
import type { Route } from './route.ts'
import { moduleRoutes } from './modules.ts'
import { uploadRoutes } from './upload.ts'

interface RouteOptions extends HealthSources {
  /** The address that the documents tell; undefined: that of the request. */
  readonly baseUrl: string | undefined
  /** Who gets the document of the modules. */
  readonly docs: DocumentAudience
  /** Largest file of an upload. */
  readonly maxUploadBytes: number
}

export function allRoutes({
  baseUrl,
  docs,
  maxUploadBytes,
  ...health
}: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = [
    ...objectRoutes,
    ...assetFileRoutes,
    ...apiKeyRoutes,
    ...calendarRoutes,
    ...moduleRoutes,
    ...uploadRoutes(maxUploadBytes),
    ...downloadRoutes,
    ...backupRoutes,
    ...problemRoutes,
    ...healthRoutes(health),
    ...documentRoutes({ routes: () => routes, baseUrl, docs }),
  ]
  return routes
}
