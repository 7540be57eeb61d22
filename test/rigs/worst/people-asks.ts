// Signing in, passwords, second factors and permissions: the longest body that any client may send,
// and the most expensive work.

import { LIMITS } from '../../../lib/config/limits.ts'
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME } from '../../../lib/shared/limits.ts'
import type { Call } from '../../helpers/server.ts'
import { type Ask, type Asks, byAdmin, LIST_BYTES, PROBLEM_BYTES } from './ask.ts'
import type { Site } from './site.ts'

const LONG_PASSWORD = 'x'.repeat(LIMITS.maxPasswordBytes)
const MOST = 'x'.repeat(LIMITS.credentialBytes - 200)

interface Refused {
  readonly path: string
  readonly json?: object
  readonly key?: (site: Site) => string
  readonly status?: number
}

/** The client is unknown or not permitted; the rig measures the cost of finding this out. */
function refused(what: string, { path, json, key, status = 0 }: Refused): Ask {
  const call = (site: Site): Call => ({
    key: key === undefined ? null : key(site),
    ...(json !== undefined && { json }),
  })
  return { what, path: () => path, call, status, maxBytes: PROBLEM_BYTES }
}

const admin = ({ keys }: Site): string => keys.admin

function ofPerson(path: string, json: object): readonly Ask[] {
  return [refused('with the longest password, by a key', { path, json, key: admin, status: 403 })]
}

const VIEWS = '/api/v2/me/views'
const MOST_VIEWS = Array.from({ length: MAX_SAVED_VIEWS }, (_, at) => ({
  name: `${at} ${'ß'.repeat(MAX_VIEW_NAME - 4)}`,
  page: 'content',
  query: 'x'.repeat(350),
}))

const USER = '/api/v2/user/1'

export const PEOPLE_ASKS: Asks = {
  'GET /api/v2/session': [{ what: 'the ways in', path: () => '/api/v2/session', maxBytes: 1_000 }],
  'POST /api/v2/session': [
    refused('a password that is compared with none', {
      path: '/api/v2/session',
      json: { name: 'x'.repeat(255), password: LONG_PASSWORD },
    }),
    refused('the longest body', { path: '/api/v2/session', json: { name: 'x', password: MOST } }),
  ],
  'POST /api/v2/session/link': [
    refused('the longest body', {
      path: '/api/v2/session/link',
      json: { token: MOST.slice(1_100), password: LONG_PASSWORD },
    }),
  ],
  'POST /api/v2/session/link/check': [
    refused('the longest token', { path: '/api/v2/session/link/check', json: { token: MOST } }),
  ],
  'POST /api/v2/session/renew': [refused('without a cookie', { path: '/api/v2/session/renew' })],
  'DELETE /api/v2/session': [
    { what: 'without a cookie', path: () => '/api/v2/session?everywhere=true', maxBytes: 1_000 },
  ],
  'GET /api/v2/session/oidc': [refused('without a provider', { path: '/api/v2/session/oidc' })],
  'GET /api/v2/session/oidc/callback': [
    refused('with much that nobody sent', {
      path: `/api/v2/session/oidc/callback?code=${'x'.repeat(2_000)}&state=${'y'.repeat(2_000)}`,
    }),
  ],
  'POST /api/v2/me/password': ofPerson('/api/v2/me/password', {
    password: LONG_PASSWORD,
    new_password: LONG_PASSWORD,
  }),
  'POST /api/v2/me/second_factor': ofPerson('/api/v2/me/second_factor', {
    password: LONG_PASSWORD,
  }),
  'POST /api/v2/me/second_factor/confirm': ofPerson('/api/v2/me/second_factor/confirm', {
    code: '123456',
  }),
  'POST /api/v2/me/second_factor/remove': ofPerson('/api/v2/me/second_factor/remove', {
    password: LONG_PASSWORD,
    code: '123456',
  }),
  'POST /api/v2/me/recovery_codes': ofPerson('/api/v2/me/recovery_codes', {
    password: LONG_PASSWORD,
    code: '123456',
  }),
  'GET /api/v2/me/people': [
    {
      what: 'all',
      path: () => '/api/v2/me/people?length=1000',
      call: (site) => ({ key: admin(site) }),
      maxBytes: LIST_BYTES,
    },
  ],
  'GET /api/v2/me/views': [
    {
      what: 'the views of a user with many roles',
      path: () => VIEWS,
      call: (site) => ({ key: site.keys.roles }),
    },
  ],
  'POST /api/v2/me/views': [
    {
      what: 'the longest list',
      path: () => VIEWS,
      call: (site) => ({ key: admin(site), json: { views: MOST_VIEWS } }),
    },
  ],
  'POST /api/v2/user/:id/password': [
    refused('too long', {
      path: `${USER}/password`,
      json: { password: `${LONG_PASSWORD}x` },
      key: admin,
      status: 422,
    }),
  ],
  'POST /api/v2/user/:id/link': [
    refused('for the user of the key', { path: `${USER}/link`, key: admin, status: 403 }),
  ],
  'DELETE /api/v2/user/:id/link': [
    refused('where there is none', { path: `${USER}/link`, key: admin, status: 404 }),
  ],
  'GET /api/v2/user/:id/shared_link': [
    refused('the longest page', {
      path: `${USER}/shared_link?length=1000`,
      key: admin,
      status: 200,
    }),
  ],
  'DELETE /api/v2/user/:id/shared_link': [
    refused('where there is none', { path: `${USER}/shared_link`, key: admin, status: 204 }),
  ],
  'POST /api/v2/user/:id/second_factor/remove': [
    refused('where there is none', { path: `${USER}/second_factor/remove`, key: admin }),
  ],
  'POST /api/v2/stml/check': [
    {
      what: 'a text as long as a page may be',
      path: () => '/api/v2/stml/check',
      call: (site) => ({
        key: admin(site),
        json: { pageContent: `<div id="dd.0">${'<p>a</p>'.repeat(1_900_000)}</div>` },
      }),
      maxBytes: PROBLEM_BYTES,
    },
  ],
  'POST /api/v2/ticket': [
    {
      what: 'for a long address',
      path: () => '/api/v2/ticket',
      call: (site) => ({ key: admin(site), json: { path: `/file/1/${'x'.repeat(250)}?v=1` } }),
      maxBytes: 20_000,
      status: 0,
    },
  ],
  'POST /api/v2/preview': [
    {
      what: 'of a server without a site',
      path: () => '/api/v2/preview',
      call: (site) => ({ key: admin(site), json: { asset_file_id: 1 } }),
      maxBytes: PROBLEM_BYTES,
      status: 0,
    },
  ],
  'GET /api/v2/access': [
    {
      what: 'of the folder where most roles are',
      path: ({ wide }) => `/api/v2/access?user_id=1&object=asset_category&id=${wide}&action=delete`,
      call: byAdmin,
      maxBytes: PROBLEM_BYTES,
      status: 0,
    },
  ],
}
