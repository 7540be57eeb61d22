// One change through every route that changes something, in a working order. Every text in a request is
// CANARY, so that a search finds any stored copy.

import type { Route } from '../../../lib/api/request/route.ts'
import type { Call } from '../../helpers/server.ts'

export const CANARY = 'canary-4f1d9b'
export const CANARY_NUMBER = 918_273_645

/** The expected audit row of a change, except its author. */
export interface Told {
  readonly action: string
  readonly object: string
  readonly count?: number
  /** The name under which an earlier step created the record; otherwise the record that this step creates. */
  readonly of?: string
  readonly module_id?: number
  readonly version?: number
  readonly fileState?: string
  readonly changed_fields?: readonly string[]
}

export interface Step {
  readonly route: string
  /** Parameters of the path other than the identifier of the record `told.of`. `:name` names an earlier record. */
  readonly path?: Readonly<Record<string, string>>
  readonly call?: Call
  readonly form?: Readonly<Record<string, string>>
  /** The name by which later steps refer to the created record. */
  readonly as?: string
  /** The changed thing has no ETag. */
  readonly hasNoEtag?: true
  readonly told: Told
}

const COLUMNS = {
  datatable: "title C(99) DEFAULT 'canary-4f1d9b', stock I",
  calendar: 'speaker C(99)',
} as const

const ENTRIES = {
  datatable: [
    { title: CANARY, stock: CANARY_NUMBER },
    { stock: CANARY_NUMBER + 1 },
    ['stock'] as readonly string[],
  ],
  calendar: [
    { event_title: CANARY, start_time: '2031-07-09T13:37:42Z', speaker: CANARY },
    { event_title: `${CANARY}-2`, location: CANARY },
    ['event_title', 'location'] as readonly string[],
  ],
} as const

export const CHANGES: readonly Step[] = [
  ...pattern('asset_category', { name: CANARY, title: CANARY, description: CANARY }, ['title']),
  ...pattern('file_group', { name: CANARY, title: CANARY, asset_file_ids: [] }, ['title']),
  ...pattern('user', { name: CANARY, role: 'editor', email: CANARY }, ['email']),
  {
    route: 'POST /api/v2/user/:id/link',
    hasNoEtag: true,
    told: { action: 'update', object: 'user', of: 'user', changed_fields: ['date_link_expires'] },
  },
  {
    route: 'DELETE /api/v2/user/:id/link',
    hasNoEtag: true,
    told: { action: 'update', object: 'user', of: 'user', changed_fields: ['date_link_expires'] },
  },
  ...pattern('api_key', { name: CANARY, grants: ['view'] }, ['name']),
  {
    route: 'POST /api/v2/api_key/:id/rotate',
    call: { json: { keep_old: '2d' } },
    told: { action: 'rotate', object: 'api_key', of: 'api_key', changed_fields: ['hint'] },
  },
  ...pattern('role', { name: CANARY, description: CANARY, grants: ['view'] }, ['description']),
  ...pattern('webhook', { name: CANARY, url: `https://${CANARY}.invalid`, status: 'paused' }, [
    'name',
  ]),
  ...['resume', 'replay', 'pause'].map((name): Step => {
    const changed_fields = name === 'replay' ? [] : ['status']
    return {
      route: `POST /api/v2/webhook/:id/${name}`,
      call: { json: name === 'replay' ? { since: 0 } : {} },
      told: { action: 'update', object: 'webhook', of: 'webhook', changed_fields },
    }
  }),
  {
    route: 'POST /api/v2/webhook/:id/rotate',
    told: { action: 'rotate', object: 'webhook', of: 'webhook', changed_fields: [] },
  },
  ...files(),
  ...modules(),
  ...[
    'asset_category',
    'file_group',
    'api_key',
    'webhook',
    'role',
    'user',
    'asset_file',
    'datatable',
    'calendar',
  ].map(
    (object): Step => ({
      route: `DELETE /api/v2/${object}/:id`,
      told: { action: 'delete', object, of: object },
    }),
  ),
]

