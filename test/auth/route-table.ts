// The requirements of every route that needs a key. The tests of auth fail for a route that is missing here.

import { GRANTS, type Grant } from '../../lib/shared/grants.ts'
import { COMMENT_ROWS } from './comment-rows.ts'
import { SITE_ROWS } from './site-rows.ts'
import { trashRows } from './trash-rows.ts'
import { BATCH_AND_COPY_ROWS } from './batch-rows.ts'
import { calendarFile, vevent } from '../calendar/files.ts'
import { BYTES, metadataOf, TUS } from '../helpers/tus.ts'

export type Target =
  | 'folder'
  | 'file'
  | 'group'
  | 'datatable'
  | 'calendar'
  | 'user'
  | 'key'
  | 'audit'
  | 'webhook'
  | 'role'
  | 'comment'
  | 'trash'

export interface Row {
  readonly route: string
  /** The record of `:id`, `:number` and `:name`, or the module in the path. Each request gets a new record. */
  readonly target?: Target
  readonly json?: (place: Place) => object
  /** A body that is no JSON; headersOf has its type. */
  readonly body?: string
  readonly query?: string
  readonly headersOf?: (place: Place) => Readonly<Record<string, string>>
  /** Fields of a form in addition to the file. */
  readonly form?: (place: Place) => Readonly<Record<string, string>>
  /** Any one of these grants suffices. If empty, every valid key may call the route. */
  readonly needs: readonly Grant[]
  /** The route needs all grants of `needs` together. */
  readonly isForAll?: true
  /** Status of a key with the grant. */
  readonly ok: number
  /** Status of a key without the grant: 404 if the key must not learn that the record exists. */
  readonly denied?: 403 | 404
  /** Status of a key with all grants in another folder. Undefined if the route does not depend on folders. */
  readonly outside?: 200 | 404 | 422
}

export interface Place {
  readonly folderId: number
  readonly targetId: number
  /** A unique name. */
  readonly name: string
}

const MODULE = '/api/v2/module/:type/:module_id/:module_name'

const title = (): object => ({ title: 'changed' })
const inFolder = ({ name, folderId }: Place): object => ({ name, parent_category_id: folderId })

const LINKS_OF = { target: 'user', needs: ['admin'], denied: 404 } as const
const LINK = { target: 'file' } as const

function tusHeaders(values: Readonly<Record<string, string | number>>): Record<string, string> {
  return { ...TUS, 'upload-length': '1', 'upload-metadata': metadataOf(values) }
}

