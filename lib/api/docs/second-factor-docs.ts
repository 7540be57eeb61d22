// OpenAPI descriptions of the second factor of users and of recovery codes.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { user } from '../../schema/user.ts'
import { jsonAnswer, NO_CONTENT } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { bodyOf, CODE, PASSWORD, SESSION_TAG } from './session-docs.ts'

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

export const BEGIN_SECOND_FACTOR: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'begin_second_factor',
  description:
    'Only with the key of a session. Confirm the second factor within an hour; after that, request a new one. A second factor ' +
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

export const CONFIRM_SECOND_FACTOR: EndpointDocs = {
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

export const REMOVE_OWN_SECOND_FACTOR: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'remove_own_second_factor',
  description: 'Only with the key of a session.',
  body: PROVEN,
  answers: { 204: NO_CONTENT },
  problems: [429],
  codes: ['session-required'],
}

export const RENEW_RECOVERY_CODES: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'renew_recovery_codes',
  description: 'Only with the key of a session, for a user who has a second factor.',
  body: PROVEN,
  answers: { 201: CODES_ANSWER },
  problems: [404, 429],
  codes: ['session-required'],
}

export const REMOVE_SECOND_FACTOR: EndpointDocs = {
  tag: user.name,
  operationId: 'remove_second_factor',
  description:
    'For a user who has lost the second factor and the recovery codes. If the user has no second factor, nothing changes. A key cannot remove the second factor of its own user: use POST /api/v2/me/second_factor/remove with the password and a code.',
  answers: { 204: NO_CONTENT },
  problems: [422],
  codes: ['session-required'],
}
