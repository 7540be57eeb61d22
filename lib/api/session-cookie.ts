// The session cookie, and the facts about the client that signs in.

import { type OwnCookie, setCookie } from '../http/cookies.ts'
import { isByTls, type OwnAddress } from '../http/same-site.ts'
import type { Services } from '../operations/context.ts'
import type { SignedIn, Visitor } from '../operations/people/sessions.ts'
import type { Request } from './request/request.ts'

export const SESSION_PATH = '/api/v2/session'
const COOKIE = 'cms_session'

export interface Asked {
  readonly request: Pick<Request, 'message'>
  readonly services: Pick<Services, 'basePath' | 'now'>
  readonly own: OwnAddress
}

export function sessionCookie({ request, services, own }: Asked): OwnCookie {
  return {
    name: COOKIE,
    path: `${services.basePath}${SESSION_PATH}`,
    isSecure: isByTls(request.message, own),
  }
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
