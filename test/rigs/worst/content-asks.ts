// Folders, files, their versions, groups, and the bytes themselves.

import { LIMITS } from '../../../lib/config/limits.ts'
import { queryOf } from '../../helpers/modules.ts'
import { buildForm } from '../../helpers/server.ts'
import {
  type Ask,
  type Asks,
  byRoles,
  LIST_BYTES,
  lists,
  MIB,
  one,
  PAGE_BYTES,
  PROBLEM_BYTES,
  writes,
} from './ask.ts'
import { many, type Site } from './site.ts'

const folders = writes('asset_category', () => ({ parent_category_id: 1 }))
const files = writes('asset_file', () => ({ parent_category_id: 1, type: 'html' }))
const groups = writes('file_group', ({ files: ids }) => ({ asset_file_ids: ids.slice(0, 1_000) }))
const FILE = '/api/v2/asset_file/:id'

const fileAsks = (action: string): readonly Ask[] => [
  {
    what: 'of long names and descriptions',
    path: ({ longVersioned }) => `/api/v2/asset_file/${longVersioned}${action}`,
    maxBytes: PAGE_BYTES,
  },
  {
    what: 'of a large text',
    path: ({ large }) => `/api/v2/asset_file/${large}${action}`,
    maxBytes: PAGE_BYTES,
  },
]

/** Makes many groups that all contain the same file. */
async function shared(site: Site): Promise<number> {
  const id = await site.make('asset_file', {
    name: site.name(),
    type: 'html',
    parent_category_id: 1,
  })
  const asset_file_ids = [...site.files.slice(0, 999), id]
  await many(Math.min(site.size.groups, 100), () =>
    site.make('file_group', { name: site.name(), asset_file_ids }),
  )
  return id
}

/** Makes a folder that contains many files, folders, groups and modules. */
async function crowded(site: Site): Promise<number> {
  const id = await site.make('asset_category', { name: site.name() })
  const asset_file_ids = site.files.slice(0, 1_000)
  await many(200, () => site.make('asset_category', { name: site.name(), parent_category_id: id }))
  await many(20, () =>
    site.make('file_group', { name: site.name(), parent_category_id: id, asset_file_ids }),
  )
  await many(8, () =>
    site.call('POST', '/api/v2/asset_file', {
      json: Array.from({ length: 50 }, () => ({
        name: site.name(),
        type: 'html',
        parent_category_id: id,
      })),
    }),
  )
  return id
}

async function versioned(site: Site): Promise<number> {
  const id = await site.make('asset_file', {
    name: site.name(),
    type: 'html',
    parent_category_id: 1,
  })
  for (let at = 0; at < Math.min(site.size.versions, 2_000); at++)
    await site.call('POST', `/api/v2/asset_file/${id}`, { json: { title: `${at}` } })
  return id
}

/** Makes a file with as many links as keys may make. */
async function linked(site: Site): Promise<number> {
  const id = await site.make('asset_file', {
    name: site.name(),
    type: 'html',
    parent_category_id: 1,
    fileState: 'publish',
  })
  const most = LIMITS.linksPerUser * LIMITS.madeKeysShare
  await many(Math.min(site.size.versions, most - 10), () =>
    site.call('POST', `/api/v2/asset_file/${id}/link`, { json: {} }),
  )
  return id
}

/** Makes a folder with a hundred pages of 80 KB. */
async function pages(site: Site): Promise<number> {
  const id = await site.make('asset_category', { name: site.name() })
  const pageContent = '<p>a line of a page</p>\n'.repeat(3_400)
  await many(10, () =>
    site.call('POST', '/api/v2/asset_file', {
      json: Array.from({ length: 10 }, () => {
        const name = site.name()
        return { name, type: 'html', parent_category_id: id, pageContent }
      }),
    }),
  )
  return id
}

