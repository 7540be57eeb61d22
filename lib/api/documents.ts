// The OpenAPI documents and the pages that show them: /public/api/system and /public/api/module.

import { crc32 } from 'node:zlib'
import { CmsError } from '../base/errors.ts'
import { jsonAnswer, NOT_MODIFIED } from '../docs/answers.ts'
import { openAssets } from '../docs/assets.ts'
import type { DocumentedRoute, EndpointDocs } from '../docs/endpoint.ts'
import {
  assetReply,
  type Document,
  documentReply,
  type Keeping,
  newNonce,
} from './document-reply.ts'
import { IF_NONE_MATCH, queryParameter } from '../docs/parameters.ts'
import {
  DOCUMENT_NAMES,
  type DocumentAudience,
  type DocumentName,
  pagePolicy,
  swaggerPage,
} from '../docs/swagger-page.ts'
import type { Proxies } from '../http/client-address.ts'
import { originHeaders, originOf } from '../http/origin.ts'
import { OWN_WINDOW } from '../http/reply.ts'
import { findListedModule, listModules, type ModuleKey } from '../operations/modules/find-module.ts'
import { openHasPublic } from '../operations/modules/public-module.ts'
import { MODULE_KINDS } from '../schema/module.ts'
import { openModuleDocuments } from './docs/module-document.ts'
import { pageDocs, READ_DOCUMENT_ASSET } from './docs/service-docs.ts'
import { systemDocument } from './docs/system-document.ts'
import { callerOf, moduleListRoutes, ONLY_SEEN, type Reader } from './module-lists.ts'
import { entranceRoutes } from './entrances.ts'
import { type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export interface DocumentOptions {
  /** All routes, including the routes of this file. */
  readonly routes: () => readonly DocumentedRoute[]
  /** Undefined: the base URL of the request is used. */
  readonly baseUrl: string | undefined
  /** Trusted proxies, whose forwarded headers determine the base URL. */
  readonly proxies?: Proxies
  /** The audience of the Module API document. The System API document reveals nothing about the site. */
  readonly docs: DocumentAudience
}

type ReadDocument = (reader: Reader, asked: Asked) => Promise<Document>

interface Asked {
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string
  /** Undefined: all modules. */
  readonly module: ModuleKey | undefined
}

export function documentRoutes(options: DocumentOptions): readonly Route[] {
  const { routes, baseUrl, proxies, docs } = options
  const assets = openAssets()
  const documents = { system: readSystem(routes), module: readModules(routes, docs) }

  return [
    ...entranceRoutes(
      ({ message }) => baseUrl ?? originOf(message, proxies),
      originHeaders(proxies),
    ),
    ...DOCUMENT_NAMES.flatMap((name) => {
      const audience = name === 'module' ? docs : 'public'
      return [
        pageRoute(name, (nonce) =>
          swaggerPage({ name, audience, assetsVersion: assets.version(), nonce }),
        ),
        documentRoute({ ...options, name, audience, readDocument: documents[name] }),
      ]
    }),
    ...moduleListRoutes(docs, keepingOf(docs, proxies)),
    defineRoute({
      method: 'GET',
      path: '/public/api/assets/:version/:name',
      access: 'open',
      summary: 'Load an asset of the API pages',
      docs: READ_DOCUMENT_ASSET,
      answers: 'bytes',
      read: ({ params }) => params,
      run: (_, { version = '', name = '' }) => assets.find(version, name),
      reply: (asset, { message }) => assetReply(asset, message),
    }),
  ]
}

function pageRoute(name: DocumentName, page: (nonce: string) => string): Route {
  return defineRoute({
    method: 'GET',
    path: `/public/api/${name}`,
    access: 'open',
    summary: `Show the ${name === 'system' ? 'System' : 'Module'} API with Swagger UI`,
    docs: pageDocs(`show_${name}_api`),
    answers: 'bytes',
    read: () => undefined,
    run: newNonce,
    reply: (nonce) => ({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': pagePolicy(nonce),
        ...OWN_WINDOW,
      },
      body: page(nonce),
    }),
  })
}

interface Served extends Pick<DocumentOptions, 'baseUrl' | 'proxies'> {
  readonly name: DocumentName
  readonly audience: DocumentAudience
  readonly readDocument: ReadDocument
}

