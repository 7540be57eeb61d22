// Signing in with OpenID Connect: one address starts the flow, the other is the callback. Both always redirect, and never
// to a target from the request.

import { BEGIN_OIDC, FINISH_OIDC } from './docs/oidc-docs.ts'
import { ATTEMPT_SECONDS } from '../auth/oidc.ts'
import { type OwnCookie, readCookie, setCookie } from '../http/cookies.ts'
import { originOf } from '../http/origin.ts'
import type { Reply } from '../http/reply.ts'
import { isByTls, type OwnAddress } from '../http/same-site.ts'
import type { Services } from '../operations/context.ts'
import { beginOidc, type Failed, finishOidc } from '../operations/people/oidc-sign-in.ts'
import { type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'
import { SESSION_PATH, sessionCookie, setSessionCookie, visitorOf } from './session-cookie.ts'

const PATH = `${SESSION_PATH}/oidc`
const CALLBACK = `${PATH}/callback`
const COOKIE = 'cms_oidc'

export function oidcRoutes(own: OwnAddress): readonly Route[] {
  const addressOf = ({ message }: Request): string => own.baseUrl ?? originOf(message, own.proxies)
  const cookieOf = ({ message }: Request, { basePath }: Pick<Services, 'basePath'>): OwnCookie => ({
    name: COOKIE,
    path: `${basePath}${PATH}`,
    isSecure: isByTls(message, own),
    // The callback is a cross-site navigation.
    isLax: true,
  })

  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      access: 'open',
      summary: 'Redirect to the identity provider to sign in',
      docs: BEGIN_OIDC,
      answers: 'bytes',
      hasHead: false,
      read: (request, services) => {
        requireKnownParameters(request.query, [])
        const replaced = readCookie(request.message, sessionCookie({ request, services, own }))
        return { redirectUri: `${addressOf(request)}${CALLBACK}`, replaced }
      },
      run: beginOidc,
      reply: (output, request, services) => {
        if ('problem' in output) return toSignIn(output)
        const cookie = setCookie(cookieOf(request, services), output.cookie, ATTEMPT_SECONDS)
        return toPlace(output.url, cookie)
      },
    }),
    defineRoute({
      method: 'GET',
      path: CALLBACK,
      access: 'open',
      action: 'sign_in',
      summary: 'Finish signing in with the identity provider',
      docs: FINISH_OIDC,
      answers: 'bytes',
      hasHead: false,
      read: (request, services) => {
        const { search } = new URL(request.message.url ?? '', 'http://localhost')
        const answer = {
          url: `${addressOf(request)}${CALLBACK}${search}`,
          cookie: readCookie(request.message, cookieOf(request, services)),
        }
        return { answer, visitor: visitorOf(request) }
      },
      run: finishOidc,
      reply: (output, request, services) => {
        if ('problem' in output) return toSignIn(output)
        return toPlace('/admin', setSessionCookie(output, { request, services, own }))
      },
    }),
  ]
}

function toSignIn({ problem }: Failed): Reply {
  return toPlace(`/admin/sign-in?problem=${problem}`)
}

function toPlace(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { location, ...headers }, body: undefined }
}
