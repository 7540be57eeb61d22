// OpenAPI descriptions of signing in, signing out and passwords.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { EXAMPLE_SECRET } from '../../schema/api-key.ts'
import { user } from '../../schema/user.ts'
import { jsonAnswer, jsonBody, NO_CONTENT, SIGNED_OUT } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'

export const SESSION_TAG = {
  name: 'session',
  description:
    'For people: a session is an API key with all grants of its user and secrets that expire after minutes. The session cookie is ' +
    'sent only to these addresses and gets the next secret. Browsers may use these addresses only from pages of this server.',
}

export const PASSWORD: SchemaObject = { type: 'string', format: 'password' }
const NEW_PASSWORD: SchemaObject = {
  ...PASSWORD,
  description: 'At least 12 characters, with at least 5 different ones.',
}

export const CODE: SchemaObject = {
  type: 'string',
  maxLength: 64,
  description:
    'The six digits of the authenticator, or a recovery code. Each code can be used once.',
}

const SIGNED_IN: SchemaObject = {
  type: 'object',
  required: ['secret', 'date_expires', 'date_ends', 'api_key_id', 'user'],
  properties: {
    secret: {
      type: 'string',
      description: 'Authenticates requests like the secret of any key, until date_expires.',
    },
    date_expires: {
      type: 'string',
      format: 'date-time',
      description: 'When the secret expires. Fetch the next secret before then.',
    },
    date_ends: {
      type: 'string',
      format: 'date-time',
      description: 'When the session ends at the latest. An unused session ends earlier.',
    },
    api_key_id: {
      type: 'integer',
      description: 'Identifier of the session in the list of API keys.',
    },
    user: {
      type: 'object',
      required: ['user_id', 'name'],
      properties: { user_id: { type: 'integer' }, name: { type: 'string' } },
    },
  },
}

const EXAMPLE = {
  secret: EXAMPLE_SECRET,
  date_expires: '2026-01-02T03:14:05.000Z',
  date_ends: '2026-01-16T03:04:05.000Z',
  api_key_id: 7,
  user: { user_id: 2, name: 'ada' },
}

const SIGNED_IN_ANSWER = jsonAnswer('The first secret and the session cookie.', {
  schema: SIGNED_IN,
  example: EXAMPLE,
  headers: ['Set-Cookie'],
})

interface Body {
  readonly properties: Readonly<Record<string, SchemaObject>>
  readonly example: object
  readonly optional?: readonly string[]
}

/** A JSON body with exactly these fields. */
export function bodyOf({ properties, example, optional = [] }: Body) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  const schema: SchemaObject = {
    type: 'object',
    additionalProperties: false,
    properties: { ...properties },
    required,
  }
  return jsonBody({ schema, example, limit: BODY_LIMITS.credentials })
}

export const WAYS_IN: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'read_ways_in',
  answers: {
    200: jsonAnswer('The available ways to sign in.', {
      schema: {
        type: 'object',
        required: ['password', 'oidc'],
        properties: {
          password: { type: 'boolean', description: 'Sign-in with a name and a password.' },
          oidc: {
            type: 'boolean',
            description: 'Sign-in with the identity provider, at GET /api/v2/session/oidc.',
          },
        },
      },
      example: { password: true, oidc: false },
    }),
  },
}

export const SIGN_IN: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'sign_in',
  description:
    'If the user has a second factor and the password is correct but the code is missing, the response is 401 `code-required`. After too many ' +
    'failed attempts with one name or from one address, the response is 429 for some minutes.',
  body: bodyOf({
    properties: { name: { type: 'string' }, password: PASSWORD, code: CODE },
    optional: ['code'],
    example: { name: 'ada', password: 'correct horse battery' },
  }),
  answers: { 201: SIGNED_IN_ANSWER },
  problems: [429],
  codes: ['sign-in-failed', 'code-required', 'code-wrong', 'cross-site'],
}

const TOKEN: SchemaObject = {
  type: 'string',
  description: 'The token is at the end of the link, after the number sign.',
}

