// Signing in and out: /api/v2/session. Only these addresses read the session cookie, which only gets a secret. The
// secret authenticates requests like the secret of any key, so pages and programs use the same authentication.

import type { Site } from '../config/flag-values.ts'
import { type OwnCookie, readCookies, setCookie } from '../http/cookies.ts'
import { empty, json, type Reply } from '../http/reply.ts'
import { hostOf, isByTls, type OwnAddress, requireSameSite } from '../http/origin.ts'
import type { Services } from '../operations/context.ts'
import { readLink, signInWithLink } from '../operations/people/link-sign-in.ts'
import { findSessionCookie } from '../operations/people/session-records.ts'
import {
  type Renewed,
  renewSession,
  type SignedIn,
  signIn,
  signOut,
  type Visitor,
} from '../operations/people/sessions.ts'
import { refuseField } from '../schema/check.ts'
import {
  CHECK_LINK,
  LINK_SIGN_IN,
  RENEW_SESSION,
  SIGN_IN,
  SIGN_OUT,
  WAYS_IN,
} from './docs/session-docs.ts'
import {
  readFlag,
  readKnownFields,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const SESSION_PATH = '/api/v2/session'
const COOKIE = 'cms_session'

/** The address of the administration area, and the sites of the server. */
export interface SessionAddress extends OwnAddress {
  readonly sites: readonly Site[]
}

/** The available ways to sign in. */
interface WaysIn {
  readonly password: boolean
  readonly oidc: boolean
}

/** Maximum length of a user name; see lib/schema/user.ts. */
const MAX_NAME_LENGTH = 255

// oxlint-disable-next-line eslint/max-lines-per-function -- a table of routes
export function sessionRoutes(own: SessionAddress, ways: WaysIn): readonly Route[] {
  const cookieOf = (request: Request, services: Services): OwnCookie =>
    sessionCookie({ request, services, own })
  const sentCookie = (request: Request, services: Services): string | undefined =>
    sentSession({ request, services, own })
  const signedIn = (output: SignedIn, request: Request, services: Services): Reply =>
    json(201, shown(output), setSessionCookie(output, { request, services, own }))
  const begin = (request: Request, known: readonly string[] = []): void => {
    requireSameSite(request.message, own)
    requireKnownParameters(request.query, known)
  }

  return [
    defineRoute({
      method: 'GET',
      path: SESSION_PATH,
      access: 'open',
      summary: 'List the ways to sign in',
      docs: WAYS_IN,
      read: ({ query }) => requireKnownParameters(query, []),
      run: () => ways,
      reply: (output) => json(200, output),
    }),
    defineRoute({
      method: 'POST',
      path: SESSION_PATH,
      access: 'open',
      action: 'sign_in',
      summary:
        'Sign in with a name, a password, and the code of a second factor if the user has one',
      docs: SIGN_IN,
      read: async (request, services) => {
        begin(request)
        const body = await readKnownFields(request, ['name', 'password', 'code'])
        const { name, password, code } = body
        const visitor = visitorOf(request, sentCookie(request, services))
        return { name: readName(name), password, code, visitor }
      },
      run: signIn,
      recall: 'secret',
      reply: signedIn,
    }),
    defineRoute({
      method: 'POST',
      path: `${SESSION_PATH}/link`,
      access: 'open',
      action: 'sign_in',
      summary: 'Set the password of the user of a link, and sign in',
      docs: LINK_SIGN_IN,
      read: async (request, services) => {
        begin(request)
        const body = await readKnownFields(request, ['token', 'password', 'code'])
        const { password, code } = body
        const visitor = visitorOf(request, sentCookie(request, services))
        return { token: readToken(body['token']), password, code, visitor }
      },
      run: signInWithLink,
      recall: 'secret',
      reply: signedIn,
    }),
    defineRoute({
      method: 'POST',
      path: `${SESSION_PATH}/link/check`,
      access: 'open',
      changesNothing: true,
      summary: 'Find the user of a link',
      docs: CHECK_LINK,
      read: async (request) => {
        begin(request)
        const { token } = await readKnownFields(request, ['token'])
        return { token: readToken(token), source: request.holder.source }
      },
      run: readLink,
      reply: ({ name, isFirstStart }) => json(200, { name, first_start: isFirstStart }),
    }),
    defineRoute({
      method: 'POST',
      path: `${SESSION_PATH}/renew`,
      access: 'open',
      action: 'sign_in',
      summary: 'Get the next secret of the session',
      docs: RENEW_SESSION,
      read: (request, services) => {
        begin(request)
        return sentCookie(request, services)
      },
      run: renewSession,
      recall: 'secret',
      reply: (output) => json(200, shown(output)),
    }),
    defineRoute({
      method: 'DELETE',
      path: SESSION_PATH,
      access: 'open',
      action: 'sign_out',
      summary: 'Sign out',
      docs: SIGN_OUT,
      read: (request, services) => {
        begin(request, ['everywhere'])
        const isEverywhere = readFlag(request.query, 'everywhere')
        return { cookie: sentCookie(request, services), isEverywhere, visitor: visitorOf(request) }
      },
      run: signOut,
      reply: (_, request, services) => empty(204, setCookie(cookieOf(request, services))),
    }),
  ]
}

/** Rejects longer names: no user has one, and the counter of failed attempts would store it. */
function readName(value: unknown): string {
  if (typeof value === 'string' && value.length <= MAX_NAME_LENGTH) return value
  return refuseField('name', `must be text of at most ${MAX_NAME_LENGTH} characters`)
}

function readToken(value: unknown): string {
  return typeof value === 'string' ? value : refuseField('token', 'must be text')
}

function shown({ secret, dateExpires, session, key, user }: Renewed): object {
  return {
    secret,
    date_expires: dateExpires,
    date_ends: session.date_ends,
    api_key_id: key.api_key_id,
    user: { user_id: user.user_id, name: user.name },
  }
}

/** The session cookie, and the facts about the client that signs in. */
interface Asked {
  readonly request: Pick<Request, 'message'>
  readonly services: Pick<Services, 'basePath' | 'now' | 'records'>
  readonly own: SessionAddress
}

function sessionCookie({ request, services, own }: Asked): OwnCookie {
  return {
    name: COOKIE,
    path: `${services.basePath}${SESSION_PATH}`,
    isSecure: isByTls(request.message, own),
    isOfHost: services.basePath === '' && !sharesHost(request, own),
  }
}

/** Whether a site is on another port of the host of the request: browsers send a cookie to all ports. */
function sharesHost({ message }: Asked['request'], { sites, proxies }: SessionAddress): boolean {
  const host = `https://${hostOf(message, proxies)}`
  if (!URL.canParse(host)) return true
  const { hostname } = new URL(host)
  return sites.some(({ origin }) => new URL(origin).hostname === hostname)
}

/** The cookie of the session of the browser. */
export function sentSession(asked: Asked): string | undefined {
  const { records, now } = asked.services
  return findSessionCookie(records, readCookies(asked.request.message, sessionCookie(asked)), now())
}

/** The Set-Cookie header after signing in. */
export function setSessionCookie(
  { cookie, session }: SignedIn,
  asked: Asked,
): Readonly<Record<string, string>> {
  const lastsMs = Date.parse(session.date_ends) - asked.services.now().getTime()
  return setCookie(sessionCookie(asked), cookie, Math.floor(lastsMs / 1_000))
}

/** `replaced`: the cookie that the browser has now and that a new session replaces. */
export function visitorOf(
  { message, address, holder: { source }, id }: Request,
  replaced?: string,
): Visitor {
  const userAgent = message.headers['user-agent'] ?? ''
  return { address, source, requestId: id, userAgent, replaced }
}
