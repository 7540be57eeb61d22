// The second factor: users manage their own, and administrators may remove the second factor of other users.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, NO_CONTENT } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import type { Proxies } from '../http/client-address.ts'
import { originOf } from '../http/origin.ts'
import { empty, json, type Reply } from '../http/reply.ts'
import type { Proof } from '../operations/people/reauthentication.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from '../operations/people/second-factor.ts'
import { user } from '../schema/user.ts'
import { bodyOf, CODE, PASSWORD, SESSION_TAG } from './docs/session-docs.ts'
import { readId, readKnownFields, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const OWN = '/api/v2/me/second_factor'

// oxlint-disable-next-line eslint/max-lines-per-function -- a table of routes
export function secondFactorRoutes(proxies: Proxies): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: OWN,
      access: 'key',
      isOfPerson: true,
      action: 'update',
      summary: 'Create a second factor for the signed-in user; it is active after confirmation',
      docs: BEGIN_SECOND_FACTOR,
      read: async (request) => ({
        ...(await readProof(request)),
        issuer: issuerOf(originOf(request.message, proxies)),
      }),
      run: beginSecondFactor,
      recall: 'same',
      reply: ({ secret, uri }) => json(201, { secret, uri }),
    }),
    defineRoute({
      method: 'POST',
      path: `${OWN}/confirm`,
      access: 'key',
      isOfPerson: true,
      action: 'update',
      summary: 'Confirm the second factor with a first code and end all other sessions',
      docs: CONFIRM_SECOND_FACTOR,
      read: async (request) => {
        requireKnownParameters(request.query, [])
        const { code } = await readKnownFields(request, ['code'])
        return { code }
      },
      run: confirmSecondFactor,
      recall: 'same',
      reply: shownCodes,
    }),
    defineRoute({
      method: 'POST',
      path: `${OWN}/remove`,
      access: 'key',
      isOfPerson: true,
      action: 'update',
      summary: 'Remove the second factor of the signed-in user',
      docs: REMOVE_OWN_SECOND_FACTOR,
      read: readProof,
      run: removeOwnSecondFactor,
      recall: 'same',
      reply: () => empty(204),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v2/me/recovery_codes',
      access: 'key',
      isOfPerson: true,
      action: 'update',
      summary: 'Create new recovery codes; the old codes become invalid',
      docs: RENEW_RECOVERY_CODES,
      read: readProof,
      run: renewRecoveryCodes,
      recall: 'same',
      reply: shownCodes,
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v2/user/:id/second_factor/remove',
      access: ['admin'],
      action: 'update',
      summary: 'Remove the second factor of a user',
      docs: REMOVE_SECOND_FACTOR,
      read: (request) => {
        requireKnownParameters(request.query, [])
        return readId(request, 'id')
      },
      run: removeSecondFactorOf,
      recall: 'same',
      reply: () => empty(204),
    }),
  ]
}

async function readProof(request: Request): Promise<Proof> {
  requireKnownParameters(request.query, [])
  const { password, code } = await readKnownFields(request, ['password', 'code'])
  return { password, code }
}

function shownCodes(codes: readonly string[]): Reply {
  return json(201, { recovery_codes: codes })
}

/** The name of the site in an authenticator app. The name must not contain a colon. */
function issuerOf(origin: string): string {
  const { hostname } = new URL(origin)
  return hostname.includes(':') ? 'cms-server' : hostname
}

const PROVEN = bodyOf({
  properties: {
    password: { ...PASSWORD, description: 'The current password.' },
    code: { ...CODE, description: 'Required if the user has a second factor: one of its codes.' },
  },
  optional: ['code'],
  example: { password: 'correct horse battery' },
})

const CODES: SchemaObject = {
  type: 'object',
  required: ['recovery_codes'],
  properties: {
    recovery_codes: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Shown only once. Each code can be used once in place of a code of the authenticator.',
    },
  },
}

const CODES_ANSWER = jsonAnswer('The recovery codes.', {
  schema: CODES,
  example: { recovery_codes: ['8f3k-2m9q-x7zt-04wd', '1c5n-v0ge-67yh-j2rs'] },
})

const BEGIN_SECOND_FACTOR: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'begin_second_factor',
  description:
    'Requires the secret of a session. Confirm the second factor within an hour; after that, request a new one. A second factor ' +
    'that is already active stays active until the new one is confirmed.',
  body: PROVEN,
  answers: {
    201: jsonAnswer('The secret for an authenticator app.', {
      schema: {
        type: 'object',
        required: ['secret', 'uri'],
        properties: {
          secret: { type: 'string', description: 'Base32, for manual entry. Shown only once.' },
          uri: { type: 'string', description: 'The same secret as a URI, for a QR code.' },
        },
      },
      example: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri:
          'otpauth://totp/cms.example.org:ada?issuer=cms.example.org&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' +
          '&algorithm=SHA1&digits=6&period=30',
      },
    }),
  },
  problems: [429],
  codes: ['session-required'],
}

const CONFIRM_SECOND_FACTOR: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'confirm_second_factor',
  description:
    'From then on, signing in needs a code in addition to the password. If the response is lost, get new recovery codes with ' +
    'POST /api/v2/me/recovery_codes.',
  body: bodyOf({ properties: { code: CODE }, example: { code: '123456' } }),
  answers: { 201: CODES_ANSWER },
  problems: [404, 429],
  codes: ['session-required'],
}

const REMOVE_OWN_SECOND_FACTOR: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'remove_own_second_factor',
  description: 'Requires the secret of a session.',
  body: PROVEN,
  answers: { 204: NO_CONTENT },
  problems: [429],
  codes: ['session-required'],
}

const RENEW_RECOVERY_CODES: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'renew_recovery_codes',
  description: 'Requires the secret of a session, and a user who has a second factor.',
  body: PROVEN,
  answers: { 201: CODES_ANSWER },
  problems: [404, 429],
  codes: ['session-required'],
}

const REMOVE_SECOND_FACTOR: EndpointDocs = {
  tag: user.name,
  operationId: 'remove_second_factor',
  description:
    'For a user who has lost the second factor and the recovery codes. If the user has no second factor, nothing changes. A key cannot remove the second factor of its own user: use POST /api/v2/me/second_factor/remove with the password and a code.',
  answers: { 204: NO_CONTENT },
  problems: [422],
  codes: ['session-required'],
}
