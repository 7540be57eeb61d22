// Users, keys, the audit trail, and information about the server.

import { LIMITS } from '../../../lib/config/limits.ts'
import { BYTES, metadataOf, TUS, UPLOADS } from '../../helpers/tus.ts'
import { type Asks, byAdmin, LIST_BYTES, lists, one, PROBLEM_BYTES } from './ask.ts'
import { many, type Site } from './site.ts'

const newKey = (site: Site): Promise<number> =>
  site.make('api_key', { name: site.name(), grants: [] })

export const OTHER_ASKS: Asks = {
  'GET /api/v2/user': lists('user').map((ask) => ({ ...ask, call: ask.call ?? byAdmin })),
  'GET /api/v2/user/:id': [{ what: 'one', path: one('user', ({ user }) => user), call: byAdmin }],
  'POST /api/v2/user': [
    {
      what: 'as many roles as it takes',
      path: () => '/api/v2/user',
      call: (site) => ({
        key: site.keys.admin,
        json: {
          name: site.name(),
          category_roles: Array.from({ length: 1_000 }, (_, index) => ({
            asset_category_id: site.wide + 1 + (index % site.size.wide),
            role: 'viewer',
          })),
        },
      }),
      status: 0,
    },
    {
      what: 'roles in folders that are not there',
      path: () => '/api/v2/user',
      call: (site) => ({
        key: site.keys.admin,
        json: {
          name: site.name(),
          category_roles: Array.from({ length: 1_000 }, (_, index) => ({
            asset_category_id: 1e9 + index,
            role: 'viewer',
          })),
        },
      }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
  ],
  'POST /api/v2/user/:id': [
    {
      what: 'no roles any more',
      prepare: async (site) => {
        const json = { name: site.name() }
        const { body } = await site.call('POST', '/api/v2/user', { json, key: site.keys.admin })
        return body.user_id
      },
      path: (_, id) => `/api/v2/user/${id}`,
      call: (site) => ({
        key: site.keys.admin,
        json: { category_roles: [], email: 'a@example.org' },
      }),
    },
  ],
  'DELETE /api/v2/user/:id': [
    {
      what: 'with many keys',
      prepare: async (site) => {
        const key = site.keys.admin
        const { body } = await site.call('POST', '/api/v2/user', {
          json: { name: site.name() },
          key,
        })
        await many(site.size.keys, () =>
          site.call('POST', '/api/v2/api_key', {
            json: { name: site.name(), user_id: body.user_id, grants: [] },
            key,
          }),
        )
        return body.user_id
      },
      path: (_, id) => `/api/v2/user/${id}`,
      call: byAdmin,
    },
  ],

  'GET /api/v2/api_key': lists('api_key'),
  'GET /api/v2/api_key/:id': [{ what: 'one', path: one('api_key', ({ key }) => key) }],
  'POST /api/v2/api_key': [
    {
      what: 'one',
      path: () => '/api/v2/api_key',
      call: (site) => ({
        json: { name: site.name(), grants: ['view'], asset_category_id: site.deepest },
      }),
    },
    {
      what: 'by a caller with many roles',
      path: () => '/api/v2/api_key',
      call: (site) => ({
        key: site.keys.roles,
        json: { name: site.name(), grants: ['view'], asset_category_id: site.deepest },
      }),
      status: 0,
    },
  ],
  'POST /api/v2/api_key/:id': [
    {
      what: 'one',
      prepare: newKey,
      path: (_, id) => `/api/v2/api_key/${id}`,
      call: () => ({ json: { status: 'inactive' } }),
    },
  ],
  'DELETE /api/v2/api_key/:id': [
    { what: 'one', prepare: newKey, path: (_, id) => `/api/v2/api_key/${id}` },
  ],
  'POST /api/v2/api_key/:id/rotate': [
    { what: 'one', prepare: newKey, path: (_, id) => `/api/v2/api_key/${id}/rotate` },
  ],

  ...webhookAsks(),
  ...roleAsks(),

  'GET /api/v2/me': [
    {
      what: 'a caller with many roles',
      path: () => '/api/v2/me',
      call: (site) => ({ key: site.keys.roles }),
    },
  ],

  'GET /api/v2/audit': lists('audit')
    .filter(({ path }) => !/name/.test(path({} as Site, undefined)))
    .map((ask) => ({ ...ask, call: byAdmin })),
  'GET /api/v2/audit/:id': [{ what: 'one', path: () => '/api/v2/audit/5', call: byAdmin }],

  'GET /api/v2/change': [
    {
      what: 'as many as there are, for who sees nothing of them',
      path: () => '/api/v2/change?since=0&length=1000',
      call: (site) => ({ key: site.keys.roles }),
    },
    {
      what: 'all of them, below a folder that is deep',
      path: () => '/api/v2/change?since=0&length=1000&asset_category_id=1&action=delete',
      call: byAdmin,
    },
  ],
  // A stream sends the same changes as the list and never ends, so this stream is empty.
  'GET /api/v2/change/stream': [
    {
      what: 'of nothing',
      path: () => '/api/v2/change/stream?asset_category_id=999999999',
      maxBytes: PROBLEM_BYTES,
      status: 404,
    },
  ],

  'POST /api/v2/uploads': [
    {
      what: 'the longest metadata',
      path: () => UPLOADS,
      call: (site) => {
        const title = 'x'.repeat(250)
        const named = { asset_category_id: 1, filename: site.name(), title }
        const metadata = metadataOf(named).padEnd(LIMITS.uploadMetadataBytes, ',filetype ')
        return { headers: { ...TUS, 'upload-length': '1', 'upload-metadata': metadata } }
      },
      status: 0,
    },
  ],
  'GET /api/v2/uploads/:upload': [{ what: 'none', path: () => `${UPLOADS}/x`, status: 404 }],
  'PATCH /api/v2/uploads/:upload': [
    {
      what: 'none',
      path: () => `${UPLOADS}/x`,
      call: () => ({ headers: { ...BYTES, 'upload-offset': '0' }, body: 'x' }),
      status: 404,
    },
  ],
  'DELETE /api/v2/uploads/:upload': [
    { what: 'none', path: () => `${UPLOADS}/x`, call: () => ({ headers: TUS }), status: 404 },
  ],
  'GET /api/v2/backup': [
    {
      what: 'all of it',
      path: () => '/api/v2/backup',
      call: byAdmin,
      maxBytes: Number.POSITIVE_INFINITY,
    },
  ],
  'GET /problems': [{ what: 'all', path: () => '/problems' }],
  'GET /problems/:code': [{ what: 'one', path: () => '/problems/invalid-content' }],
  'GET /health': [{ what: 'once', path: () => '/health' }],
  'GET /ready': [{ what: 'once', path: () => '/ready' }],
  'GET /metrics': [{ what: 'once', path: () => '/metrics', call: byAdmin }],
  'GET /': [{ what: 'once', path: () => '/' }],
  'GET /public': [{ what: 'once', path: () => '/public' }],
  'GET /public/api': [{ what: 'once', path: () => '/public/api' }],
  'GET /docs': [
    { what: 'once', path: () => '/docs' },
    {
      what: 'no address, of slashes alone but for its end',
      path: () => `/${'/'.repeat(8_000)}x`,
      status: 404,
    },
  ],
  'GET /public/api/system': [{ what: 'once', path: () => '/public/api/system' }],
  'GET /public/api/system/swagger.json': [
    { what: 'once', path: () => '/public/api/system/swagger.json' },
    {
      what: 'for another address',
      path: () => '/public/api/system/swagger.json',
      call: (site) => ({ headers: { host: `${site.name()}.example.org` } }),
    },
  ],
  'GET /public/api/module': [{ what: 'once', path: () => '/public/api/module' }],
  'GET /public/api/module/swagger.json': [
    {
      what: 'with many modules',
      path: () => '/public/api/module/swagger.json',
      maxBytes: LIMITS.documentBytes,
      status: [200, 413],
    },
    {
      what: 'packed',
      path: () => '/public/api/module/swagger.json',
      call: () => ({ headers: { 'accept-encoding': 'gzip' } }),
      maxBytes: LIMITS.documentBytes,
      status: [200, 413],
    },
    { what: 'of one', path: () => '/public/api/module/swagger.json?module=datatable/1' },
  ],
  'GET /public/api/module/modules.json': [
    { what: 'of many modules', path: () => '/public/api/module/modules.json' },
  ],
  'GET /public/api/module/types.ts': [
    {
      what: 'of many modules',
      path: () => '/public/api/module/types.ts',
      maxBytes: LIMITS.documentBytes,
    },
  ],
  'GET /public/api/assets/:version/:name': [
    { what: 'what is not there', path: () => '/public/api/assets/1/x', status: 404 },
  ],
  'GET /admin': [{ what: 'once', path: () => '/admin' }],
  'GET /admin/*': [{ what: 'far below', path: () => `/admin${'/x'.repeat(2_000)}` }],
  'GET /admin/preview': [{ what: 'once', path: () => '/admin/preview' }],
  'GET /admin/assets/:name': [
    { what: 'what is not there', path: () => '/admin/assets/x', status: 404 },
  ],
}

function roleAsks(): Asks {
  const list = '/api/v2/role'
  const prepare = async (site: Site): Promise<number> => {
    const json = { name: site.name(), grants: ['view'] }
    return (await site.call('POST', list, { json, key: site.keys.admin })).body.role_id
  }
  const path = (_: Site, id: number): string => `${list}/${id}`
  const call = ({ keys }: Site) => ({ key: keys.admin, json: { grants: ['view', 'modify'] } })
  const one = { what: 'one', prepare, path }
  return {
    [`GET ${list}`]: [{ what: 'all', path: () => list, call: byAdmin, maxBytes: LIST_BYTES }],
    [`POST ${list}`]: [
      {
        what: 'without a grant',
        path: () => list,
        call: (site) => ({ key: site.keys.admin, json: { name: site.name(), grants: [] } }),
        status: 0,
      },
    ],
    [`GET ${list}/:id`]: [{ ...one, call: byAdmin }],
    [`POST ${list}/:id`]: [{ ...one, call }],
    [`DELETE ${list}/:id`]: [{ ...one, call: byAdmin }],
  }
}

function webhookAsks(): Asks {
  const list = '/api/v2/webhook'
  const fresh = async (site: Site): Promise<number> => {
    const json = { name: site.name(), url: 'https://a.invalid', status: 'paused' }
    return (await site.call('POST', list, { json, key: site.keys.admin })).body.webhook_id
  }
  // The number of webhooks is limited, so an existing webhook is used.
  const prepare = async (site: Site): Promise<number> => {
    const { body } = await site.call('GET', list, { key: site.keys.admin })
    return body.webhook[0]?.webhook_id ?? fresh(site)
  }
  const at =
    (end = ''): ((site: Site, id: number) => string) =>
    (_, id) =>
      `${list}/${id}${end}`
  const one = { what: 'one', prepare, call: byAdmin }
  const bodied = (json: object) => ({
    ...one,
    call: ({ keys }: Site) => ({ key: keys.admin, json }),
  })
  const many = { url: `https://a.invalid/${'x'.repeat(1_900)}` }
  return {
    [`GET ${list}`]: [{ what: 'all', path: () => list, call: byAdmin, maxBytes: LIST_BYTES }],
    [`POST ${list}`]: [
      {
        what: 'of a long address',
        path: () => list,
        call: (site) => ({
          key: site.keys.admin,
          json: { name: site.name(), status: 'paused', ...many },
        }),
        status: 0,
      },
    ],
    [`GET ${list}/:id`]: [{ ...one, path: at() }],
    [`POST ${list}/:id`]: [{ ...bodied(many), path: at() }],
    [`DELETE ${list}/:id`]: [{ ...one, prepare: fresh, path: at() }],
    ...Object.fromEntries(
      ['pause', 'resume', 'rotate', 'test'].map((name) => [
        `POST ${list}/:id/${name}`,
        [{ ...one, path: at(`/${name}`) }],
      ]),
    ),
    [`POST ${list}/:id/replay`]: [{ ...bodied({ since: 0 }), path: at('/replay') }],
    [`GET ${list}/:id/delivery`]: [{ ...one, path: at('/delivery?length=1000') }],
  }
}