export const LINK_SIGN_IN: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'sign_in_with_link',
  description:
    'The link was created with POST /api/v2/user/{id}/link or printed at the first start. It works once. If the user has a second ' +
    'factor and the code is missing, the response is 401 `code-required`. All other sessions of the user end.',
  body: bodyOf({
    properties: { token: TOKEN, password: NEW_PASSWORD, code: CODE },
    optional: ['code'],
    example: { token: EXAMPLE_SECRET, password: 'correct horse battery' },
  }),
  answers: { 201: SIGNED_IN_ANSWER },
  problems: [429],
  codes: ['link-over', 'code-required', 'code-wrong', 'cross-site'],
}

export const CHECK_LINK: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'check_link',
  description:
    'The link stays valid. The request writes nothing, so an Idempotency-Key is ignored.',
  body: bodyOf({ properties: { token: TOKEN }, example: { token: EXAMPLE_SECRET } }),
  answers: {
    200: jsonAnswer('The user who sets a password with this link.', {
      schema: {
        type: 'object',
        required: ['name', 'first_start'],
        properties: {
          name: { type: 'string' },
          first_start: {
            type: 'boolean',
            description: 'Whether the link is that of the first start.',
          },
        },
      },
      example: { name: 'ada', first_start: false },
    }),
  },
  problems: [429],
  codes: ['link-over', 'cross-site'],
}

export const RENEW_SESSION: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'renew_session',
  description:
    'Earlier secrets stay valid until they expire, because each open page has its own secret.',
  answers: {
    200: jsonAnswer('The next secret.', { schema: SIGNED_IN, example: EXAMPLE }),
  },
  codes: ['session-over', 'cross-site'],
}

export const SIGN_OUT: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'sign_out',
  parameters: [
    {
      name: 'everywhere',
      in: 'query',
      description: 'true: end all sessions of the user.',
      schema: { type: 'boolean' },
    },
  ],
  answers: { 204: SIGNED_OUT },
  codes: ['cross-site'],
}

export const CHANGE_PASSWORD: EndpointDocs = {
  tag: SESSION_TAG.name,
  operationId: 'change_password',
  description: 'Requires the secret of a session.',
  body: bodyOf({
    properties: {
      password: { ...PASSWORD, description: 'The current password, if there is one.' },
      new_password: NEW_PASSWORD,
    },
    optional: ['password'],
    example: { password: 'correct horse battery', new_password: 'staple of another color' },
  }),
  answers: { 204: NO_CONTENT },
  codes: ['session-required'],
}

export const SET_PASSWORD: EndpointDocs = {
  tag: user.name,
  operationId: 'set_password',
  description:
    'Sets the password of another user. A key cannot set the password of its own user: use POST /api/v2/me/password.',
  body: bodyOf({
    properties: {
      password: {
        type: 'string',
        description:
          'At least 12 characters, with at least 5 different ones. null: the user can no longer sign in with a password.',
      },
    },
    example: { password: 'correct horse battery' },
  }),
  answers: { 204: NO_CONTENT },
  codes: ['session-required'],
}

export const MAKE_USER_LINK: EndpointDocs = {
  tag: user.name,
  operationId: 'make_user_link',
  description:
    'Anyone who has the link can set the password of the user once, within three days. Send the link over a channel that you trust. The link ends when a newer link is created, the password changes, the user is disabled, or its creator loses a right that the creation required. Until the link is used, the current password and the sessions of the user stay valid. A key cannot create a link for its own user.',
  answers: {
    201: jsonAnswer('The link, which is shown only once.', {
      schema: {
        type: 'object',
        required: ['url', 'token', 'date_expires'],
        properties: {
          url: {
            type: 'string',
            description: 'The link without the address of the server. It opens a page of /admin.',
          },
          token: {
            type: 'string',
            description: 'The token of the link, as POST /api/v2/session/link expects it.',
          },
          date_expires: { type: 'string', format: 'date-time' },
        },
      },
      example: {
        url: '/admin/welcome#4wVZ1Lt2hXwYQ8nD0cJmK5sRbG7uE3aPfT9iCxNoHvk',
        token: '4wVZ1Lt2hXwYQ8nD0cJmK5sRbG7uE3aPfT9iCxNoHvk',
        date_expires: '2026-01-05T03:04:05.000Z',
      },
    }),
  },
  codes: ['session-required', 'in-use'],
}

export const REVOKE_USER_LINK: EndpointDocs = {
  tag: user.name,
  operationId: 'revoke_user_link',
  description: 'The link stops working at once. 404 if the user has no link.',
  answers: { 204: NO_CONTENT },
}
