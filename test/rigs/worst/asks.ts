// The worst requests that each route is asked. A route without one here fails the rig.

import { LIMITS } from '../../../lib/limits.ts'
import type { Call } from '../../helpers/server.ts'
import { buildForm } from '../../helpers/server.ts'
import { queryOf } from '../../helpers/modules.ts'
import { LONG, many, type Module, type Site, TEXT } from './site.ts'

export interface Ask {
  readonly what: string
  /** What this request alone takes, made anew for each; not measured. */
  readonly prepare?: (site: Site) => Promise<any>
  readonly path: (site: Site, made: any) => string
  readonly call?: (site: Site, made: any) => Call
  /** Of the answer; without, that of one record. */
  readonly maxBytes?: number
  readonly status?: number
}

const MIB = 1024 * 1024
/** What one request can put into a record, and what is derived beside it. */
const RECORD_BYTES = 2 * MIB
/** A page of a list ends before the record that would be too much, but for the first. */
const LIST_BYTES = LIMITS.listBytes + RECORD_BYTES
const PAGE_BYTES = LIMITS.pageJsonBytes + RECORD_BYTES
const PROBLEM_BYTES = 1 * MIB

const byAdmin = ({ keys }: Site): Call => ({ key: keys.admin })
const byRoles = ({ keys }: Site): Call => ({ key: keys.roles })

function lists(object: string, further: readonly Ask[] = []): readonly Ask[] {
  const path = `/api/v2/${object}`
  const maxBytes = LIST_BYTES
  return [
    { what: 'the longest page', path: () => `${path}?length=1000`, maxBytes },
    {
      what: 'from its end, counted',
      path: () => `${path}?length=1000&orderDir=DESC&count=exact&table_filter=zzzz`,
      maxBytes,
    },
    {
      what: 'where many folders have roles of their own',
      path: () => `${path}?length=1000&count=exact`,
      call: byRoles,
      maxBytes,
    },
    {
      what: 'far behind',
      path: () => `${path}?length=1&start=9000000000`,
      maxBytes,
    },
    {
      what: 'a regular expression',
      path: () =>
        `${path}?length=1000&${queryOf({ qry: { name: { $regex: '(a?){200}a{200}' } } })}`,
      maxBytes,
    },
    {
      what: 'many values',
      path: () =>
        `${path}?length=1000&${queryOf({
          qry: { name: { $nin: Array.from({ length: 500 }, (_, index) => `v${index}`) } },
        })}`,
      maxBytes,
    },
    {
      what: 'nested as deep as it goes',
      path: () => {
        let qry: object = { name: { $ne: 'x' } }
        for (let depth = 0; depth < 12; depth++) qry = { $not: qry }
        return `${path}?length=1000&${queryOf({ qry })}`
      },
      maxBytes,
    },
    ...further.map((ask) => ({ maxBytes, ...ask })),
  ]
}

const one =
  (object: string, id: (site: Site) => number) =>
  (site: Site): string =>
    `/api/v2/${object}/${id(site)}`

/** As many unknown members as a body may have. */
const wrong = (prefix = 'nothing'): object =>
  Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`${prefix}${index}`, LONG]))

function writes(object: string, fields: (site: Site) => object): Record<string, readonly Ask[]> {
  const prepare = (site: Site): Promise<number> =>
    site.make(object, { ...fields(site), name: site.name() })
  const path = (_: Site, id: number): string => `/api/v2/${object}/${id}`
  return {
    [`POST /api/v2/${object}`]: [
      {
        what: 'as much as there is room for',
        path: () => `/api/v2/${object}`,
        call: (site) => ({ json: { ...fields(site), name: site.name(), description: TEXT } }),
      },
      {
        what: 'wrong throughout',
        path: () => `/api/v2/${object}`,
        call: () => ({ json: wrong() }),
        maxBytes: PROBLEM_BYTES,
        status: 422,
      },
    ],
    [`POST /api/v2/${object}/:id`]: [
      {
        what: 'as much as there is room for',
        prepare,
        path,
        call: () => ({ json: { description: TEXT } }),
      },
      {
        what: 'wrong throughout',
        prepare,
        path,
        call: () => ({ json: wrong() }),
        maxBytes: PROBLEM_BYTES,
        status: 422,
      },
    ],
    [`DELETE /api/v2/${object}/:id`]: [{ what: 'one', prepare, path }],
  }
}

const folders = writes('asset_category', ({ deepest }) => ({
  parent_category_id: 1 * (deepest > 0 ? 1 : 1),
}))
const files = writes('asset_file', () => ({ parent_category_id: 1, type: 'html' }))
const groups = writes('file_group', ({ files: ids }) => ({ asset_file_ids: ids.slice(0, 1_000) }))
const tables = writes('datatable', ({ size }) => ({
  parent_category_id: 12,
  table_schema: schemaOf(size.columns),
}))
const calendars = writes('calendar', () => ({ parent_category_id: 12 }))

function schemaOf(columns: number, prefix = 'k'): string {
  return Array.from({ length: columns }, (_, index) => `${prefix}${index} C(200)`).join(',')
}

