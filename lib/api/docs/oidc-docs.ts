// Signing in by OpenID Connect.

import type { EndpointDocs } from '../../docs/endpoint.ts'
import { SESSION_TAG } from './session-docs.ts'

const ON_ITS_WAY = {
  description: 'On its way.',
  headers: { Location: { description: 'Where to.', schema: { type: 'string' } } },
} as const

export const BEGIN_OIDC: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'begin_oidc',
  description:
    'For a browser: leads to the provider, or where it does not answer to /admin/sign-in?problem=oidc-unavailable. 404 where ' +
    'no provider is set up.',
  answers: { 303: ON_ITS_WAY },
  problems: [404],
}

export const FINISH_OIDC: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'finish_oidc',
  description:
    'To where the provider leads the browser back, with its answer in the query: on to /admin with the cookie of a session, or to ' +
    '/admin/sign-in?problem= with the code of what went wrong.',
  answers: { 303: ON_ITS_WAY },
  problems: [404],
}
