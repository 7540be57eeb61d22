// The OpenAPI documents and the pages that show them: /public/api/system and /public/api/module.

import { crc32 } from 'node:zlib'
import Negotiator from 'negotiator'
import { openAssets } from '../docs/assets.ts'
import type { DocumentedRoute } from '../docs/endpoint.ts'
import { openModuleDocuments } from '../docs/module-document.ts'
import { documentDocs, pageDocs, READ_DOCUMENT_ASSET } from '../docs/service-docs.ts'
import {
  DOCUMENT_NAMES,
  type DocumentAudience,
  type DocumentName,
  PAGE_POLICY,
  swaggerPage,
} from '../docs/swagger-page.ts'
import { systemDocument } from '../docs/system-document.ts'
import { CmsError } from '../errors.ts'
import type { ReplyBody } from '../http/reply.ts'
import type { Context, Services } from '../operations/context.ts'
import { listModules } from '../operations/module-list.ts'
import { entranceRoutes } from './entrances.ts'
import { notModified } from './record-reply.ts'
import type { Request } from './request.ts'
import { defineRoute, type Route } from './route.ts'

export interface DocumentOptions {
  /** All routes, those of the documents among them. */
  readonly routes: () => readonly DocumentedRoute[]
  /** Undefined: the address is that of the request. */
  readonly baseUrl: string | undefined
  /** Of the document of the modules; that of the System API says nothing of a site. */
  readonly docs: DocumentAudience
}

interface Document {
  readonly body: ReplyBody
  readonly checksum: string
}

type ReadDocument = (reader: Services | Context, baseUrl: string) => Promise<Document>

export function documentRoutes({ routes, baseUrl, docs }: DocumentOptions): readonly Route[] {
  const assets = openAssets()
  const documents = { system: readSystem(routes), module: readModules(routes, docs) }

  return [
    ...entranceRoutes((request) => baseUrl ?? addressOf(request), KEEPING.public.vary),
    ...DOCUMENT_NAMES.flatMap((name) => {
      const audience = name === 'module' ? docs : 'public'
      return [
        pageRoute(name, () => swaggerPage(name, audience, assets.version())),
        documentRoute({ name, audience, baseUrl, readDocument: documents[name] }),
      ]
    }),
    defineRoute({
      method: 'GET',
      path: '/public/api/assets/:version/:name',
      access: 'open',
      summary: 'What the pages of the documents load',
      docs: READ_DOCUMENT_ASSET,
      answers: 'bytes',
      read: ({ params }) => params,
      run: (_, { version = '', name = '' }) => assets.find(version, name),
      reply: (asset, { message }) => {
        if (asset === undefined) throw new CmsError('not-found', 'There is no such file here.')
        const isGzipped = new Negotiator(message).encoding(['gzip', 'identity']) === 'gzip'
        return {
          status: 200,
          headers: {
            'content-type': asset.mediaType,
            'cache-control': 'public, max-age=31536000, immutable',
            vary: 'Accept-Encoding',
            ...(isGzipped && { 'content-encoding': 'gzip' }),
          },
          body: isGzipped ? asset.gzipped : asset.bytes,
        }
      },
    }),
  ]
}

function pageRoute(name: DocumentName, page: () => string): Route {
  return defineRoute({
    method: 'GET',
    path: `/public/api/${name}`,
    access: 'open',
    summary: `The ${name === 'system' ? 'System' : 'Module'} API to read and try out`,
    docs: pageDocs(`show_${name}_api`),
    answers: 'bytes',
    read: () => undefined,
    run: page,
    reply: (body) => ({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PAGE_POLICY,
        'cache-control': 'no-cache',
      },
      body,
    }),
  })
}

interface Served {
  readonly name: DocumentName
  readonly audience: DocumentAudience
  readonly baseUrl: string | undefined
  readonly readDocument: ReadDocument
}

/** Who may keep it, and what it follows from. */
const KEEPING = {
  public: { 'cache-control': 'no-cache', vary: 'Host' },
  keyed: { 'cache-control': 'private, no-cache', vary: 'Authorization, Host' },
} as const

function documentRoute({ name, audience, baseUrl, readDocument }: Served): Route {
  return defineRoute({
    method: 'GET',
    path: `/public/api/${name}/swagger.json`,
    access: audience === 'keyed' ? 'key' : 'open',
    summary: `The ${name === 'system' ? 'System' : 'Module'} API as an OpenAPI document`,
    docs: documentDocs(`read_${name}_document`, audience),
    read: (request) => baseUrl ?? addressOf(request),
    run: (reader, url) => readDocument(reader, url),
    reply: ({ body, checksum }, request) => {
      const headers = { etag: `"${checksum}"`, ...KEEPING[audience] }
      const type = { 'content-type': 'application/json; charset=utf-8' }
      const reply = { status: 200, headers: { ...type, ...headers }, body }
      return notModified(request, headers) ?? reply
    },
  })
}

/** Never changes while the server runs, but for the address. */
function readSystem(routes: DocumentOptions['routes']): ReadDocument {
  let last: (Document & { readonly url: string }) | undefined

  return async (_, url) => {
    if (last?.url === url) return last
    const body = await systemDocument(routes(), url)
    last = { url, body, checksum: crc32(body).toString(16) }
    return last
  }
}

function readModules(routes: DocumentOptions['routes'], audience: DocumentAudience): ReadDocument {
  const documents = openModuleDocuments(routes, audience)
  return async (reader, url) => {
    const caller = 'caller' in reader ? reader.caller : undefined
    const { pieces, sizeBytes, checksum } = await documents.read(url, listModules(reader, caller))
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield* pieces
    }
    return { body: { sizeBytes, chunks, close: () => Promise.resolve() }, checksum }
  }
}

function addressOf({ message }: Request): string {
  const url = `http://${message.headers.host ?? ''}`
  if (/^[\w.:[\]-]+$/.test(url.slice(7)) && URL.canParse(url)) return url
  throw new CmsError('bad-request', 'Send a Host header: the document tells the address to use.')
}
