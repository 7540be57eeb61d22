// The OpenAPI document of the Module API: one tag and one set of paths for each module of the site.
//
// The part of a module is built once per revision and cached as JSON text. A document is the sequence of these texts.
// They are never concatenated: for a thousand modules the document has 12 MB, and one string of that size would block
// the event loop for longer than any request may.

import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { CmsError } from '../../base/errors.ts'
import { buildPaths, openDocument, referencesIn, usedComponents } from '../../docs/document.ts'
import {
  type DocumentedModule,
  type DocumentedRoute,
  isOfModules,
  type ModuleEndpointDocs,
} from '../../docs/endpoint.ts'
import { entrySchemaName, moduleKey } from './entry-docs.ts'
import { ABOUT_HEADERS, ABOUT_IDEMPOTENCY, ABOUT_MINIMAL } from '../../docs/parameters.ts'
import { entrySchema } from '../../docs/schemas.ts'
import type { DocumentAudience } from '../../docs/swagger-page.ts'

/** A module of the listing. The module is loaded only if its revision has changed. */
interface ListedModule {
  readonly key: string
  readonly revision: string
  readonly load: () => DocumentedModule | undefined
}

export interface ModuleDocuments {
  /**
   * The document of all visible modules. Hidden modules do not influence its bytes. Throws too-large if the parts of the
   * modules have more than `maxBytes` together.
   */
  read(
    baseUrl: string,
    modules: AsyncIterable<ListedModule>,
    maxBytes: number,
  ): Promise<ModuleDocument>
  /** The document of one module; undefined if the module was just removed. */
  readOne(baseUrl: string, module: ListedModule): Promise<ModuleDocument | undefined>
}

/** JSON text in pieces. */
interface ModuleDocument {
  readonly pieces: readonly Buffer[]
  readonly sizeBytes: number
  /** Changes with every change of the text. */
  readonly checksum: string
}

/** The members of `paths` and `schemas`, and the element of `tags`, that one module adds. */
interface Part {
  readonly revision: string
  readonly tag: string
  readonly paths: Buffer
  readonly schema: Buffer
  /** Shared components that this part refers to. */
  readonly references: readonly string[]
  readonly checksum: number
}

/** The route of a feed has a pattern for its name. */
const FEED = /:feed\(.*\)$/

/** Cache of parts. A part usually has 12 KB, and 430 KB with the most columns. */
const CACHE_BYTES = 32 * 1024 * 1024

const COMMA = Buffer.from(',')

export function openModuleDocuments(
  routes: () => readonly DocumentedRoute[],
  audience: DocumentAudience,
): ModuleDocuments {
  const known = new LRUCache<string, Part>({ maxSize: CACHE_BYTES, sizeCalculation: sizeOf })

  const partOf = (
    ofModules: readonly DocumentedRoute<ModuleEndpointDocs>[],
    { key, revision, load }: ListedModule,
  ): Part | undefined => {
    const before = known.get(key)
    if (before?.revision === revision) return before
    const part = build(ofModules, revision, load())
    if (part !== undefined) known.set(key, part)
    return part
  }

  return {
    async read(baseUrl, modules, maxBytes) {
      const ofModules = routes().filter(isOfModules)
      const parts: Part[] = []
      let sizeBytes = 0
      for await (const module of modules) {
        const part = partOf(ofModules, module)
        if (part === undefined) continue
        parts.push(part)
        sizeBytes += sizeOf(part)
        if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      }
      return join({ baseUrl, audience }, parts)
    },
    async readOne(baseUrl, module) {
      const part = partOf(routes().filter(isOfModules), module)
      return part && join({ baseUrl, audience }, [part])
    },
  }
}

function sizeOf({ paths, schema }: Part): number {
  return paths.length + schema.length
}

function tooLarge(maxBytes: number): CmsError {
  return new CmsError(
    'too-large',
    `The document of all modules would have more than ${maxBytes} bytes. Read one module, for example with ?module=datatable/5. /public/api/module/modules.json lists the modules.`,
  )
}

