// The OpenAPI document of the System API and of every other endpoint that all sites have.

import { assetFile } from '../../schema/asset-file.ts'
import { OBJECTS } from '../../schema/catalog.ts'
import { fileLink } from '../../schema/file-link.ts'
import { versionSchema } from './asset-file-docs.ts'
import { buildPaths, openDocument, referencesIn, usedComponents } from '../../docs/document.ts'
import { type DocumentedRoute, isFixed } from '../../docs/endpoint.ts'
import { ABOUT_HEADERS, ABOUT_IDEMPOTENCY, ABOUT_MINIMAL } from '../../docs/parameters.ts'
import { recordSchema, selectionName, selectionSchema } from '../../docs/schemas.ts'
import { RESUMABLE_TAG } from './resumable-upload-docs.ts'
import { SESSION_TAG } from './session-docs.ts'

const OTHER_TAGS = [
  SESSION_TAG,
  {
    name: 'upload and download',
    description: 'Upload and download of bytes, also outside /api/v2 as /upload and /file/….',
  },
  RESUMABLE_TAG,
  {
    name: 'change',
    description: 'The changes of the site, in order: polled, long-polled, or streamed.',
  },
  { name: 'service', description: 'OpenAPI documents, problem pages, health checks and backups.' },
] as const

/** JSON text of the document. */
export async function systemDocument(
  routes: readonly DocumentedRoute[],
  baseUrl: string,
): Promise<string> {
  const builder = await openDocument({
    title: 'System API',
    description: describe(baseUrl),
    baseUrl,
  })
  for (const object of OBJECTS) {
    builder.addTag({ name: object.name, description: object.description })
    builder.addSchema(object.name, recordSchema(object))
    builder.addSchema(selectionName(object.name), selectionSchema(object))
  }
  for (const tag of OTHER_TAGS) builder.addTag({ ...tag })
  builder.addSchema(`${assetFile.name}_version`, versionSchema())
  builder.addSchema(fileLink.name, recordSchema(fileLink))

  for (const [path, item] of Object.entries(buildPaths(routes.filter(isFixed)))) {
    builder.addPath(path, item)
  }
  const { components = {}, ...document } = builder.getSpec()
  const used = usedComponents(components, referencesIn(JSON.stringify(document)), baseUrl)
  return JSON.stringify({ ...document, components: used })
}

function describe(baseUrl: string): string {
  return [
    `The core objects of the site. The entries of datatables and calendars are in the [Module API](${baseUrl}/public/api/module).`,
    'Authenticate with `Authorization: Bearer <API_KEY>`. On this page, enter the key under Authorize.',
    'A field without a value is `null`, never a missing property. Every property of a body has one type. `null` is also accepted; in a create it means the same as leaving the property out. Dates are RFC 3339 in UTC. A body with an unknown property is rejected.',
    'A name has no control characters and no marks that change the direction of text. It does not begin or end with a blank or an invisible character.',
    'Errors are problem details (RFC 9457): `code` names the problem, `detail` says what to do. With 429 and 503, Retry-After says when to try again.',
    ABOUT_HEADERS,
    'HEAD works at the address of every GET that changes nothing, except the backup. A record has an ETag of two parts: `"r7-3f9a11c2.5d8f0b21"`. `If-Match` compares only the part before the dot: the revision, and a history mark of the site that changes when a backup is restored. A `W/` prefix, which proxies add, is ignored.',
    ABOUT_IDEMPOTENCY,
    ABOUT_MINIMAL,
    'Saving an asset file creates a version and publishes nothing. Visitors see the live version, which `publish`, a scheduled time or the field `fileState` selects.',
  ].join('\n\n')
}