const OWN_ROWS: readonly Row[] = [
  ...objectRows('asset_category', 'folder', inFolder, title),
  { route: 'GET /api/v2/asset_category/counts', query: '?ids=1', needs: ['view'], ok: 200 },
  {
    route: 'GET /api/v2/asset_category/:id/former_name',
    target: 'folder',
    needs: ['view'],
    ok: 200,
    outside: 404,
  },
  // The folder has no former name, so nobody learns more than that.
  {
    route: 'DELETE /api/v2/asset_category/:id/former_name/:former_name',
    target: 'folder',
    needs: ['view', 'modify', 'publish'],
    isForAll: true,
    ok: 404,
    outside: 404,
  },
  ...objectRows('asset_file', 'file', (place) => ({ ...inFolder(place), type: 'html' }), title),
  {
    route: 'POST /api/v2/asset_file/bulk',
    json: (place) => [{ ...inFolder(place), type: 'html' }],
    needs: ['create', 'modify'],
    ok: 201,
    outside: 422,
  },
  ...objectRows('file_group', 'group', inFolder, title),
  ...objectRows(
    'datatable',
    'datatable',
    (place) => ({ ...inFolder(place), table_schema: 'title C(255)' }),
    () => ({ datatable_type: 'Form' }),
  ),
  ...objectRows('calendar', 'calendar', inFolder, () => ({ display_type: 'News' })),

  { route: 'GET /metrics', needs: ['admin'], ok: 200 },
  { route: `GET ${MODULE}`, target: 'datatable', needs: ['view'], ok: 200, outside: 404 },
  {
    route: `POST ${MODULE}`,
    target: 'datatable',
    json: title,
    needs: ['create', 'modify'],
    ok: 201,
    outside: 404,
  },
  {
    route: `POST ${MODULE}/bulk`,
    target: 'datatable',
    json: () => [title()],
    needs: ['create', 'modify'],
    ok: 201,
    outside: 404,
  },
  {
    route: `POST ${MODULE}/bulk_update`,
    target: 'datatable',
    json: () => ({ qry: { title: { $exists: true } }, values: title() }),
    needs: ['view', 'modify'],
    isForAll: true,
    ok: 200,
    outside: 404,
  },
  {
    route: `POST ${MODULE}/bulk_delete`,
    target: 'datatable',
    json: () => ({ qry: { title: { $exists: true } } }),
    needs: ['view', 'delete'],
    isForAll: true,
    ok: 200,
    outside: 404,
  },
  { route: `GET ${MODULE}/:entry_id`, target: 'datatable', needs: ['view'], ok: 200, outside: 404 },
  {
    route: `POST ${MODULE}/:entry_id`,
    target: 'datatable',
    json: title,
    needs: ['modify'],
    ok: 200,
    outside: 404,
  },
  {
    route: `GET ${MODULE}/:entry_id/history`,
    target: 'datatable',
    needs: ['view'],
    ok: 200,
    outside: 404,
  },
  {
    route: `POST ${MODULE}/:entry_id/history/:change/restore`,
    target: 'datatable',
    needs: ['view', 'modify'],
    isForAll: true,
    ok: 200,
    outside: 404,
  },
  {
    route: `DELETE ${MODULE}/:entry_id`,
    target: 'datatable',
    needs: ['delete'],
    ok: 204,
    outside: 404,
  },

  {
    route: 'GET /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)',
    target: 'calendar',
    needs: ['view'],
    ok: 200,
    outside: 404,
  },

  {
    route: 'POST /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)',
    target: 'calendar',
    body: calendarFile(vevent('UID:a', 'DTSTART:20260131T120000Z')),
    headersOf: () => ({ 'content-type': 'text/calendar' }),
    needs: ['modify', 'view'],
    isForAll: true,
    ok: 200,
    outside: 404,
  },

  { route: 'GET /api/v2/backup', needs: GRANTS, isForAll: true, ok: 200 },

  { route: 'GET /api/v2/user', needs: [], ok: 200 },
  { route: 'POST /api/v2/user', json: ({ name }) => ({ name }), needs: ['admin'], ok: 201 },
  { route: 'GET /api/v2/user/:id', target: 'user', needs: ['admin'], ok: 200, denied: 404 },
  {
    route: 'POST /api/v2/user/:id',
    target: 'user',
    json: () => ({ email: 'a@example.org' }),
    needs: ['admin'],
    ok: 200,
  },
  { route: 'DELETE /api/v2/user/:id', target: 'user', needs: ['admin'], ok: 204 },
  {
    route: 'POST /api/v2/user/:id/password',
    target: 'user',
    json: () => ({ password: 'correct horse battery' }),
    needs: ['admin'],
    ok: 204,
  },
  { route: 'POST /api/v2/user/:id/link', target: 'user', needs: ['admin'], ok: 201 },
  // The user has no link.
  { route: 'DELETE /api/v2/user/:id/link', target: 'user', needs: ['admin'], ok: 404 },
  { ...LINKS_OF, route: 'GET /api/v2/user/:id/shared_link', ok: 200 },
  { ...LINKS_OF, route: 'DELETE /api/v2/user/:id/shared_link', ok: 204 },
  {
    route: 'POST /api/v2/user/:id/second_factor/remove',
    target: 'user',
    needs: ['admin'],
    ok: 204,
  },

  { route: 'GET /api/v2/api_key', needs: [], ok: 200 },
  { route: 'POST /api/v2/api_key', json: ({ name }) => ({ name, grants: [] }), needs: [], ok: 201 },
  { route: 'GET /api/v2/api_key/:id', target: 'key', needs: [], ok: 200 },
  {
    route: 'POST /api/v2/api_key/:id',
    target: 'key',
    json: () => ({ status: 'inactive' }),
    needs: [],
    ok: 200,
  },
  { route: 'DELETE /api/v2/api_key/:id', target: 'key', needs: [], ok: 204 },
  { route: 'POST /api/v2/api_key/:id/rotate', target: 'key', needs: [], ok: 200 },

  { route: 'GET /api/v2/me', needs: [], ok: 200 },
  { route: 'GET /api/v2/me/people', needs: ['admin'], ok: 200 },
  { route: 'GET /api/v2/access', needs: [], ok: 400 },
  {
    route: 'POST /api/v2/stml/check',
    json: () => ({ pageContent: '<div id="dd.0">' }),
    needs: [],
    ok: 200,
  },
  { route: 'POST /api/v2/ticket', json: () => ({ path: '/file/1/a.html' }), needs: [], ok: 201 },
  // The server has no site.
  {
    route: 'POST /api/v2/preview',
    json: () => ({}),
    needs: ['stage', 'modify', 'publish'],
    ok: 404,
    denied: 403,
  },
  // Only people may call these routes, whatever the key.
  {
    route: 'POST /api/v2/me/password',
    json: () => ({ new_password: 'correct horse battery' }),
    needs: [],
    ok: 403,
  },
  ...['second_factor', 'second_factor/confirm', 'second_factor/remove', 'recovery_codes'].map(
    (path): Row => ({
      route: `POST /api/v2/me/${path}`,
      json: () => (path.endsWith('confirm') ? { code: '123456' } : { password: 'any' }),
      needs: [],
      ok: 403,
    }),
  ),
  // A key of the table holds less than its user.
  { route: 'GET /api/v2/me/views', needs: [], ok: 403 },
  { route: 'POST /api/v2/me/views', json: () => ({ views: [] }), needs: [], ok: 403 },
  { route: 'GET /api/v2/change', needs: ['view'], ok: 200 },
  // The invalid `since` makes the route refuse the request. An accepted stream would never end.
  { route: 'GET /api/v2/change/stream', query: '?since=nowhere', needs: ['view'], ok: 400 },
  ...SITE_ROWS,
  ...COMMENT_ROWS,
  ...trashRows(),
  { route: 'GET /api/v2/audit', needs: ['admin'], ok: 200 },
  { route: 'GET /api/v2/audit/:id', target: 'audit', needs: ['admin'], ok: 200 },

  ...fileRow('POST', '', ['publish'], () => ({ fileState: 'publish' })),
  ...fileRow('POST', '', ['stage'], () => ({ fileState: 'stage' })),
  ...BATCH_AND_COPY_ROWS,
  ...fileRow('GET', '/publish', ['publish']),
  ...fileRow('POST', '/publish', ['publish']),
  ...fileRow('POST', '/unpublish', ['publish']),
  ...fileRow('POST', '/unstage', ['stage']),
  ...fileRow('GET', '/stage', ['stage']),
  ...fileRow('POST', '/stage', ['stage']),
  ...fileRow('GET', '/versions', ['view']),
  ...fileRow('GET', '/used_on', ['view']),
  ...fileRow('GET', '/versions/:version', ['view']),
  ...fileRow('GET', '/versions/:version/content', ['modify']),
  ...fileRow('GET', '/versions/:version/diff/:other', ['modify']),
  ...fileRow('POST', '/versions/:version/restore', ['modify']),
  ...fileRow('GET', '/link', ['view', 'modify', 'stage', 'publish']),
  { ...LINK, route: 'POST /api/v2/asset_file/:id/link', needs: ['view'], ok: 201, outside: 404 },
  // The file has no link, so nobody learns more than that.
  { ...LINK, route: 'DELETE /api/v2/asset_file/:id/link/:link', needs: [], ok: 404 },

  {
    route: 'POST /upload',
    form: ({ folderId }) => ({ asset_category_id: String(folderId) }),
    needs: ['create', 'modify'],
    ok: 201,
    outside: 422,
  },
  {
    route: 'POST /upload',
    target: 'file',
    form: ({ targetId }) => ({ asset_file_id: String(targetId) }),
    needs: ['modify'],
    ok: 200,
    outside: 404,
  },
  {
    route: 'POST /api/v2/uploads',
    headersOf: ({ folderId, name }) => tusHeaders({ asset_category_id: folderId, name }),
    needs: ['create', 'modify'],
    ok: 201,
    outside: 422,
  },
  {
    route: 'POST /api/v2/uploads',
    target: 'file',
    headersOf: ({ targetId }) => tusHeaders({ asset_file_id: targetId }),
    needs: ['modify'],
    ok: 201,
    outside: 404,
  },
  // There is no such upload.
  { route: 'GET /api/v2/uploads/:upload', needs: [], ok: 404 },
  {
    route: 'PATCH /api/v2/uploads/:upload',
    headersOf: () => ({ ...BYTES, 'upload-offset': '0' }),
    needs: ['create', 'modify'],
    ok: 404,
  },
  { route: 'DELETE /api/v2/uploads/:upload', headersOf: () => TUS, needs: [], ok: 404 },
  { route: 'GET /file/:number/:name', target: 'file', needs: ['view'], ok: 200, outside: 404 },
]

