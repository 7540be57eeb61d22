// The origin (scheme and authority) that the client used. A proxy that terminates TLS or connects with another host name
// sends X-Forwarded-Proto and X-Forwarded-Host. These headers are trusted under the same conditions as X-Forwarded-For.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { checkAuthority } from './request-target.ts'
import { type Proxies, trustedHops } from './client-address.ts'

/** The Vary value of a response that contains the origin. */
export function originHeaders(proxies: Proxies): string {
  return proxies === undefined ? 'Host' : 'Host, X-Forwarded-Host, X-Forwarded-Proto'
}

/** Whether a trusted proxy reports that the client uses TLS. */
function isSecure(message: IncomingMessage, proxies: Proxies): boolean {
  const hops = trustedHops(message, proxies)
  return told(message, 'x-forwarded-proto', hops)?.toLowerCase() === 'https'
}

/** The host and port that the client used. */
export function hostOf(message: IncomingMessage, proxies: Proxies): string {
  const hops = trustedHops(message, proxies)
  return told(message, 'x-forwarded-host', hops) ?? message.headers.host ?? ''
}

/** For example https://www.example.org:8443, without a path. */
export function originOf(message: IncomingMessage, proxies: Proxies): string {
  const scheme = isSecure(message, proxies) ? 'https' : 'http'
  const host = hostOf(message, proxies)
  if (/^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}://${host}`)) {
    checkAuthority(host)
    return `${scheme}://${host}`
  }
  throw new CmsError(
    'bad-request',
    'Send a Host header (behind a proxy, X-Forwarded-Host) with a host name or an address. The document contains this address.',
  )
}

/**
 * The value that the outermost trusted proxy set. Some proxies replace the header; others append to it, as to
 * X-Forwarded-For, so the value of the client may precede theirs.
 */
function told({ headers }: IncomingMessage, name: string, hops: number): string | undefined {
  if (hops === 0) return undefined
  const items = String(headers[name] ?? '').split(',')
  const item = items.at(-hops) ?? items[0]
  return item?.trim() === '' ? undefined : item?.trim()
}

// Checks that a request comes from a page of this server or from a program. Browsers send headers that a page cannot change:
// Sec-Fetch-Site (Fetch Metadata), or in its absence Origin (RFC 6454).

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
