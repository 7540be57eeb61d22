// Every route of the server, by the file that defines the route.

import type { Site } from '../config/flag-values.ts'
import type { PicturePresets } from '../config/picture-settings.ts'
import type { EndpointDocs, RouteDocs } from '../docs/endpoint.ts'
import { accessRoutes } from './access.ts'
import { adminRoutes } from './admin.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { assetFileRoutes } from './asset-files.ts'
import { backupRoutes } from './backup.ts'
import { batchRoutes } from './batch.ts'
import { bulkRoutes } from './bulk-entries.ts'
import { calendarRoutes } from './calendars.ts'
import { changeRoutes } from './changes.ts'
import { type DocumentOptions, documentRoutes } from './documents.ts'
import { copyRoutes } from './copies.ts'
import { downloadRoutes } from './download.ts'
import { moduleRoutes } from './entries.ts'
import { commentRoutes } from './comments.ts'
import { fileLinkRoutes } from './file-links.ts'
import { folderCountRoutes } from './folder-counts.ts'
import { formerNameRoutes } from './former-names.ts'
import { historyRoutes } from './history.ts'
import { healthRoutes, type HealthSources } from './health.ts'
import { meRoutes } from './me.ts'
import { OBJECT_RULES, objectRoutes } from './objects.ts'
import { oidcRoutes } from './oidc.ts'
import { pageLinkRoutes } from './links.ts'
import { previewRoutes } from './previews.ts'
import { problemRoutes } from './problems.ts'
import { publishFolderRoutes } from './publish-folders.ts'
import type { Route } from './request/route.ts'
import { savedViewRoutes } from './saved-views.ts'
import { secondFactorRoutes } from './second-factors.ts'
import { resumableUploadRoutes } from './resumable-uploads.ts'
import { sessionRoutes } from './sessions.ts'
import { stmlRoutes } from './stml.ts'
import { ticketRoutes } from './tickets.ts'
import { trashRoutes } from './trash.ts'
import { uploadRoutes } from './upload.ts'
import { sharedLinkRoutes } from './shared-links.ts'
import { passwordRoutes } from './user-passwords.ts'
import { webhookRoutes } from './webhooks.ts'

type RouteOptions = HealthSources &
  Omit<DocumentOptions, 'routes'> & {
    readonly maxUploadBytes: number
    readonly sites?: readonly Site[]
    readonly picturePresets?: PicturePresets
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
  {
    baseUrl,
    proxies,
    docs,
    maxUploadBytes,
    sites = [],
    picturePresets,
    oidc,
    ...health
  }: RouteOptions,
  routes: () => readonly Route[],
): Readonly<Record<string, readonly Route[]>> {
  const origin = { baseUrl, proxies }
  const signIn = { password: true, oidc: oidc?.issuer !== undefined }
  return {
    'objects.ts': objectRoutes,
    'asset-files.ts': assetFileRoutes,
    'batch.ts': batchRoutes,
    'copies.ts': copyRoutes,
    'publish-folders.ts': publishFolderRoutes,
    'comments.ts': commentRoutes,
    'file-links.ts': fileLinkRoutes(sites),
    'folder-counts.ts': folderCountRoutes,
    'former-names.ts': formerNameRoutes,
    'changes.ts': changeRoutes,
    'api-keys.ts': apiKeyRoutes,
    'webhooks.ts': webhookRoutes,
    'me.ts': meRoutes(sites),
    'access.ts': accessRoutes(OBJECT_RULES),
    'sessions.ts': sessionRoutes({ ...origin, sites }, signIn),
    'oidc.ts': oidcRoutes({ ...origin, sites }),
    'user-passwords.ts': passwordRoutes,
    'shared-links.ts': sharedLinkRoutes(sites),
    'saved-views.ts': savedViewRoutes,
    'second-factors.ts': secondFactorRoutes(proxies),
    'entries.ts': moduleRoutes,
    'history.ts': historyRoutes,
    'bulk-entries.ts': bulkRoutes,
    'calendars.ts': calendarRoutes,
    'upload.ts': uploadRoutes(maxUploadBytes),
    'resumable-uploads.ts': resumableUploadRoutes(maxUploadBytes),
    'download.ts': downloadRoutes,
    'backup.ts': backupRoutes,
    'stml.ts': stmlRoutes,
    'links.ts': pageLinkRoutes(sites),
    'trash.ts': trashRoutes,
    'tickets.ts': ticketRoutes({ routes }),
    'previews.ts': previewRoutes({ ...origin, sites }),
    'problems.ts': problemRoutes,
    'health.ts': healthRoutes(health),
    'admin.ts': adminRoutes(sites, picturePresets),
    'documents.ts': documentRoutes({ routes, ...origin, docs }),
  }
}

const MERGE_PATCH = 'application/merge-patch+json'

/**
 * Adds a PATCH route for each POST route that updates a record, because many clients use PATCH for updates. Both routes
 * run the same operation with the same grants, headers and idempotency; PATCH also accepts a merge patch.
 */
function withPatch(routes: readonly Route[]): readonly Route[] {
  return routes.flatMap((route) => (isChangeOfRecord(route) ? [route, twinOf(route)] : [route]))
}

/** Excludes routes such as passwords (recall: same), which do not update the fields of a record. */
function isChangeOfRecord({ method, path, action, recall }: Route): boolean {
  const isOfRecord = /:(?:entry_)?id$/.test(path)
  return method === 'POST' && action === 'update' && recall !== 'same' && isOfRecord
}

function twinOf(route: Route): Route {
  return Object.freeze({ ...route, method: 'PATCH', docs: docsOfTwin(route.docs) })
}

function docsOfTwin(docs: RouteDocs): RouteDocs {
  if (typeof docs !== 'function') return patchDocs(docs)
  return (module) => {
    const ofModule = docs(module)
    return ofModule && patchDocs(ofModule)
  }
}

function patchDocs({ mergePatch, ...docs }: EndpointDocs): EndpointDocs {
  const json = docs.body?.content['application/json']
  const patch = { ...json, ...(mergePatch !== undefined && { schema: mergePatch }) }
  return {
    ...docs,
    operationId: docs.operationId.replace(/^update_/, 'patch_'),
    description: `The same as POST, for clients that send PATCH. The body may also be ${MERGE_PATCH}, in which null clears a field.`,
    ...(docs.body !== undefined &&
      json !== undefined && {
        body: { ...docs.body, content: { ...docs.body.content, [MERGE_PATCH]: patch } },
      }),
  }
}