export const CONTENT_ASKS: Asks = {
  ...folders,
  ...files,
  ...groups,

  'GET /api/v2/asset_category': lists('asset_category', [
    { what: 'their paths', path: () => '/api/v2/asset_category?length=1000&fields=path' },
    {
      what: 'the paths of the deepest',
      path: () =>
        '/api/v2/asset_category?length=1000&start=1&orderStr=asset_category_id&fields=path,name',
    },
  ]),
  'GET /api/v2/asset_category/:id': [
    { what: 'the deepest', path: one('asset_category', ({ deepest }) => deepest) },
    {
      what: 'the deepest, where many folders have roles',
      path: one('asset_category', ({ deepest }) => deepest),
      call: byRoles,
    },
  ],
  'POST /api/v2/asset_category/:id': [
    ...(folders['POST /api/v2/asset_category/:id'] ?? []),
    {
      what: 'a longer name above many',
      path: one('asset_category', ({ wide }) => wide),
      call: (site) => ({ json: { name: `wide, and longer ${site.name()}${site.name()}` } }),
    },
    {
      what: 'a longer name of the root',
      path: () => '/api/v2/asset_category/1',
      call: (site) => ({ json: { name: `Main ${site.name()}` }, key: site.keys.admin }),
      status: 422,
    },
  ],
  'DELETE /api/v2/asset_category/:id': [
    {
      what: 'wide, which is refused with its counts',
      path: one('asset_category', ({ wide }) => wide),
      status: 409,
    },
    {
      what: 'crowded, recursively',
      prepare: crowded,
      path: (_, id) => `/api/v2/asset_category/${id}?recursive=true`,
    },
    {
      what: 'with many roles of the caller in it',
      path: one('asset_category', ({ wide }) => wide),
      call: byRoles,
      status: 403,
    },
  ],

  'GET /api/v2/asset_file': lists('asset_file', [
    { what: 'their paths', path: () => '/api/v2/asset_file?length=1000&fields=path' },
    {
      what: 'a hundred with pages of 80 KB',
      prepare: pages,
      path: (_, id) =>
        `/api/v2/asset_file?length=100&fields=name,pageContent&${queryOf({ qry: { parent_category_id: id } })}`,
    },
    {
      what: 'with their pages',
      path: () => '/api/v2/asset_file?length=1000&fields=pageContent,path&start=1',
      status: 0,
    },
  ]),
  'GET /api/v2/asset_file/:id': fileAsks(''),
  'POST /api/v2/asset_file': [
    ...(files['POST /api/v2/asset_file'] ?? []),
    {
      what: 'as many as there can be',
      path: () => '/api/v2/asset_file',
      call: (site) => ({
        json: Array.from({ length: LIMITS.maxNewFiles }, () => ({
          name: site.name(),
          type: 'html',
          parent_category_id: site.deepest,
          pageContent: '<p>\u0001</p>'.repeat(10_000),
        })),
      }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'the largest page',
      path: () => '/api/v2/asset_file',
      call: (site) => ({
        json: {
          name: site.name(),
          type: 'html',
          parent_category_id: 1,
          pageContent: 'xxxxxxxxxxxxxxx\n'.repeat((15 * MIB) / 16),
        },
      }),
      maxBytes: PAGE_BYTES,
    },
  ],
  'POST /api/v2/asset_file/:id': [
    ...(files['POST /api/v2/asset_file/:id'] ?? []),
    {
      what: 'the largest page',
      prepare: (site) =>
        site.make('asset_file', { name: site.name(), type: 'html', parent_category_id: 1 }),
      path: (_, id) => `/api/v2/asset_file/${id}`,
      call: () => ({ json: { pageContent: '\u0001'.repeat(2.5 * MIB) } }),
      maxBytes: PAGE_BYTES,
    },
  ],
  'DELETE /api/v2/asset_file/:id': [
    { what: 'of many versions', prepare: versioned, path: (_, id) => `/api/v2/asset_file/${id}` },
    { what: 'of many groups', prepare: shared, path: (_, id) => `/api/v2/asset_file/${id}` },
  ],
  [`GET ${FILE}/publish`]: fileAsks('/publish'),
  [`POST ${FILE}/publish`]: fileAsks('/publish'),
  [`GET ${FILE}/stage`]: fileAsks('/stage'),
  [`POST ${FILE}/stage`]: fileAsks('/stage'),
  [`POST ${FILE}/unpublish`]: fileAsks('/unpublish'),
  [`POST ${FILE}/unstage`]: fileAsks('/unstage'),
  [`GET ${FILE}/versions`]: [
    {
      what: 'many',
      path: ({ versioned: id }) => `/api/v2/asset_file/${id}/versions?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'of long descriptions',
      path: ({ longVersioned }) => `/api/v2/asset_file/${longVersioned}/versions?length=1000`,
      maxBytes: LIST_BYTES,
    },
  ],
  [`GET ${FILE}/versions/:version`]: [
    {
      what: 'a long description',
      path: ({ longVersioned }) => `/api/v2/asset_file/${longVersioned}/versions/2`,
    },
  ],
  [`GET ${FILE}/versions/:version/content`]: [
    {
      what: 'the largest',
      path: ({ large }) => `/api/v2/asset_file/${large}/versions/1/content`,
      maxBytes: LIMITS.pageBytes,
    },
  ],
  [`POST ${FILE}/versions/:version/restore`]: [
    {
      what: 'a large text',
      path: ({ large }) => `/api/v2/asset_file/${large}/versions/2/restore`,
      maxBytes: PAGE_BYTES,
    },
  ],
  [`GET ${FILE}/link`]: [
    {
      what: 'a thousand links',
      prepare: linked,
      path: (_, id) => `/api/v2/asset_file/${id}/link?length=1000`,
      maxBytes: LIST_BYTES,
    },
  ],
  [`POST ${FILE}/link`]: [
    {
      what: 'for one version of many',
      path: ({ longVersioned }) => `/api/v2/asset_file/${longVersioned}/link`,
      call: () => ({ json: { version: 2, note: 'n'.repeat(255), expires_in: '90d' } }),
    },
  ],
  [`DELETE ${FILE}/link/:link`]: [
    {
      what: 'a link that does not exist',
      path: ({ large }) => `/api/v2/asset_file/${large}/link/1000000`,
      status: 404,
    },
  ],
  [`GET ${FILE}/versions/:version/diff/:other`]: [
    {
      what: 'of which no line is the same',
      path: ({ large }) => `/api/v2/asset_file/${large}/versions/1/diff/2`,
      maxBytes: 3 * LIMITS.pageBytes,
      status: 0,
    },
  ],

  'GET /api/v2/file_group': lists('file_group', [
    {
      what: 'one file in all',
      path: ({ files: ids }) =>
        `/api/v2/file_group?length=1000&${queryOf({ qry: { asset_file_ids: ids[0] } })}`,
    },
  ]),
  'GET /api/v2/file_group/:id': [
    { what: 'many files', path: one('file_group', ({ group }) => group) },
    {
      what: 'many files, where many folders have roles',
      path: one('file_group', ({ group }) => group),
      call: byRoles,
    },
  ],
  'POST /api/v2/file_group': [
    ...(groups['POST /api/v2/file_group'] ?? []),
    {
      what: 'as many files as it takes',
      path: () => '/api/v2/file_group',
      call: (site) => ({
        json: { name: site.name(), asset_file_ids: site.files.slice(0, site.size.groupFiles) },
      }),
      status: 0,
    },
    {
      what: 'files that are not there',
      path: () => '/api/v2/file_group',
      call: (site) => ({
        json: {
          name: site.name(),
          asset_file_ids: Array.from({ length: 10_000 }, (_, id) => id + 1e9),
        },
      }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
  ],
  'POST /api/v2/file_group/:id': [
    ...(groups['POST /api/v2/file_group/:id'] ?? []),
    {
      what: 'the other way around',
      path: one('file_group', ({ group }) => group),
      call: (site) => ({
        json: { asset_file_ids: site.files.slice(0, site.size.groupFiles).toReversed() },
      }),
      status: 0,
    },
    {
      what: 'none of the files',
      prepare: (site) =>
        site.make('file_group', { name: site.name(), asset_file_ids: site.files.slice(0, 1_000) }),
      path: (_, id) => `/api/v2/file_group/${id}`,
      call: () => ({ json: { asset_file_ids: [] } }),
    },
  ],

  'POST /upload': [
    {
      what: 'a text of 16 MiB',
      path: () => '/upload',
      call: (site) => {
        const { contentType, body } = buildForm([
          { name: 'asset_category_id', value: '1' },
          { name: 'Filedata', fileName: site.name(), bytes: Buffer.alloc(16 * MIB, 'x\n') },
        ])
        return { body, headers: { 'content-type': contentType } }
      },
      maxBytes: PAGE_BYTES,
    },
  ],
  'GET /link/:token/:name': [
    {
      what: 'the largest',
      prepare: async ({ call, large }) => {
        const json = { version: 1 }
        return (await call('POST', `/api/v2/asset_file/${large}/link`, { json })).body.url
      },
      path: (_, url) => url,
      maxBytes: LIMITS.pageBytes,
    },
    {
      what: 'a long wrong token',
      path: () => `/link/${'A'.repeat(1_000)}/a`,
      status: 404,
    },
  ],
  'GET /file/:number/:name': [
    {
      what: 'the largest',
      prepare: async ({ call, large }) => {
        await call('POST', `/api/v2/asset_file/${large}/publish`)
        return (await call('GET', `/api/v2/asset_file/${large}?fields=url`)).body.url
      },
      path: (_, url) => url,
      maxBytes: LIMITS.pageBytes,
    },
    {
      what: 'many ranges',
      path: ({ large }) => `/file/${large}/x`,
      call: () => ({ headers: { range: `bytes=${'0-,'.repeat(4_000)}0-` } }),
      maxBytes: LIMITS.pageBytes,
      status: 0,
    },
  ],
}
