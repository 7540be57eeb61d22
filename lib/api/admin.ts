// The administration area: one page for all its addresses, and the assets of that page. The page uses the same API as any
// other client.

import Negotiator from 'negotiator'
import { CmsError } from '../base/errors.ts'
import type { Site } from '../config/flag-values.ts'
import type { PicturePresets } from '../config/picture-settings.ts'
import { openAdminFiles } from '../docs/assets.ts'
import { adminPage, adminPolicy, previewPage, previewPolicy } from '../docs/admin-page.ts'
import { otherAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { pathParameter } from '../docs/parameters.ts'
import { OWN_WINDOW, type Reply } from '../http/reply.ts'
import { assetReply, newNonce } from './document-reply.ts'
import type { Request } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const ADMIN = '/admin'

export function adminRoutes(
  sites: readonly Site[] = [],
  picturePresets: PicturePresets = new Map(),
): readonly Route[] {
  const origins = sites.map(({ origin }) => origin)
  const presets = [...picturePresets.keys()]
  const files = openAdminFiles()

  const pageRoute = (path: string, operationId: string): Route =>
    defineRoute({
      method: 'GET',
      path,
      access: 'open',
      summary: 'Show the administration area',
      docs: adminPageDocs(operationId),
      answers: 'bytes',
      read: ({ message }) => readPath(message.url ?? ''),
      run: async (_, asked) => ({ asked, manifest: await files.manifest() }),
      reply({ asked, manifest }, request) {
        if (!asked.startsWith(ADMIN)) return { ...REDIRECT, headers: { location: own(asked) } }
        if (manifest === undefined) throw notBuilt()
        const language = languageOf(request, Object.keys(manifest.languages))
        const nonce = newNonce()
        const below = asked.slice(ADMIN.length)
        const hasSites = origins.length > 0
        const body = adminPage({ manifest, below, language, nonce, hasSites, presets })
        return page(body, adminPolicy(nonce, origins))
      },
    })

  return [
    pageRoute(ADMIN, 'show_admin'),
    pageRoute(`${ADMIN}/*`, 'show_admin_page'),
    defineRoute({
      method: 'GET',
      path: `${ADMIN}/preview`,
      access: 'open',
      summary: 'Show the preview frame of the administration area',
      docs: SHOW_PREVIEW,
      answers: 'bytes',
      read: () => undefined,
      run: () => files.manifest(),
      reply(manifest) {
        if (manifest === undefined) throw notBuilt()
        const nonce = newNonce()
        return html(previewPage(manifest, nonce), previewPolicy(nonce))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${ADMIN}/assets/:name`,
      access: 'open',
      summary: 'Load an asset of the administration area',
      docs: READ_ADMIN_ASSET,
      answers: 'bytes',
      read: ({ params }) => params['name'] ?? '',
      run: (_, name) => files.find(name),
      reply: (asset, { message }) => assetReply(asset, message),
    }),
  ]
}

const REDIRECT = { status: 303, body: undefined } as const

/** The path as the client sent it, because the relative URLs of the page depend on its depth. */
function readPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  if (path.startsWith(`${ADMIN}/assets/`)) throw new CmsError('not-found', 'There is no such file.')
  return path
}

/** Strips /api/v2, below which the page is also served. From there, the page would resolve the API to a wrong address. */
function own(path: string): string {
  return path.slice(path.indexOf(ADMIN))
}

function notBuilt(): CmsError {
  const detail = 'The administration area is not built. Run npm run bundle.'
  return new CmsError('not-found', detail)
}

/** The first language is the default for clients without a preference. */
function languageOf({ message }: Request, known: readonly string[]): string {
  return new Negotiator(message).language(['en', ...known]) ?? 'en'
}

function page(body: string, policy: string): Reply {
  const reply = html(body, policy)
  return { ...reply, headers: { ...reply.headers, ...OWN_WINDOW, vary: 'Accept-Language' } }
}

function html(body: string, policy: string): Reply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  }
  return { status: 200, headers, body }
}

function adminPageDocs(operationId: string): EndpointDocs {
  return {
    tag: 'service',
    operationId,
    description:
      'One page serves all addresses of the area. Its script calls this API with the key of the signed-in user.',
    answers: {
      200: otherAnswer('The page.', 'text/html'),
      303: {
        description: 'Redirects from below /api/v2 to the page itself.',
        headers: { Location: { description: 'Address of the page.', schema: { type: 'string' } } },
      },
    },
    problems: [404],
  }
}

const READ_ADMIN_ASSET: EndpointDocs = {
  tag: 'service',
  operationId: 'read_admin_asset',
  parameters: [
    pathParameter(
      'name',
      'Name of the file, as in the link of the page. The name changes with the content.',
    ),
  ],
  answers: { 200: otherAnswer('A script or style sheet of the pages.', '*/*') },
}

const SHOW_PREVIEW: EndpointDocs = {
  tag: 'service',
  operationId: 'show_admin_preview',
  description:
    'An empty page with an opaque origin. The editor of the administration area shows this page in a frame, which then receives the text to preview. No script of that text runs.',
  answers: { 200: otherAnswer('The page.', 'text/html') },
  problems: [404],
}
