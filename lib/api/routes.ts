// Every route there is. What is not in this list does not exist.

import { apiKeyRoutes } from './api-keys.ts'
import { assetFileRoutes } from './asset-files.ts'
import { calendarRoutes } from './calendars.ts'
import { downloadRoutes } from './download.ts'
import { healthRoutes, type Unready } from './health.ts'
import { objectRoutes } from './objects.ts'
import { problemRoutes } from './problems.ts'
import type { Route } from './route.ts'
import { moduleRoutes } from './modules.ts'
import { uploadRoutes } from './upload.ts'

export function allRoutes(unready: Unready): readonly Route[] {
  return [
    ...objectRoutes,
    ...assetFileRoutes,
    ...apiKeyRoutes,
    ...calendarRoutes,
    ...moduleRoutes,
    ...uploadRoutes,
    ...downloadRoutes,
    ...problemRoutes,
    ...healthRoutes(unready),
  ]
}
