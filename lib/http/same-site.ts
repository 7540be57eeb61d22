// Whether a request comes from a page of this server, or from no page at all. Browsers say so themselves, and no page
// can change what they say: Sec-Fetch-Site (Fetch Metadata), or where they do not send that, Origin (RFC 6454).

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import type { Proxies } from './client-address.ts'
import { hostOf, isSecure } from './origin.ts'

export interface OwnAddress {
  /** By which clients reach the server, where that is known. */
  readonly baseUrl: string | undefined
  readonly proxies: Proxies
}

/** Throws cross-site. A program that is no browser sends neither header, and has no cookies that it does not know of. */
export function requireSameSite(message: IncomingMessage, own: OwnAddress): void {
  const { 'sec-fetch-site': site, origin } = message.headers
  const isOwn =
    site === undefined
      ? origin === undefined || isOwnOrigin(message, origin, own)
      : site === 'same-origin'
  if (isOwn) return
  throw new CmsError('cross-site', 'Send this from a page of this server, or from no page at all.')
}

/** By name and port: a proxy that ends TLS may not be known as one. */
function isOwnOrigin(message: IncomingMessage, origin: string, own: OwnAddress): boolean {
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  const { baseUrl, proxies } = own
  return (
    host === hostOf(message, proxies) || (baseUrl !== undefined && host === new URL(baseUrl).host)
  )
}

/** Whether the client reached the server by TLS, as far as is known: from a proxy, the settings, or the page that asks. */
export function isByTls(message: IncomingMessage, { baseUrl, proxies }: OwnAddress): boolean {
  const isTold = baseUrl?.startsWith('https:') === true || isSecure(message, proxies)
  return isTold || message.headers.origin?.startsWith('https:') === true
}
