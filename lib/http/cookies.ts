// A cookie that only the server reads (RFC 6265).

import type { IncomingMessage } from 'node:http'
import { parse, serialize } from 'cookie'

export interface OwnCookie {
  readonly name: string
  /** The cookie is sent only to this path and below. */
  readonly path: string
  /** Whether the cookie is sent only over TLS. */
  readonly isSecure: boolean
  /** Whether no other host may set the cookie. Over TLS, it is then sent to every path of the host. */
  readonly isOfHost?: boolean
  /** SameSite=Lax: the cookie is also sent if a page of another site navigates here. Default: Strict. */
  readonly isLax?: true
}

/** Browsers reject cookies with these prefixes from a connection without TLS. */
const SECURE_PREFIX = '__Secure-'
/** No other host of the same domain can add or replace such a cookie; browsers require the path /. */
const HOST_PREFIX = '__Host-'

function nameOf({ name, isSecure, isOfHost }: OwnCookie): string {
  if (!isSecure) return name
  return `${isOfHost === true ? HOST_PREFIX : SECURE_PREFIX}${name}`
}

/**
 * All values of the cookie in the order of the header. A page of another host of the same domain can add cookies with the
 * same name, except to a cookie of the host alone.
 */
export function readCookies({ headers }: IncomingMessage, cookie: OwnCookie): readonly string[] {
  // The parser keeps only one value of each name.
  const pairs = (headers.cookie?.split(';') ?? []).flatMap((pair) => Object.entries(parse(pair)))
  const own = nameOf(cookie)
  return pairs.flatMap(([name, value = '']) => (name === own ? [value] : []))
}

/** The Set-Cookie header. Without a value, it deletes the cookie. */
export function setCookie(
  cookie: OwnCookie,
  value = '',
  maxAgeSeconds = 0,
): Readonly<Record<string, string>> {
  const { path, isSecure: secure, isOfHost, isLax } = cookie
  const options = {
    path: secure && isOfHost === true ? '/' : path,
    secure,
    httpOnly: true,
    sameSite: isLax === true ? 'lax' : 'strict',
    maxAge: maxAgeSeconds,
  } as const
  return { 'set-cookie': serialize(nameOf(cookie), value, options) }
}
