// The public site (--site-origin): shows live files by their paths, on hosts of its own. These hosts have no API, no sign-in
// and no cookie, so that a page of the site can do nothing to somebody who is signed in to the administration area.

import { CmsError } from '../base/errors.ts'
import type { Site } from '../config/flag-values.ts'
import type { Reply, ReplyBody } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { renderFile } from '../operations/site/site-sources.ts'
import type { PackedText } from '../operations/site/packed-text.ts'
import { findRedirect, findSitePage, type SitePage } from '../operations/site/site-pages.ts'
import { openSitemaps, robotsOf, type Sitemaps } from '../operations/site/sitemap.ts'
import type { AssetFileVersion } from '../schema/asset-file.ts'
import { RENDERED_TYPE } from '../schema/media-type.ts'
import { cacheControlOf, OF_PAGES, OF_SITE, type SiteHeaders } from '../schema/site-settings.ts'
import { shownReply, wholeReply, withQuery } from './download.ts'
import { renderedReply } from './rendered-reply.ts'
import { isCompressedSize } from './request/compression.ts'
import { pictureOf } from './request/picture-query.ts'
import type { Request } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const MISSING = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found</title>
<body>
<h1>Not found</h1>
`

type Output = SitePage | ({ readonly kind: 'made' } & Made)

interface Made {
  readonly type: string
  readonly text: string | PackedText
}

interface Input {
  readonly site: Site
  readonly path: string
}

/** The route of all sites. Its parameters are the origin of the site and the path as sent. */
export function siteRoute(sites: readonly Site[]): Route {
  const sitemaps = openSitemaps()
  return defineRoute({
    method: 'GET',
    path: '/*',
    access: ['view'],
    summary: 'Show a page of the site',
    // The route is on other hosts than the API, so no document has it.
    docs: () => undefined,
    answers: 'bytes',
    isKept: true,
    isPublic: () => true,
    ignoresKey: true,
    isOfSite: true,
    read: ({ params: { origin, path = '/' } }): Input => {
      const site = sites.find((each) => each.origin === origin)
      if (site === undefined) throw new CmsError('not-found', 'There is no such site.')
      return { site, path }
    },
    run: (context, input): Output | Promise<Output> => {
      const page = findSitePage(context, input)
      const isThere = page.kind !== 'missing' && !(page.kind === 'file' && page.status === 404)
      if (isThere) return page
      return madeFor(context, sitemaps, input) ?? findRedirect(context, input) ?? page
    },
    reply: (output, request, context) => replyTo(output, request, context),
  })
}

/** Undefined if the server makes nothing for this path. A file of the site with the same name comes first. */
function madeFor(
  context: Context,
  sitemaps: Sitemaps,
  { site, path }: Input,
): Promise<Output> | Output | undefined {
  if (path === '/robots.txt') {
    return { kind: 'made', type: 'text/plain; charset=utf-8', text: robotsOf(site) }
  }
  const [, part] = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/.exec(path) ?? []
  if (part === undefined && path !== '/sitemap.xml') return undefined
  return sitemaps
    .read(context, site, part === undefined ? undefined : Number(part))
    .then(
      (text): Output =>
        text === undefined ? { kind: 'missing' } : { kind: 'made', type: 'application/xml', text },
    )
}

function replyTo(output: Output, request: Request, context: Context): Reply | Promise<Reply> {
  switch (output.kind) {
    case 'made':
      return madeReply(200, output)
    case 'missing':
      return madeReply(404, { type: 'text/html; charset=utf-8', text: MISSING })
    case 'moved':
      return movedReply(output, request)
    case 'file':
      return fileReply(output, request, context)
  }
}

function madeReply(status: number, { type, text }: Made): Reply {
  return {
    status,
    headers: { ...OF_SITE, 'content-type': type, 'cache-control': OF_PAGES },
    body: typeof text === 'string' ? text : bodyOf(text),
    // A sitemap does not tell which records it depends on.
    isPassing: true,
  }
}

/** A text that is too large to be compressed is sent in chunks, so that a slow reader holds little memory. */
function bodyOf(text: PackedText): ReplyBody {
  const { sizeBytes } = text
  if (isCompressedSize(sizeBytes)) return Buffer.concat([...text.chunks()])
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* text.chunks()
  }
  return { sizeBytes, chunks, close: () => Promise.resolve() }
}

/** Another file may take the former path at any time, so caches ask again. */
function movedReply(
  { path, status }: Extract<SitePage, { kind: 'moved' }>,
  request: Request,
): Reply {
  const location = withQuery(path, request)
  const headers = { ...OF_SITE, location, 'cache-control': OF_PAGES }
  return { status, headers, body: undefined }
}

async function fileReply(
  page: Extract<SitePage, { kind: 'file' }>,
  request: Request,
  context: Context,
): Promise<Reply> {
  const { status, headers: own } = page
  const download = await pictureOf(page.download, request, context)
  const { version } = download
  const rendered = await renderFile(context, page)
  if (rendered !== undefined) {
    const reply = renderedReply(request, { status, page: rendered, version: version.version })
    return asSite(reply, { type: RENDERED_TYPE, own })
  }
  const shown = { type: version.mime_type, own, version, forms: context.forms }
  if (status === 404)
    return asSite({ ...(await wholeReply(context, download, false)), status }, shown)
  return asSite(await shownReply(request, download, context), shown)
}

interface Shown extends Partial<Pick<Context, 'forms'>> {
  readonly type: string
  readonly own: SiteHeaders
  /** The version whose bytes are sent as they are. */
  readonly version?: AssetFileVersion
}

/** The headers of a download serve the host of the API, where content must not act. */
function asSite(reply: Reply, shown: Shown): Reply {
  const { 'content-disposition': _, vary, ...headers } = reply.headers
  const isVaried = /accept-encoding/i.test(String(vary))
  const isByAccept = /accept$/i.test(String(vary))
  const { again } = reply
  return {
    ...reply,
    ...(again && { again: async () => asSite(await again(), shown) }),
    ...(isVaried && hasStoredForms(reply) && storedFormsOf(shown)),
    headers: {
      ...headers,
      ...OF_SITE,
      'cache-control': cacheControlOf(shown.type),
      ...(isVaried && { vary: 'Accept-Encoding' }),
      ...(isByAccept && { vary: 'Accept' }),
      // An empty value omits a header.
      ...shown.own,
    },
  }
}

/** nginx sends the bytes of a reply that it takes over. */
function hasStoredForms({ status, headers }: Reply): boolean {
  return status === 200 && headers['x-accel-redirect'] === undefined
}

function storedFormsOf({ version, forms }: Shown): Pick<Reply, 'stored'> {
  if (forms === undefined || version === undefined || !isCompressedSize(version.size)) return {}
  return { stored: { name: version.uid, find: (asked) => forms.find(version, asked) } }
}
