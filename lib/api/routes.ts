// Every route of the server, by the file that defines the route.

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
    readonly maxUploadBytes: number
    /** The identity provider. */
    readonly oidc?: { readonly issuer: string | undefined }
  }

export function allRoutes(options: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = withPatch(
    Object.values(routesByFile(options, () => routes)).flat(),
  )
  return routes
}

/** The routes of each file of this folder. Tickets and documents look at all routes, once these exist. */
export function routesByFile(
  { baseUrl, proxies, docs, maxUploadBytes, oidc, ...health }: RouteOptions,
  routes: () => readonly Route[],
): Readonly<Record<string, readonly Route[]>> {
  const origin = { baseUrl, proxies }
  const signIn = { password: true, oidc: oidc?.issuer !== undefined }
  return {
    'objects.ts': objectRoutes,
    'asset-files.ts': assetFileRoutes,
    'changes.ts': changeRoutes,
    'api-keys.ts': apiKeyRoutes,
    'webhooks.ts': webhookRoutes,
    'me.ts': meRoutes,
    'access.ts': accessRoutes(OBJECT_RULES),
    'sessions.ts': sessionRoutes(origin, signIn),
    'oidc.ts': oidcRoutes(origin),
    'user-passwords.ts': passwordRoutes,
    'second-factors.ts': secondFactorRoutes(proxies),
    'entries.ts': moduleRoutes,
    'calendars.ts': calendarRoutes,
    'upload.ts': uploadRoutes(maxUploadBytes),
    'download.ts': downloadRoutes,
    'backup.ts': backupRoutes,
    'stml.ts': stmlRoutes,
    'tickets.ts': ticketRoutes({ routes }),
    'problems.ts': problemRoutes,
    'health.ts': healthRoutes(health),
    'admin.ts': adminRoutes(),
    'documents.ts': documentRoutes({ routes, ...origin, docs }),
  }
}
