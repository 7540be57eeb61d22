// Signing in with OpenID Connect: one address starts the flow, the other is the callback. Both always redirect, and never
// to a target from the request.

import { ATTEMPT_SECONDS } from '../auth/oidc.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { type OwnCookie, readCookies, setCookie } from '../http/cookies.ts'
import { originOf, isByTls } from '../http/origin.ts'
import type { Reply } from '../http/reply.ts'
import type { Services } from '../operations/context.ts'
import { beginOidc, type Failed, finishOidc } from '../operations/people/oidc-sign-in.ts'
import { SESSION_TAG } from './docs/session-docs.ts'
import { type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'
import {
  sentSession,
  SESSION_PATH,
  type SessionAddress,
  setSessionCookie,
  visitorOf,
} from './sessions.ts'

const PATH = `${SESSION_PATH}/oidc`
const CALLBACK = `${PATH}/callback`
const COOKIE = 'cms_oidc'

export function oidcRoutes(own: SessionAddress): readonly Route[] {
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
        const replaced = sentSession({ request, services, own })
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
          cookie: readCookies(request.message, cookieOf(request, services))[0],
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

const ON_ITS_WAY = {
  description: 'A redirect.',
  headers: { Location: { description: 'Target of the redirect.', schema: { type: 'string' } } },
} as const

const BEGIN_OIDC: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'begin_oidc',
  description:
    'For browsers. Redirects to the identity provider, or to /admin/sign-in?problem=oidc-unavailable if the provider does not respond. ' +
    'Returns 404 if no provider is configured.',
  answers: { 303: ON_ITS_WAY },
  problems: [404],
}

const FINISH_OIDC: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'finish_oidc',
  description:
    'The provider redirects the browser to this address, with its response in the query. The server then redirects to /admin with the ' +
    'session cookie, or to /admin/sign-in?problem= with the code of the error.',
  answers: { 303: ON_ITS_WAY },
  problems: [404],
}