const MODULE = '/api/v2/module/:type/:module_id/:module_name'
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

/** So many groups with one file in all of them. */
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

/** A folder with as many files, folders, groups and modules below it. */
async function crowded(site: Site): Promise<number> {
  const id = await site.make('asset_category', { name: site.name() })
  const asset_file_ids = site.files.slice(0, 1_000)
  await many(200, () => site.make('asset_category', { name: site.name(), parent_category_id: id }))
  await many(20, () =>
    site.make('file_group', { name: site.name(), parent_category_id: id, asset_file_ids }),
  )
  await many(4, () =>
    site.call('POST', '/api/v2/asset_file', {
      json: Array.from({ length: 100 }, () => ({
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

async function newTable(site: Site, columns: number, entries = 0): Promise<Module> {
  const json = { name: site.name(), parent_category_id: 12, table_schema: schemaOf(columns) }
  const { body } = await site.call('POST', '/api/v2/datatable', { json })
  for (let at = 0; at < entries; at += 500) {
    const list = Array.from({ length: 500 }, (_, index) => ({ k0: `${at + index}` }))
    await site.call('POST', body.module_url, { json: list })
  }
  return { id: body.datatable_id, url: body.module_url }
}

const bulk = (columns: number, prefix = 'k', value = 'v'): object[] =>
  Array.from({ length: 1_000 }, (_, at) =>
    Object.fromEntries(
      Array.from({ length: columns }, (_, index) => [`${prefix}${index}`, `${value}${at}`]),
    ),
  )

const newKey = (site: Site): Promise<number> =>
  site.make('api_key', { name: site.name(), grants: [] })

export const ASKS: Readonly<Record<string, readonly Ask[]>> = {
  ...folders,
  ...files,
  ...groups,
  ...tables,
  ...calendars,

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
      what: 'with their pages',
      path: () => '/api/v2/asset_file?length=1000&fields=pageContent,path&start=1',
      status: 0,
    },
  ]),
  'GET /api/v2/asset_file/:id': fileAsks(''),
  'POST /api/v2/asset_file': [
    ...(files['POST /api/v2/asset_file'] ?? []),
    {
      what: 'a hundred',
      path: () => '/api/v2/asset_file',
      call: (site) => ({
        json: Array.from({ length: 100 }, () => ({
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

  'GET /api/v2/datatable': lists('datatable'),
  'GET /api/v2/datatable/:id': [
    { what: 'many columns', path: one('datatable', ({ table }) => table.id) },
  ],
  'POST /api/v2/datatable': [
    ...(tables['POST /api/v2/datatable'] ?? []),
    {
      what: 'a schema that is wrong throughout',
      path: () => '/api/v2/datatable',
      call: (site) => ({
        json: {
          name: site.name(),
          parent_category_id: 12,
          table_schema: 'a QQ(1) ZZ,'.repeat(5_900),
        },
      }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
  ],
  'POST /api/v2/datatable/:id': [
    ...(tables['POST /api/v2/datatable/:id'] ?? []),
    {
      what: 'other columns throughout, told beforehand',
      path: ({ table }) => `/api/v2/datatable/${table.id}?dry_run=true`,
      call: ({ size }) => ({ json: { table_schema: schemaOf(size.columns, 'other') } }),
      maxBytes: PROBLEM_BYTES,
    },
    {
      what: 'other columns throughout, with entries',
      prepare: (site) => newTable(site, site.size.columns, 1_000),
      path: (_, { id }) => `/api/v2/datatable/${id}?confirm=drop`,
      call: ({ size }) => ({ json: { table_schema: schemaOf(size.columns, 'other') } }),
    },
    {
      what: 'longer columns',
      path: ({ table }) => `/api/v2/datatable/${table.id}?dry_run=true`,
      call: ({ size }) => ({
        json: {
          table_schema: Array.from(
            { length: size.columns },
            (_, index) => `${'c'.repeat(50)}${index} C(100) UNIQUE NOTNULL`,
          ).join(','),
        },
      }),
      maxBytes: PROBLEM_BYTES,
    },
  ],
  'DELETE /api/v2/datatable/:id': [
    {
      what: 'with entries',
      prepare: (site) => newTable(site, 50, 2_000),
      path: (_, { id }) => `/api/v2/datatable/${id}`,
    },
  ],
  'GET /api/v2/calendar': lists('calendar'),
  'GET /api/v2/calendar/:id': [
    { what: 'one', path: one('calendar', ({ calendar }) => calendar.id) },
  ],

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

  'GET /api/v2/audit': lists('audit')
    .filter(({ path }) => !/name/.test(path({} as Site, undefined)))
    .map((ask) => ({ ...ask, call: byAdmin })),
  'GET /api/v2/audit/:id': [{ what: 'one', path: () => '/api/v2/audit/5', call: byAdmin }],

  'GET /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)': [
    {
      what: 'many rules',
      path: ({ calendar }) => `${calendar.url}.ics`,
      maxBytes: LIMITS.maxCalendarBytes * 2,
      status: 0,
    },
  ],
  [`GET ${MODULE}`]: [
    { what: 'wide entries', path: ({ table }) => `${table.url}?length=1000`, maxBytes: LIST_BYTES },
    {
      what: 'wide entries, some fields',
      path: ({ table }) => `${table.url}?length=1000&fields=${'c'.repeat(50)}0`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a text in any of the columns',
      path: ({ table }) => `${table.url}?length=1000&table_filter=zzz&count=exact`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'sorted, filtered, counted',
      path: ({ table }) =>
        `${table.url}?length=1000&count=exact&orderStr=${'c'.repeat(50)}5&${queryOf({
          qry: { [`${'c'.repeat(50)}7`]: { $regex: '(x+x+)+y' } },
        })}`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'long defaults of a younger column',
      path: ({ filled }) => `${filled.url}?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'one field of them',
      path: ({ filled }) => `${filled.url}?length=1000&fields=b`,
      maxBytes: LIST_BYTES,
    },
    { what: 'long texts', path: ({ texts }) => `${texts.url}?length=1000`, maxBytes: LIST_BYTES },
    {
      what: 'long texts, none of which has it',
      path: ({ texts }) => `${texts.url}?length=1000&table_filter=aaab%20`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a regular expression over long texts',
      path: ({ texts }) =>
        `${texts.url}?length=1000&count=exact&${queryOf({ qry: { t: { $regex: '(a|aa)*c' } } })}`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a large regular expression over long texts',
      path: ({ texts }) =>
        `${texts.url}?length=1000&${queryOf({ qry: { t: { $regex: '(a?b?){300}(aab|ab){200}c' } } })}`,
      maxBytes: LIST_BYTES,
      status: 0,
    },
    {
      what: 'events of rules',
      path: ({ calendar }) => `${calendar.url}?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'events in a window',
      path: ({ calendar }) => `${calendar.url}?length=1000&from=2026-01-01&to=2030-12-31`,
      maxBytes: LIST_BYTES,
      status: 0,
    },
    {
      what: 'occurrences in a window',
      path: ({ calendar }) =>
        `${calendar.url}?length=1000&from=2026-01-01&to=2030-12-31&expand=true`,
      maxBytes: LIST_BYTES,
      status: 0,
    },
  ],
  [`POST ${MODULE}`]: [
    {
      what: 'as many as there can be',
      prepare: (site) => newTable(site, 256),
      path: (_, { url }) => url,
      call: () => ({ json: bulk(256) }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'as many unique numbers as there can be',
      prepare: async (site) => {
        const table_schema = 'a R AUTO, k0 C(20) UNIQUE, k1 C(20) UNIQUE'
        const json = { name: site.name(), parent_category_id: 12, table_schema }
        const { body } = await site.call('POST', '/api/v2/datatable', { json })
        return { url: body.module_url }
      },
      path: (_, { url }) => url,
      call: () => ({ json: bulk(2) }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'columns that are not there',
      path: ({ table }) => table.url,
      call: () => ({ json: bulk(250, 'ccccccccccccccccccccccccccccccccccccccccccccccx') }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
    {
      what: 'values that are too long',
      path: ({ table }) => table.url,
      call: () => ({ json: bulk(50, 'c'.repeat(50), 'x'.repeat(201)) }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
    {
      what: 'rules',
      path: ({ calendar }) => calendar.url,
      call: () => ({
        json: Array.from({ length: 1_000 }, () => ({
          event_title: 'x',
          start_time: '2026-01-01',
          rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000',
        })),
      }),
      maxBytes: LIST_BYTES,
      status: 0,
    },
  ],
  [`GET ${MODULE}/:entry_id`]: [
    { what: 'a long text', path: ({ texts }) => `${texts.url}/1?fields=*`, maxBytes: RECORD_BYTES },
  ],
  [`POST ${MODULE}/:entry_id`]: [
    {
      what: 'all columns',
      path: ({ table }) => `${table.url}/1`,
      call: (site) => ({ json: bulk(site.size.columns, 'c'.repeat(50), site.name())[0] }),
    },
    {
      what: 'the longest text',
      path: ({ texts }) => `${texts.url}/1`,
      call: (site) => ({ json: { t: `${site.name()} ${'x'.repeat(15 * MIB)}` } }),
      maxBytes: LIMITS.pageBytes + RECORD_BYTES,
    },
  ],
  [`DELETE ${MODULE}/:entry_id`]: [
    {
      what: 'all columns',
      prepare: async (site) => {
        const headers = { prefer: 'return=representation' }
        const { body } = await site.call('POST', site.table.url, {
          json: bulk(256, 'c'.repeat(50))[0],
          headers,
        })
        return Object.values<any>(body)[0]
      },
      path: ({ table }, entry) => `${table.url}/${entry.datatable_entry_id}`,
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
      maxBytes: Number.POSITIVE_INFINITY,
    },
  ],
  'GET /public/api/assets/:version/:name': [
    { what: 'what is not there', path: () => '/public/api/assets/1/x', status: 404 },
  ],
}
