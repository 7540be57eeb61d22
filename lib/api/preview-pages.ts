// The pages of previews, on the host of a site: /~preview/{token}/ and the path of the page. They show the staged site, and
// their links stay in the preview. Nothing may store them, and search engines may not list them.

import { CmsError } from '../base/errors.ts'
import type { Site } from '../config/flag-values.ts'
import { LIMITS } from '../config/limits.ts'
import type { Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { openDownload } from '../operations/files/download-bytes.ts'
import type { Download } from '../operations/files/downloads.ts'
import { openPreviewLinks, type PreviewLinks } from '../operations/site/preview-links.ts'
import { openPreview, type Preview, previewPath } from '../operations/site/previews.ts'
import {
  type AskedPage,
  findRedirect,
  findSitePage,
  type SitePage,
} from '../operations/site/site-pages.ts'
import { renderFile } from '../operations/site/site-sources.ts'
import { moveStyle } from '../schema/link-values.ts'
import { RENDERED_TYPE, withCharset } from '../schema/media-type.ts'
import type { ComposedPage } from '../schema/page-composition.ts'
import type { SiteHeaders } from '../schema/site-settings.ts'
import { shownReply, wholeReply, withQuery } from './download.ts'
import { pictureOf } from './request/picture-query.ts'
import type { Request } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const HEADERS = Object.freeze({
  'cache-control': 'private, no-store',
  'content-security-policy': "frame-ancestors 'self'",
  'cross-origin-resource-policy': 'same-origin',
  // Other sites do not get the token.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
})

const PREFIX = '/~preview/'
/** The token of a link has 38 characters; the token of a frame also has the origin of an administration area. */
const ADDRESS = /^\/~preview\/([\w-]{38,600})(\/.*)?$/s
const REFERRER = /^https?:\/\/([^/]+)\/~preview\/([\w-]{38,600})\//

interface SiteRequest {
  readonly origin: string
  /** As sent, without the query. */
  readonly path: string
  readonly referrer: string | undefined
}

interface Asked {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/**
 * Finds the route of a page, or of the redirect for a request that a script of a page sent to a path of the live site. Returns
 * undefined for a request of the live site.
 */
export function openFindPreview(sites: readonly Site[]) {
  const [ofPages, ofScripts] = [pageRoute(sites), scriptRoute()]
  return ({ path, origin, referrer }: SiteRequest): Asked | undefined => {
    const [, token, below = ''] = path.startsWith(PREFIX) ? (ADDRESS.exec(path) ?? []) : []
    if (token !== undefined) return { route: ofPages, params: { origin, token, path: below } }
    if (referrer?.includes(PREFIX) !== true) return undefined
    const [, host, from] = REFERRER.exec(referrer) ?? []
    if (from === undefined || host !== new URL(origin).host) return undefined
    return { route: ofScripts, params: { origin, token: from, path } }
  }
}

type Output =
  | { readonly kind: 'gone' }
  | { readonly kind: 'robots' }
  | { readonly preview: Preview; readonly kind: 'page'; readonly page: SitePage }

interface Input extends AskedPage {
  readonly token: string
}

const START: SitePage = { kind: 'moved', path: '/', status: 308 }

function pageRoute(sites: readonly Site[]): Route {
  return defineRoute({
    method: 'GET',
    path: '/~preview/:token/*',
    access: ['view'],
    summary: 'Show a page of the preview of a site',
    // The route is on other hosts than the API, so no document has it.
    docs: () => undefined,
    answers: 'bytes',
    isPublic: () => true,
    isOfSite: true,
    ignoresKey: true,
    read: ({ params: { origin, token = '', path = '' } }): Input => {
      const site = sites.find((each) => each.origin === origin)
      if (site === undefined) throw new CmsError('not-found', 'There is no such site.')
      return { site, token, path }
    },
    run: (context, { site, token, path }): Output => {
      const preview = openPreview(context, site, token)
      if (preview === undefined) return { kind: 'gone' }
      if (path === '') return { kind: 'page', preview, page: START }
      const page = findSitePage(context, { site, path }, preview.files)
      const isThere = page.kind !== 'missing' && !(page.kind === 'file' && page.status === 404)
      if (isThere) return { kind: 'page', preview, page }
      if (path === '/robots.txt') return { kind: 'robots' }
      return { kind: 'page', preview, page: findRedirect(context, { site, path }) ?? page }
    },
    reply: (output, request, context) => replyTo(output, request, context),
  })
}

/** The browser names the page of the preview as the referrer. A token that is no longer valid is refused there. */
function scriptRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/~preview/:token',
    access: ['view'],
    summary: 'Redirect a request of a script into the preview of a site',
    docs: () => undefined,
    answers: 'bytes',
    isPublic: () => true,
    isOfSite: true,
    ignoresKey: true,
    read: ({ params: { token = '', path = '' } }) => previewPath(token) + path,
    run: (_, path) => path,
    reply: (path, request) => movedReply(path, request),
  })
}