/** The caching headers of the documents. */
function keepingOf(audience: DocumentAudience, proxies: Proxies): Keeping {
  const vary = originHeaders(proxies)
  return audience === 'keyed'
    ? { 'cache-control': 'private, no-cache', vary: `Authorization, ${vary}` }
    : { 'cache-control': 'no-cache', vary }
}

function documentRoute({ name, audience, baseUrl, proxies, readDocument }: Served): Route {
  const keeping = keepingOf(audience, proxies)
  return defineRoute({
    method: 'GET',
    path: `/public/api/${name}/swagger.json`,
    access: audience === 'keyed' ? 'key' : 'open',
    ...(audience === 'keyed' && name === 'module' && { isPublic: openHasPublic() }),
    summary: `Read the OpenAPI document of the ${name === 'system' ? 'System' : 'Module'} API`,
    docs: name === 'module' ? moduleDocumentDocs(audience) : documentDocs('read_system_document'),
    read(request) {
      requireKnownParameters(request.query, name === 'module' ? ['module'] : [])
      return {
        baseUrl: baseUrl ?? originOf(request.message, proxies),
        module: readModuleKey(request),
      }
    },
    run: (reader, asked) => readDocument(reader, asked),
    reply: (document, request) => documentReply(document, request, keeping),
  })
}

function readModuleKey({ query }: Request): ModuleKey | undefined {
  const text = query.get('module')
  if (text === null) return undefined
  const [, name, id] = /^(\w+)\/([1-9]\d{0,15})$/.exec(text) ?? []
  const kind = MODULE_KINDS.find((each) => each === name)
  if (kind !== undefined && Number.isSafeInteger(Number(id))) return { kind, id: Number(id) }
  const detail = 'The query parameter module must name one module, as in datatable/5 or calendar/5.'
  throw new CmsError('bad-request', detail)
}

/** The document is constant while the server runs, except for its base URL. */
function readSystem(routes: DocumentOptions['routes']): ReadDocument {
  let last: (Document & { readonly url: string }) | undefined

  return async (_, { baseUrl: url }) => {
    if (last?.url === url) return last
    const text = Buffer.from(await systemDocument(routes(), url))
    last = { url, pieces: [text], checksum: crc32(text).toString(16) }
    return last
  }
}

function readModules(routes: DocumentOptions['routes'], audience: DocumentAudience): ReadDocument {
  const ofKeys = openModuleDocuments(routes, audience)
  // Readers without a key get the routes that they can use, and see other columns.
  const publicRoutes = (): readonly DocumentedRoute[] =>
    routes().filter(({ isPublic }) => isPublic !== undefined)
  const ofPublic = openModuleDocuments(publicRoutes, audience)
  return async (reader, { baseUrl, module }) => {
    const caller = callerOf(reader)
    const documents = caller?.isAnonymous === true ? ofPublic : ofKeys
    if (module === undefined) {
      const { documentBytes } = reader.limits
      return documents.read(baseUrl, listModules(reader, caller), documentBytes)
    }
    const found = findListedModule(reader, caller, module)
    const document = found && (await documents.readOne(baseUrl, found))
    if (document !== undefined) return document
    const detail = 'There is no such module, or the key may not see it.'
    throw new CmsError('not-found', detail)
  }
}

function documentDocs(operationId: string): EndpointDocs {
  const answer = jsonAnswer('An OpenAPI 3.1 document.', {
    schema: { type: 'object', additionalProperties: true },
    example: { openapi: '3.1.0' },
    headers: ['ETag'],
  })
  return {
    tag: 'service',
    operationId,
    parameters: [IF_NONE_MATCH],
    answers: { 200: answer, 304: NOT_MODIFIED },
  }
}

function moduleDocumentDocs(audience: DocumentAudience): EndpointDocs {
  const docs = documentDocs('read_module_document')
  const module = queryParameter(
    'module',
    'One module, as modules.json names it: datatable/5 or calendar/5. Without this parameter, the document has all modules, which is 12 MB for a thousand modules.',
    { type: 'string', pattern: String.raw`^(datatable|calendar)/[1-9]\d{0,15}$` },
  )
  return {
    ...docs,
    parameters: [module, IF_NONE_MATCH],
    problems: [404, 413],
    ...(audience === 'keyed' && { description: ONLY_SEEN }),
  }
}
