// The administration area: one page for all its addresses, and the assets of that page. The page uses the same API as any
// other client.

import Negotiator from 'negotiator'
import { adminPageDocs, READ_ADMIN_ASSET, SHOW_PREVIEW } from './docs/admin-docs.ts'
import { openAdminFiles } from '../docs/admin-files.ts'
import { adminPage, adminPolicy } from '../docs/admin-page.ts'
import { newNonce } from '../docs/page-nonce.ts'
import { previewPage, previewPolicy } from '../docs/preview-page.ts'
import { CmsError } from '../base/errors.ts'
import { OWN_WINDOW, type Reply } from '../http/reply.ts'
import { assetReply } from './asset-reply.ts'
import type { Request } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const ADMIN = '/admin'

export function adminRoutes(): readonly Route[] {
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
        return page(adminPage({ manifest, below, language, nonce }), nonce)
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

function page(body: string, nonce: string): Reply {
  const reply = html(body, adminPolicy(nonce))
  return { ...reply, headers: { ...reply.headers, ...OWN_WINDOW, vary: 'Accept-Language' } }
}

function html(body: string, policy: string): Reply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  }
  return { status: 200, headers, body }
}