/** Tests of these routes check their rows: test/api/trash/expiry, test/api/comments, test/api/files/{batch,copies,publish-folder,resumable-uploads}. */
const ELSEWHERE =
  /^\/api\/v2\/(trash|uploads|batch|comment)\b|\/shared_link$|\/copy$|\/asset_category\/:id\/(un)?(publish|stage)$/

/** The routes that need a step in CHANGES. Sessions and passwords: test/api/people/sessions.test.ts, passwords.test.ts. */
export function changingRoutes(routes: readonly Route[]): readonly string[] {
  return routes
    .filter(
      ({ action, access, recall, path }) =>
        action !== undefined && access !== 'open' && recall !== 'same' && !ELSEWHERE.test(path),
    )
    .map(({ method, path }) => `${method} ${path}`)
}

function pattern(object: string, json: object, changed: readonly string[]): readonly Step[] {
  const changeTo = (value: string) => Object.fromEntries(changed.map((name) => [name, value]))
  return [
    {
      route: `POST /api/v2/${object}`,
      call: { json },
      as: object,
      told: { action: 'create', object },
    },
    {
      route: `POST /api/v2/${object}/:id`,
      call: { json: changeTo(`${CANARY}-2`) },
      told: { action: 'update', object, of: object, changed_fields: changed },
    },
    {
      route: `PATCH /api/v2/${object}/:id`,
      call: { json: changeTo(`${CANARY}-5`) },
      told: { action: 'update', object, of: object, changed_fields: changed },
    },
  ]
}

function files(): readonly Step[] {
  const page = { name: `${CANARY}.html`, type: 'html', parent_category_id: 1, pageContent: CANARY }
  const [create, update, patch] = pattern('asset_file', page, ['title'])
  if (create === undefined || update === undefined || patch === undefined) return []
  const file = { object: 'asset_file', of: 'asset_file' }
  const act = (method: string, name: string, told: Partial<Told>): Step => ({
    route: `${method} /api/v2/asset_file/:id/${name}`,
    told: { action: name, ...file, ...told },
  })
  const both = { version: 2, fileState: 'publish' }
  const pointers = ['fileState', 'live_version', 'staged_version', 'was_published']
  const published = [...pointers, 'date_published', 'date_staged']
  const live = ['fileState', 'live_version', 'date_published']
  return [
    { ...create, told: { ...create.told, version: 1 } },
    { ...update, told: { ...update.told, version: 2, changed_fields: ['title', 'version'] } },
    act('POST', 'publish', { ...both, changed_fields: published }),
    act('POST', 'unpublish', { version: 2, fileState: 'stage', changed_fields: live }),
    act('GET', 'publish', { ...both, changed_fields: live }),
    act('POST', 'stage', { version: 2, fileState: 'stage', changed_fields: ['fileState'] }),
    {
      route: 'POST /api/v2/asset_file/:id/versions/:version/restore',
      path: { version: '1' },
      told: { action: 'restore', ...file, version: 3, changed_fields: ['title', 'version'] },
    },
    {
      route: 'POST /api/v2/asset_file/:id/link',
      path: { id: ':asset_file' },
      call: { json: { note: CANARY } },
      as: 'asset_file_link',
      told: { action: 'create', object: 'asset_file_link' },
    },
    {
      route: 'DELETE /api/v2/asset_file/:id/link/:link',
      path: { id: ':asset_file', link: ':asset_file_link' },
      told: { action: 'delete', object: 'asset_file_link', of: 'asset_file_link' },
    },
    act('GET', 'stage', {
      version: 3,
      fileState: 'stage',
      changed_fields: ['staged_version', 'date_staged'],
    }),
    act('POST', 'unstage', {
      version: 2,
      fileState: 'publish',
      changed_fields: ['fileState', 'staged_version', 'date_staged'],
    }),
    {
      route: 'POST /upload',
      form: { asset_file_id: ':asset_file', fileState: 'publish' },
      told: {
        action: 'upload',
        ...file,
        version: 4,
        fileState: 'publish',
        changed_fields: [
          'version',
          'live_version',
          'staged_version',
          'size',
          'sha256',
          'date_published',
          'date_staged',
        ],
      },
    },
    { ...patch, told: { ...patch.told, version: 5, changed_fields: ['title', 'version'] } },
    {
      route: 'POST /api/v2/asset_file/:id',
      call: { json: { name: `${CANARY}-6.html`, fileState: 'publish' } },
      told: {
        action: 'update',
        ...file,
        version: 6,
        fileState: 'publish',
        changed_fields: [
          'name',
          'version',
          'live_version',
          'staged_version',
          'date_published',
          'date_staged',
          'url',
        ],
      },
    },
    {
      route: 'DELETE /api/v2/asset_category/:id/former_name/:former_name',
      path: { former_name: `${CANARY}.html` },
      hasNoEtag: true,
      told: {
        action: 'update',
        object: 'asset_category',
        of: 'root_category',
        changed_fields: [],
      },
    },
    {
      route: 'POST /upload',
      form: { asset_category_id: '1', name: `${CANARY}-3`, title: CANARY },
      told: { action: 'upload', object: 'asset_file', version: 1 },
    },
    {
      route: 'POST /api/v2/asset_file/bulk',
      call: { json: ['4', '5'].map((end) => ({ ...page, name: `${CANARY}-${end}` })) },
      told: { action: 'create', object: 'asset_file', count: 2, version: 1 },
    },
  ]
}

