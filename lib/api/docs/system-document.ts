// The document of the System API and of all else that is there on every site.

import { assetFile } from '../../schema/asset-file.ts'
import { OBJECTS } from '../../schema/catalog.ts'
import { versionSchema } from './asset-file-docs.ts'
import { openDocument, referencesIn, usedComponents } from '../../docs/document.ts'
import { type DocumentedRoute, isFixed } from '../../docs/endpoint.ts'
import { buildPaths } from '../../docs/operation.ts'
import { ABOUT_HEADERS, ABOUT_IDEMPOTENCY } from '../../docs/parameters.ts'
import { recordSchema, selectionName, selectionSchema } from '../../docs/schemas.ts'
import { SESSION_TAG } from './session-docs.ts'

const OTHER_TAGS = [
  SESSION_TAG,
  {
    name: 'upload and download',
    description: 'Bytes in and out. Also served beside /api/v2, as /upload and /file/….',
  },
  {
    name: 'change',
    description:
      'What changes on the site, in order: to be asked for, waited for, or sent as it happens.',
  },
  { name: 'service', description: 'Documents, explanations of problems, health, and backups.' },
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
    'Sign requests with `Authorization: Bearer <API_KEY>`: Authorize takes the key.',
    'What a record lacks is `null`, never a missing property. A body has one type per property; `null` is also accepted, and in a create means the same as leaving the property out. Dates are RFC 3339 in UTC. An unknown property of a body is refused.',
    'Errors are problem details (RFC 9457): `code` names the problem, `detail` says what to do. A 429 or 503 says in Retry-After when to try again.',
    ABOUT_HEADERS,
    'A GET that changes nothing answers HEAD, too, but for the backup. A record carries an ETag of two parts: `"r7-3f9a11c2.5d8f0b21"`. `If-Match` compares the part before the dot alone: the revision, and a mark of the history of the site, which changes when a backup is restored. `W/` in front, which proxies add, makes no difference.',
    ABOUT_IDEMPOTENCY,
    'Saving an asset file makes a version and publishes nothing; visitors see what `publish`, `stage` or the field `fileState` has put there.',
  ].join('\n\n')
}
