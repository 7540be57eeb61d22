// The document of the Module API: one tag and one set of paths for each module of the site.
//
// The part of a module is made once for each of its revisions and kept as JSON text; the document is
// those texts joined. So a change of one module among a thousand costs one part and the joining, and a
// document that nobody changed costs a look at the revisions.

import { crc32 } from 'node:zlib'
import { openDocument } from './document.ts'
import {
  type DocumentedModule,
  type DocumentedRoute,
  isOfModules,
  type ModuleEndpointDocs,
} from './endpoint.ts'
import { entrySchemaName, moduleKey } from './entry-docs.ts'
import { buildPaths } from './operation.ts'
import { recordSchema } from './schemas.ts'

/** A module as it is found on the way through all of them; only one that has changed is loaded. */
export interface ListedModule {
  readonly key: string
  readonly revision: string
  readonly load: () => DocumentedModule | undefined
}

export interface ModuleDocuments {
  read(baseUrl: string, modules: AsyncIterable<ListedModule>): Promise<ModuleDocument>
}

export interface ModuleDocument {
  readonly bytes: Buffer
  /** Changes with every change of the bytes. */
  readonly checksum: string
}

/** The name of a feed has a pattern in its route. */
const FEED = /:feed\(.*\)$/

/** JSON text of members of objects, and of an element of a list. */
interface Part {
  readonly revision: string
  readonly tag: string
  readonly paths: string
  readonly schema: string
}

interface Joined {
  readonly parts: readonly Part[]
  readonly baseUrl: string
  readonly document: ModuleDocument
}

export function openModuleDocuments(routes: () => readonly DocumentedRoute[]): ModuleDocuments {
  let known: ReadonlyMap<string, Part> = new Map()
  let last: Joined | undefined

  return {
    async read(baseUrl, modules) {
      const ofModules = routes().filter(isOfModules)
      const found = new Map<string, Part>()
      for await (const { key, revision, load } of modules) {
        const before = known.get(key)
        const part = before?.revision === revision ? before : build(ofModules, revision, load())
        if (part !== undefined) found.set(key, part)
      }
      known = found

      const parts = [...found.values()]
      if (last?.baseUrl === baseUrl && isSame(last.parts, parts)) return last.document
      const document = await join(baseUrl, parts)
      last = { parts, baseUrl, document }
      return document
    },
  }
}

function isSame(left: readonly Part[], right: readonly Part[]): boolean {
  return left.length === right.length && left.every((part, index) => part === right[index])
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
  return {
    revision,
    tag: JSON.stringify({ name: moduleKey(module), description: `Entries of the ${kind}.` }),
    paths: members(buildPaths(ofModule, '')),
    schema: members({ [entrySchemaName(module)]: recordSchema(entry.object) }),
  }
}

async function join(baseUrl: string, parts: readonly Part[]): Promise<ModuleDocument> {
  const builder = await openDocument({
    title: 'Module API',
    description: describe(baseUrl),
    baseUrl,
  })
  const { tags, paths, components, ...head } = builder.getSpec()
  const { schemas, ...otherComponents } = components ?? {}
  const bytes = Buffer.from(
    `{${members(head)},"tags":[${parts.map(({ tag }) => tag).join(',')}],` +
      `"paths":{${parts.map((part) => part.paths).join(',')}},` +
      `"components":{${members(otherComponents)},` +
      `"schemas":{${[members(schemas ?? {}), ...parts.map(({ schema }) => schema)].join(',')}}}}`,
  )
  return { bytes, checksum: crc32(bytes).toString(16) }
}

function members(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

function describe(baseUrl: string): string {
  return [
    `One resource for each datatable and calendar of the site, from the moment it is created. They are created and changed in the [System API](${baseUrl}/public/api/system).`,
    'Sign requests with `Authorization: Bearer <API_KEY>`: Authorize takes the key.',
    'An entry is created without an answer of its identifier, and read without its columns, unless `Prefer: return=representation` or `fields` ask for them.',
    '`If-Match` compares the part of an ETag before the dot: the revision of the entry.',
  ].join('\n\n')
}
