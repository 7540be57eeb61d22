// Checks that a request comes from a page of this server or from a program. Browsers send headers that a page cannot change:
// Sec-Fetch-Site (Fetch Metadata), or in its absence Origin (RFC 6454).

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import type { Proxies } from './client-address.ts'
import { hostOf, isSecure } from './origin.ts'

export interface OwnAddress {
  /** The base URL that clients use, if configured. */
  readonly baseUrl: string | undefined
  readonly proxies: Proxies
}

/** Throws cross-site. A program sends neither header, and it sends cookies only on purpose. */
export function requireSameSite(message: IncomingMessage, own: OwnAddress): void {
  const { 'sec-fetch-site': site, origin } = message.headers
  const isOwn =
    site === undefined
      ? origin === undefined || isOwnOrigin(message, origin, own)
      : site === 'same-origin'
  if (isOwn) return
  throw new CmsError(
    'cross-site',
    'Send this request from a page of this server or from a program.',
  )
}

/** Compares host and port but not the scheme, because a proxy that terminates TLS may not be configured as trusted. */
function isOwnOrigin(message: IncomingMessage, origin: string, own: OwnAddress): boolean {
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  const { baseUrl, proxies } = own
  return (
    host === hostOf(message, proxies) || (baseUrl !== undefined && host === new URL(baseUrl).host)
  )
}

/** Whether the client uses TLS, according to the settings, a trusted proxy, or the Origin of the page. */
export function isByTls(message: IncomingMessage, { baseUrl, proxies }: OwnAddress): boolean {
  const isTold = baseUrl?.startsWith('https:') === true || isSecure(message, proxies)
  return isTold || message.headers.origin?.startsWith('https:') === true
}