function build(
  routes: readonly DocumentedRoute<ModuleEndpointDocs>[],
  revision: string,
  module: DocumentedModule | undefined,
): Part | undefined {
  if (module === undefined) return undefined
  const { kind, id, record, entry } = module
  const ofModule = routes.flatMap((route) => {
    const docs = route.docs(module)
    const path = route.path
      .replace(':type', kind)
      .replace(':module_id', String(id))
      .replace(':module_name', record.module_name)
      .replace(FEED, `${record.module_name}.ics`)
    return docs === undefined ? [] : [{ ...route, path, docs }]
  })

  const tag = JSON.stringify({ name: moduleKey(module), description: `Entries of the ${kind}.` })
  const text = members(buildPaths(ofModule))
  const paths = Buffer.from(text)
  const references = [...new Set(referencesIn(text))]
  const schema = Buffer.from(members({ [entrySchemaName(module)]: entrySchema(entry) }))
  const checksum = crc32(schema, crc32(paths, crc32(tag)))
  return { revision, tag, paths, schema, references, checksum }
}

interface Reader {
  readonly baseUrl: string
  readonly audience: DocumentAudience
}

async function join(reader: Reader, parts: readonly Part[]): Promise<ModuleDocument> {
  const builder = await openDocument({
    title: 'Module API',
    description: describe(reader),
    baseUrl: reader.baseUrl,
  })
  const { tags, paths, components, ...head } = builder.getSpec()
  const references = new Set(parts.flatMap((part) => part.references))
  const { schemas = {}, ...otherComponents } = usedComponents(
    components ?? {},
    references,
    reader.baseUrl,
  )
  const start = Buffer.from(
    `{${members(head)},"tags":[${parts.map(({ tag }) => tag).join(',')}],"paths":{`,
  )
  const middle = Buffer.from(
    `},"components":{${members(otherComponents)},"schemas":{${members(schemas)}`,
  )

  const pieces = [
    start,
    ...parts.flatMap((part, index) => (index === 0 ? [part.paths] : [COMMA, part.paths])),
    middle,
    // The shared schemas are never empty, because every module refers to `page`: the comma is always valid.
    ...parts.flatMap(({ schema }) => [COMMA, schema]),
    Buffer.from('}}}'),
  ]
  const sums = parts.map(({ checksum }) => checksum.toString(16)).join('.')
  return {
    pieces,
    sizeBytes: pieces.reduce((sum, { length }) => sum + length, 0),
    checksum: crc32(sums, crc32(middle, crc32(start))).toString(16),
  }
}

function members(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

function describe({ baseUrl, audience }: Reader): string {
  const which = audience === 'keyed' ? 'that the key may see' : 'of the site'
  return [
    `One resource for each datatable and calendar ${which}, available as soon as it is created. Datatables and calendars are created and changed in the [System API](${baseUrl}/public/api/system).`,
    'Authenticate with `Authorization: Bearer <API_KEY>`. On this page, enter the key under Authorize.',
    'Every property of a body has one type. `null` is also accepted for an optional value and clears the value.',
    'The response to a create has no identifier unless the request sends `Prefer: return=representation`. A read returns no columns unless `fields` names them.',
    'A `qry` can follow references: `{"author.name": "Ada"}` through a reference to one record, `{"related": {"$some": {…}}}` (or `$none`, `$every`) through a list, and `{"datatable_5.post": {"$some": {…}}}` to the entries of datatable 5 whose column `post` refers to the entry. `expand` adds the records behind references. Records that the key may not see are ignored.',
    '`If-Match` compares only the part of an ETag before the dot: the revision of the entry and a history mark of the site.',
    ABOUT_HEADERS,
    ABOUT_IDEMPOTENCY,
    ABOUT_MINIMAL,
  ].join('\n\n')
}