function modules(): readonly Step[] {
  return (['datatable', 'calendar'] as const).flatMap((kind) => {
    const object = `${kind}_entry`
    const path = { type: kind, module_id: '1', module_name: CANARY, entry_id: '1', change: '2' }
    const [json, change, changed] = ENTRIES[kind]
    const entry = { object, of: object, module_id: 1 }
    const url = '/api/v2/module/:type/:module_id/:module_name'
    const headers = { prefer: 'return=representation' }
    return [
      ...pattern(kind, { name: CANARY, table_schema: COLUMNS[kind], description: CANARY }, [
        'description',
      ]),
      {
        route: `POST ${url}`,
        path,
        call: { json, headers },
        as: object,
        told: { action: 'create', object, module_id: 1 },
      },
      {
        route: `POST ${url}`,
        path,
        call: { json: [json, json, json], headers },
        told: { action: 'create', object, count: 3, module_id: 1 },
      },
      {
        route: `POST ${url}/bulk`,
        path,
        call: { json: [json, json], headers },
        told: { action: 'create', object, count: 2, module_id: 1 },
      },
      {
        route: `POST ${url}/:entry_id`,
        path,
        call: { json: change },
        told: { action: 'update', ...entry, changed_fields: changed },
      },
      {
        route: `PATCH ${url}/:entry_id`,
        path,
        call: { json },
        told: { action: 'update', ...entry, changed_fields: changed.slice(0, 1) },
      },
      {
        route: `POST ${url}/:entry_id/history/:change/restore`,
        path,
        told: { action: 'update', ...entry, changed_fields: changed.slice(0, 1) },
      },
      {
        route: `POST ${url}/bulk_update`,
        path,
        hasNoEtag: true,
        call: { json: { qry: { [`${object}.${object}_id`]: 1 }, values: json } },
        told: { action: 'update', ...entry, changed_fields: changed.slice(0, 1) },
      },
      {
        route: `POST ${url}`,
        path,
        call: { json, headers },
        as: `${object} to delete`,
        told: { action: 'create', object, module_id: 1 },
      },
      {
        route: `POST ${url}/bulk_delete`,
        path,
        hasNoEtag: true,
        call: { json: { qry: { [`${object}.${object}_id`]: 7 } } },
        told: { action: 'delete', object, of: `${object} to delete`, module_id: 1 },
      },
      { route: `DELETE ${url}/:entry_id`, path, told: { action: 'delete', ...entry } },
    ]
  })
}
