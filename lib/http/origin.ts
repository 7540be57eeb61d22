// The address that a client used, as far as a request tells: scheme and authority. A proxy that ends TLS and
// connects under another name tells them in X-Forwarded-Proto and X-Forwarded-Host, and is believed where its
// X-Forwarded-For is.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { checkAuthority } from './authority.ts'
import { type Proxies, trustedHops } from './client-address.ts'

/** What an answer that holds the origin follows from, for caches. */
export function originHeaders(proxies: Proxies): string {
  return proxies === undefined ? 'Host' : 'Host, X-Forwarded-Host, X-Forwarded-Proto'
}

/** Whether a trusted proxy tells that the client came by TLS. */
export function isSecure(message: IncomingMessage, proxies: Proxies): boolean {
  const hops = trustedHops(message, proxies)
  return told(message, 'x-forwarded-proto', hops)?.toLowerCase() === 'https'
}

/** Name and port by which the client asked. */
export function hostOf(message: IncomingMessage, proxies: Proxies): string {
  const hops = trustedHops(message, proxies)
  return told(message, 'x-forwarded-host', hops) ?? message.headers.host ?? ''
}

/** Like https://www.example.org:8443, without a path. */
export function originOf(message: IncomingMessage, proxies: Proxies): string {
  const scheme = isSecure(message, proxies) ? 'https' : 'http'
  const host = hostOf(message, proxies)
  if (/^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}://${host}`)) {
    checkAuthority(host)
    return `${scheme}://${host}`
  }
  throw new CmsError(
    'bad-request',
    'Send a Host header (behind a proxy X-Forwarded-Host) with a name or an address: the document tells the address to use.',
  )
}

/**
 * What the first of the trusted proxies says. Some replace the header, some add to it at the end as to
 * X-Forwarded-For; then what a client wrote stands before what they say.
 */
function told({ headers }: IncomingMessage, name: string, hops: number): string | undefined {
  if (hops === 0) return undefined
  const items = String(headers[name] ?? '').split(',')
  const item = items.at(-hops) ?? items[0]
  return item?.trim() === '' ? undefined : item?.trim()
}
