// The OpenAPI documents and the pages that show them: /public/api/system and /public/api/module.

import { crc32 } from 'node:zlib'
import Negotiator from 'negotiator'
import { openAssets } from '../docs/assets.ts'
import type { DocumentedRoute } from '../docs/endpoint.ts'
import { openModuleDocuments } from '../docs/module-document.ts'
import { documentDocs, pageDocs, READ_DOCUMENT_ASSET } from '../docs/service-docs.ts'
import {
  DOCUMENT_NAMES,
  type DocumentName,
  PAGE_POLICY,
  swaggerPage,
} from '../docs/swagger-page.ts'
import { systemDocument } from '../docs/system-document.ts'
import { CmsError } from '../errors.ts'
import type { ReplyBody } from '../http/reply.ts'
import type { Services } from '../operations/context.ts'
import { listModules } from '../operations/module-list.ts'
import { notModified } from './record-reply.ts'
import type { Request } from './request.ts'
import { defineRoute, type Route } from './route.ts'

export interface DocumentOptions {
  /** All routes, those of the documents among them. */
  readonly routes: () => readonly DocumentedRoute[]
  /** Undefined: the address is that of the request. */
  readonly baseUrl: string | undefined
}

interface Document {
  readonly body: ReplyBody
  readonly checksum: string
}

type ReadDocument = (services: Services, baseUrl: string) => Promise<Document>

export function documentRoutes({ routes, baseUrl }: DocumentOptions): readonly Route[] {
  const assets = openAssets()
  const documents = { system: readSystem(routes), module: readModules(routes) }

  return [
    ...DOCUMENT_NAMES.flatMap((name) => [
      pageRoute(name, () => swaggerPage(name, assets.version())),
      documentRoute(name, baseUrl, documents[name]),
    ]),
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

function documentRoute(
  name: DocumentName,
  baseUrl: string | undefined,
  readDocument: ReadDocument,
): Route {
  return defineRoute({
    method: 'GET',
    path: `/public/api/${name}/swagger.json`,
    access: 'open',
    summary: `The ${name === 'system' ? 'System' : 'Module'} API as an OpenAPI document`,
    docs: documentDocs(`read_${name}_document`),
    read: (request) => baseUrl ?? addressOf(request),
    run: (services, url) => readDocument(services, url),
    reply: ({ body, checksum }, request) => {
      const headers = { etag: `"${checksum}"`, 'cache-control': 'no-cache', vary: 'Host' }
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

function readModules(routes: DocumentOptions['routes']): ReadDocument {
  const documents = openModuleDocuments(routes)
  return async (services, url) => {
    const { pieces, sizeBytes, checksum } = await documents.read(url, listModules(services))
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