function replyTo(output: Output, request: Request, context: Context): Reply | Promise<Reply> {
  // A service worker would answer for the pages of the preview after its end.
  if (output.kind === 'gone' || request.message.headers['service-worker'] !== undefined)
    return textReply(404, GONE)
  if (output.kind === 'robots') return textReply(200, 'User-agent: *\nDisallow: /\n', 'text/plain')
  const { page, preview } = output
  if (page.kind === 'missing') return textReply(404, MISSING)
  if (page.kind === 'moved')
    return movedReply(linksOf(request).move(page.path) ?? page.path, request)
  return fileReply({ page, preview }, request, context)
}

function movedReply(path: string, request: Request): Reply {
  const location = withQuery(path, request)
  return { status: 307, headers: { ...HEADERS, location }, body: undefined }
}

function textReply(status: number, body: string, type = 'text/html'): Reply {
  return { status, headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` }, body }
}

interface Shown {
  readonly page: Extract<SitePage, { kind: 'file' }>
  readonly preview: Preview
}

async function fileReply(
  { page, preview }: Shown,
  request: Request,
  context: Context,
): Promise<Reply> {
  const { download, status, headers: ofFolder } = page
  const headers = headersFor(preview, ofFolder)
  const rendered = await renderFile(context, page)
  const moved =
    rendered === undefined
      ? await withMovedLinks(request, download, context)
      : await moveRendered(request, rendered)
  if (moved !== undefined)
    return { status, headers: { ...headers, ...moved.headers }, body: moved.text }
  if (status === 404)
    return asPreview({ ...(await wholeReply(context, download, false)), status }, headers)
  const shown = await pictureOf(download, request, context)
  return asPreview(await shownReply(request, shown, context), headers)
}

/** Headers of a folder that a preview does not send: HEADERS decide, or the header would give the address away. */
const DROPPED: ReadonlySet<string> = new Set([
  'cache-control',
  'content-security-policy',
  'content-security-policy-report-only',
  'referrer-policy',
  'x-frame-options',
  'x-robots-tag',
])

/** The headers of the folders, and a policy that lets pages of the administration area frame the preview. */
function headersFor({ areaOrigin = '' }: Preview, ofFolder: SiteHeaders): Reply['headers'] {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(ofFolder))
    if (value !== '' && !DROPPED.has(name)) own[name] = value
  const policy = policyOf(ofFolder['content-security-policy'] ?? '')
  const policies = [...policy, `frame-ancestors 'self' ${areaOrigin}`.trim()].join(', ')
  return { ...HEADERS, ...own, 'content-security-policy': policies }
}

/** The policies of a folder without frame-ancestors, and without reports, which would send the address of the preview. */
function policyOf(text: string): readonly string[] {
  const kept = (directive: string): boolean =>
    !/^\s*(?:$|(?:frame-ancestors|report-uri|report-to)(?:\s|$))/i.test(directive)
  const policies = text.split(',').map((policy) => policy.split(';').filter(kept).join(';').trim())
  return policies.filter((policy) => policy !== '')
}

function asPreview(reply: Reply, own: Reply['headers']): Reply {
  const { 'content-disposition': _, vary, ...headers } = reply.headers
  return { ...reply, headers: { ...headers, ...own } }
}

function linksOf({ params: { origin = '', token = '' } }: Request): PreviewLinks {
  return openPreviewLinks({ prefix: previewPath(token), host: new URL(origin).host })
}

interface Moved {
  readonly text: string | Uint8Array
  readonly headers: Reply['headers']
}

/** A rendered page, with its links in the preview unless it is too large. */
async function moveRendered(request: Request, { bytes }: ComposedPage): Promise<Moved> {
  const headers = { 'content-type': RENDERED_TYPE }
  if (bytes.length > LIMITS.previewPageBytes) return { text: bytes, headers }
  return { text: await movePage(Buffer.from(bytes).toString(), linksOf(request)), headers }
}

/** A page or a style sheet with its links in the preview. It has neither an ETag nor ranges, because nothing stores it. */
async function withMovedLinks(
  request: Request,
  { version }: Download,
  context: Context,
): Promise<Moved | undefined> {
  const { mime_type: type, is_text: isText, size } = version
  const isPage = type === 'text/html'
  if (!isText || size > LIMITS.previewPageBytes || (!isPage && type !== 'text/css'))
    return undefined
  const opened = await openDownload(context, { version })
  if (opened.kind === 'stream') {
    await opened.content.close()
    return undefined
  }
  const text = opened.lent.bytes.toString()
  opened.lent.giveBack?.()
  const links = linksOf(request)
  const moved = isPage ? await movePage(text, links) : moveStyle(text, links)
  return {
    text: links.isTooLong() ? text : moved,
    headers: { 'content-type': withCharset(type, isText) },
  }
}

/** Loads the HTML tokenizer with the first preview. */
async function movePage(text: string, links: PreviewLinks): Promise<string> {
  const { moveLinksOfPage } = await import('../operations/site/preview-html.ts')
  return moveLinksOfPage(text, links)
}

const MISSING = pageOf('Not found', '')
const GONE = pageOf(
  'No preview',
  '<p>This preview has ended, or its link is incomplete. Create a new preview.\n',
)

function pageOf(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<body>
<h1>${title}</h1>
${text}`
}
