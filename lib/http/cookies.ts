// A cookie that only the server reads (RFC 6265).

import type { IncomingMessage } from 'node:http'
import { parse, serialize } from 'cookie'

export interface OwnCookie {
  readonly name: string
  /** The cookie is sent only to this path and below. */
  readonly path: string
  /** Whether the cookie is sent only over TLS. */
  readonly isSecure: boolean
  /** SameSite=Lax: the cookie is also sent if a page of another site navigates here. Default: Strict. */
  readonly isLax?: true
}

/** Browsers reject a cookie with this prefix from a connection without TLS. */
const SECURE_PREFIX = '__Secure-'

function nameOf({ name, isSecure }: OwnCookie): string {
  return isSecure ? `${SECURE_PREFIX}${name}` : name
}

/**
 * All values of the cookie in the order of the header. A page of another host of the same domain can add cookies with the
 * same name.
 */
export function readCookies({ headers }: IncomingMessage, cookie: OwnCookie): readonly string[] {
  const name = nameOf(cookie)
  const pairs = headers.cookie?.split(';') ?? []
  return pairs.map((pair) => parse(pair)[name]).filter((value) => value !== undefined)
}

/** The Set-Cookie header. Without a value, it deletes the cookie. */
export function setCookie(
  cookie: OwnCookie,
  value = '',
  maxAgeSeconds = 0,
): Readonly<Record<string, string>> {
  const { path, isSecure: secure, isLax } = cookie
  const options = {
    path,
    secure,
    httpOnly: true,
    sameSite: isLax === true ? 'lax' : 'strict',
    maxAge: maxAgeSeconds,
  } as const
  return { 'set-cookie': serialize(nameOf(cookie), value, options) }
}
