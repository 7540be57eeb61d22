// Finds the route of a request: by its host, a page of the public site; otherwise, by its path, a route of the API.

import type { IncomingMessage } from 'node:http'
import { openAddressHint } from '../api/address-hint.ts'
import { addressesOf, type Route } from '../api/request/route.ts'
import { openFindPreview } from '../api/preview-pages.ts'
import { siteRoute } from '../api/site.ts'
import { CmsError } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import { withoutBasePath } from '../http/base-path.ts'
import { hostOf } from '../http/origin.ts'
import { readTarget } from '../http/request-target.ts'
import { buildRouter } from '../http/router.ts'

export type FoundRoute =
  | {
      readonly route: Route
      readonly params: Readonly<Record<string, string>>
      readonly target: string
    }
  /** The response to OPTIONS. */
  | { readonly methods: readonly string[]; readonly headers?: Route['optionHeaders'] }

interface FindRouteOptions {
  readonly routes: readonly Route[]
  readonly basePath: string
  readonly config: Pick<Config, 'sites' | 'proxies'>
}

/** The function throws not-found, method-not-allowed, bad-request and cross-site. */
export function openFindRoute({
  routes,
  basePath,
  config: { sites, proxies },
}: FindRouteOptions): (message: IncomingMessage) => FoundRoute {
  const router = buildRouter(routes, { addressesOf, findHint: openAddressHint(routes, basePath) })
  const isKnown = (target: string): boolean => router.methods(target).length > 0
  const origins = new Map(sites.map(({ origin }) => [new URL(origin).host, origin]))
  const ofSites = siteRoute(sites)
  const findPreview = openFindPreview(sites)

  function findOfSite(
    { method = 'GET', headers }: IncomingMessage,
    target: string,
    origin: string,
  ): FoundRoute {
    if (method === 'OPTIONS') return { methods: SITE_METHODS }
    if (!SITE_METHODS.includes(method))
      throw new CmsError('method-not-allowed', 'Pages of the site can only be read.', {
        headers: { allow: SITE_METHODS.join(', ') },
      })
    const [path = ''] = target.split('?', 1)
    const asked = findPreview({ path, origin, referrer: headers.referer })
    if (asked !== undefined) return { ...asked, target }
    return { route: ofSites, params: { origin, path }, target }
  }

  /** The host of the connection decides, even if a proxy forwards another host that the client sent. */
  function siteOf(message: IncomingMessage): string | undefined {
    const { host = '' } = message.headers
    return (
      origins.get(host) ??
      origins.get(plainHost(host)) ??
      origins.get(plainHost(hostOf(message, proxies)))
    )
  }

  return (message) => {
    const { method = 'GET' } = message
    const target = readTarget(message)
    const origin = origins.size === 0 ? undefined : siteOf(message)
    if (origin !== undefined) return findOfSite(message, target, origin)

    const path = withoutBasePath(basePath, { message, target, isKnown })
    if (method === 'OPTIONS') {
      const methods = router.methods(path)
      return { methods, headers: router.first(path)?.optionHeaders }
    }
    const { route, params } = router.find(method, path)
    if (route.action !== undefined) refuseSite(message, sites)
    return { route, params, target: path }
  }
}

/** Without the dot at the end of a full name, and without a usual port. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.?(?::(?:80|443))?$/, '')
}

const SITE_METHODS: readonly string[] = ['GET', 'HEAD']

/** A page of the site is not trusted to change anything, even if it has a key. */
function refuseSite({ headers: { origin } }: IncomingMessage, sites: Config['sites']): void {
  if (origin === undefined || !sites.some((site) => site.origin === origin)) return
  throw new CmsError('cross-site', 'A page of the public site may not change anything.')
}
