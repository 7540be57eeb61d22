// OpenAPI descriptions of signing in with OpenID Connect.

import type { EndpointDocs } from '../../docs/endpoint.ts'
import { SESSION_TAG } from './session-docs.ts'

const ON_ITS_WAY = {
  description: 'A redirect.',
  headers: { Location: { description: 'Target of the redirect.', schema: { type: 'string' } } },
} as const

export const BEGIN_OIDC: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'begin_oidc',
  description:
    'For browsers. Redirects to the identity provider, or to /admin/sign-in?problem=oidc-unavailable if the provider does not answer. ' +
    'Returns 404 if no provider is configured.',
  answers: { 303: ON_ITS_WAY },
  problems: [404],
}

export const FINISH_OIDC: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'finish_oidc',
  description:
    'The provider redirects the browser to this address, with its response in the query. The server then redirects to /admin with the ' +
    'session cookie, or to /admin/sign-in?problem= with the code of the error.',
  answers: { 303: ON_ITS_WAY },
  problems: [404],
}
