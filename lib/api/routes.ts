// Every route there is. What is not in this list does not exist.

import { adminRoutes } from './admin.ts'
import { accessRoutes } from './access.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { assetFileRoutes } from './asset-files.ts'
import { backupRoutes } from './backup.ts'
import { changeRoutes } from './changes.ts'
import { calendarRoutes } from './calendars.ts'
import { type DocumentOptions, documentRoutes } from './documents.ts'
import { downloadRoutes } from './download.ts'
import { healthRoutes, type HealthSources } from './health.ts'
import { OBJECT_RULES, objectRoutes } from './objects.ts'
import { problemRoutes } from './problems.ts'
import { withPatch } from './patch.ts'
import { meRoutes } from './me.ts'
import { oidcRoutes } from './oidc.ts'
import { secondFactorRoutes } from './second-factors.ts'
import { sessionRoutes } from './sessions.ts'
import { stmlRoutes } from './stml.ts'
import { ticketRoutes } from './tickets.ts'
import { passwordRoutes } from './user-passwords.ts'
import type { Route } from './request/route.ts'
import { moduleRoutes } from './entries.ts'
import { uploadRoutes } from './upload.ts'
import { webhookRoutes } from './webhooks.ts'

type RouteOptions = HealthSources &
  Omit<DocumentOptions, 'routes'> & {
    /** Largest file of an upload. */
    readonly maxUploadBytes: number
    /** The provider of identities; undefined as a whole where nobody asks. */
    readonly oidc?: { readonly issuer: string | undefined }
  }

export function allRoutes({
  baseUrl,
  proxies,
  docs,
  maxUploadBytes,
  oidc,
  ...health
}: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = withPatch([
    ...objectRoutes,
    ...assetFileRoutes,
    ...changeRoutes,
    ...apiKeyRoutes,
    ...webhookRoutes,
    ...meRoutes,
    ...accessRoutes(OBJECT_RULES),
    ...sessionRoutes({ baseUrl, proxies }, { password: true, oidc: oidc?.issuer !== undefined }),
    ...oidcRoutes({ baseUrl, proxies }),
    ...passwordRoutes,
    ...secondFactorRoutes(proxies),
    ...moduleRoutes,
    ...calendarRoutes,
    ...uploadRoutes(maxUploadBytes),
    ...downloadRoutes,
    ...backupRoutes,
    ...stmlRoutes,
    ...ticketRoutes({ routes: () => routes }),
    ...problemRoutes,
    ...healthRoutes(health),
    ...adminRoutes(),
    ...documentRoutes({ routes: () => routes, baseUrl, proxies, docs }),
  ])
  return routes
}
