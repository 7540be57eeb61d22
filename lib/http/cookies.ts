// A cookie that only the server reads (RFC 6265).

import type { IncomingMessage } from 'node:http'
import { parse, serialize } from 'cookie'

export interface OwnCookie {
  readonly name: string
  /** It is sent to this path and those below it alone. */
  readonly path: string
  /** By TLS alone. */
  readonly isSecure: boolean
  /** Sent also where a page of another site leads here; others are not. */
  readonly isLax?: true
}

/** A name with this is refused by browsers from a connection that anybody may have changed. */
const SECURE_PREFIX = '__Secure-'

function nameOf({ name, isSecure }: OwnCookie): string {
  return isSecure ? `${SECURE_PREFIX}${name}` : name
}

export function readCookie({ headers }: IncomingMessage, cookie: OwnCookie): string | undefined {
  return headers.cookie === undefined ? undefined : parse(headers.cookie)[nameOf(cookie)]
}

/** The header that sets it; without a value it is forgotten. */
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
