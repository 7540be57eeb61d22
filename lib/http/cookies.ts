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

type Form = Pick<OwnCookie, 'name' | 'path'>

/** The names and paths of the cookie: the one that is set, then the one that earlier versions set. */
function formsOf({ name, path, isSecure, isOfHost }: OwnCookie): readonly [Form, ...Form[]] {
  if (!isSecure) return [{ name, path }]
  const secure = { name: `${SECURE_PREFIX}${name}`, path }
  return isOfHost === true ? [{ name: `${HOST_PREFIX}${name}`, path: '/' }, secure] : [secure]
}

interface Sent {
  readonly form: Form
  readonly values: readonly string[]
}

function findSent({ headers }: IncomingMessage, cookie: OwnCookie): Sent | undefined {
  // The parser keeps only one value of each name.
  const pairs = (headers.cookie?.split(';') ?? []).flatMap((pair) => Object.entries(parse(pair)))
  const sent = formsOf(cookie).map((form) => ({
    form,
    values: pairs.flatMap(([name, value = '']) => (name === form.name ? [value] : [])),
  }))
  return sent.find(({ values }) => values.length > 0)
}

/**
 * All values of the cookie in the order of the header. A page of another host of the same domain can add cookies with the
 * same name, except to a cookie of the host alone, beside which other names do not count.
 */
export function readCookies(message: IncomingMessage, cookie: OwnCookie): readonly string[] {
  return findSent(message, cookie)?.values ?? []
}

/** The header that deletes the cookie that the browser sent. */
export function clearCookie(
  message: IncomingMessage,
  cookie: OwnCookie,
): Readonly<Record<string, string>> {
  const form = findSent(message, cookie)?.form ?? formsOf(cookie)[0]
  return headerOf(cookie, { form, value: '', maxAge: 0 })
}

/** The Set-Cookie header. Without a value, it deletes the cookie. */
export function setCookie(
  cookie: OwnCookie,
  value = '',
  maxAgeSeconds = 0,
): Readonly<Record<string, string>> {
  return headerOf(cookie, { form: formsOf(cookie)[0], value, maxAge: maxAgeSeconds })
}

interface Setting {
  readonly form: Form
  readonly value: string
  readonly maxAge: number
}

function headerOf(
  { isSecure: secure, isLax }: OwnCookie,
  { form: { name, path }, value, maxAge }: Setting,
): Readonly<Record<string, string>> {
  const sameSite = isLax === true ? 'lax' : 'strict'
  const options = { path, secure, httpOnly: true, sameSite, maxAge } as const
  return { 'set-cookie': serialize(name, value, options) }
}