/** PATCH works on every route whose POST changes some fields. */
const WITH_PATCH: readonly Row[] = OWN_ROWS.flatMap((row) =>
  /^POST .*\/:(id|entry_id)$/.test(row.route)
    ? [row, { ...row, route: row.route.replace('POST', 'PATCH') }]
    : [row],
)

const OBJECTS = /^GET (\/api\/v2\/\w+)\/:id$/
const LISTS = new Set([...OWN_ROWS.flatMap(({ route }) => OBJECTS.exec(route)?.[1] ?? []), MODULE])

/** POST …/search requires the same grants as the list. */
export const ROWS: readonly Row[] = WITH_PATCH.flatMap((row) => {
  const [, path = ''] = /^GET (\S+)$/.exec(row.route) ?? []
  return LISTS.has(path) ? [row, { ...row, route: `POST ${path}/search`, json: () => ({}) }] : [row]
})

/** Routes that need no key, as the interface promises. */
export const OPEN =
  /^(GET \/(|admin(\/.*)?|docs|public|link\/.*|health|ready|problems(\/.*)?|public\/.*)|(GET|POST|DELETE) \/api\/v2\/session(\/\w+)*)$/

function objectRows(
  object: string,
  target: Target,
  create: (place: Place) => object,
  update: () => object,
): readonly Row[] {
  const list = `/api/v2/${object}`
  return [
    { route: `GET ${list}`, needs: ['view'], ok: 200, outside: 200 },
    { route: `POST ${list}`, json: create, needs: ['create', 'modify'], ok: 201, outside: 422 },
    { route: `GET ${list}/:id`, target, needs: ['view'], ok: 200, outside: 404 },
    { route: `POST ${list}/:id`, target, json: update, needs: ['modify'], ok: 200, outside: 404 },
    { route: `DELETE ${list}/:id`, target, needs: ['delete'], ok: 204, outside: 404 },
  ]
}

function fileRow(
  method: string,
  action: string,
  needs: readonly Grant[],
  json?: () => object,
): readonly Row[] {
  const route = `${method} /api/v2/asset_file/:id${action}`
  return [{ route, target: 'file', needs, ok: 200, outside: 404, ...(json && { json }) }]
}
