// The second factor of users, and recovery codes.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { user } from '../../schema/user.ts'
import { jsonAnswer, NO_CONTENT } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { bodyOf, CODE, PASSWORD, SESSION_TAG } from './session-docs.ts'

const PROVEN = bodyOf({
  properties: {
    password: { ...PASSWORD, description: 'The present one.' },
    code: { ...CODE, description: 'Where there is a second factor: one of its codes.' },
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
      description: 'Shown this once. Each is good once, instead of a code of the authenticator.',
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
    'For somebody who has signed in, and no other key. It is confirmed within an hour, or shown anew; one that is in force stays ' +
    'so until then.',
  body: PROVEN,
  answers: {
    201: jsonAnswer('What an authenticator is given.', {
      schema: {
        type: 'object',
        required: ['secret', 'uri'],
        properties: {
          secret: { type: 'string', description: 'Base32, to be typed. Shown this once.' },
          uri: { type: 'string', description: 'The same as an address, for a QR code.' },
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
    'From then on a code is asked for beside the password. Where the answer is lost, there are new recovery codes by ' +
    'POST /api/v2/me/recovery_codes.',
  body: bodyOf({ properties: { code: CODE }, example: { code: '123456' } }),
  answers: { 201: CODES_ANSWER },
  problems: [404, 429],
  codes: ['session-required'],
}

export const REMOVE_OWN_SECOND_FACTOR: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'remove_own_second_factor',
  description: 'For somebody who has signed in, and no other key.',
  body: PROVEN,
  answers: { 204: NO_CONTENT },
  problems: [429],
  codes: ['session-required'],
}

export const RENEW_RECOVERY_CODES: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'renew_recovery_codes',
  description: 'For somebody who has signed in and has a second factor.',
  body: PROVEN,
  answers: { 201: CODES_ANSWER },
  problems: [404, 429],
  codes: ['session-required'],
}

export const REMOVE_SECOND_FACTOR: EndpointDocs = {
  tag: user.name,
  operationId: 'remove_second_factor',
  description:
    "For a user who has lost it and the recovery codes. Without one nothing changes. One's own is taken away by POST /api/v2/me/second_factor/remove, with the password and a code; a key cannot take away that of its own user.",
  answers: { 204: NO_CONTENT },
  problems: [422],
  codes: ['session-required'],
}
