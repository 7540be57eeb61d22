// A program that knows only the documents of the server calls every documented operation.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allRoutes } from '../../lib/api/routes.ts'
import { openRequests, rowOf } from '../auth/requests.ts'
import { BACKUP_STATUS } from '../helpers/engine.ts'
import { ROUTE_OPTIONS } from '../helpers/route-options.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { type Bridge, openBridge } from './bridge.ts'
import { operationName } from './document.ts'

const TABLE = {
  name: 'Products',
  table_schema: 'title C(40) NOTNULL, count I NOTNULL, hot L, price N(8.2), big I8, day D NOTNULL',
}

let server: TestServer
let system: Bridge
let modules: Bridge
const called = new Set<string>()

before(async () => {
  server = await startTestServer()
  for (const [object, json] of [
    ['datatable', TABLE],
    ['calendar', { name: 'Events' }],
  ] as const)
    assert.equal((await server.call('POST', `/api/v2/${object}`, { json })).status, 201)
  const open = (name: string): Promise<Bridge> =>
    openBridge(`${server.url}/public/api/${name}/swagger.json`, server.key)
  system = await open('system')
  modules = await open('module')
})
after(() => server.close())

type Step = readonly [status: number, name: string, args?: Readonly<Record<string, unknown>>]

async function play(bridge: Bridge, steps: readonly Step[]): Promise<any> {
  let last: any
  for (const [status, name, args] of steps) {
    const answer = await bridge.call(name, args)
    assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`)
    called.add(name)
    last = answer.body
  }
  return last
}

test('folders, files and their actions', async () => {
  const folder = await play(system, [[201, 'create_asset_category', { name: 'Bridge' }]])
  const id = folder.asset_category_id
  const page = { name: 'a.html', type: 'html', parent_category_id: id, pageContent: '<p>a</p>' }
  const file = await play(system, [[201, 'create_asset_file', page]])
  const found = await play(system, [
    [200, 'read_asset_category', { id }],
    [200, 'update_asset_category', { id, title: 'B' }],
    [200, 'patch_asset_category', { id, title: 'B' }],
    [200, 'search_asset_category_by_post', { length: 5 }],
    [200, 'search_asset_category', { qry: '{"name":{"$startsWith":"Br"}}', length: 5 }],
  ])
  assert.equal(found.asset_category[0].title, 'B')

  await play(system, [
    [200, 'list_former_names', { id, length: 5 }],
    [404, 'delete_former_name', { id, former_name: 'a.html' }],
  ])

  const of = { id: file.asset_file_id }
  const version = { ...of, version: 1 }
  const live = await play(system, [
    [200, 'read_asset_file', { ...of, fields: 'name' }],
    [200, 'update_asset_file', { ...of, pageContent: '<p>b</p>' }],
    [200, 'patch_asset_file', { ...of, title: 'B' }],
    [200, 'stage_asset_file', of],
    [200, 'stage_asset_file_by_post', of],
    [200, 'publish_asset_file', of],
    [200, 'publish_asset_file_by_post', version],
    [200, 'unpublish_asset_file', of],
    [200, 'unstage_asset_file', of],
    [201, 'copy_asset_file', { ...of, parent_category_id: 1, name: 'copy.html' }],
    [201, 'copy_asset_category', { id, name: 'copied' }],
    [200, 'publish_asset_category', { id, dry_run: true }],
    [409, 'stage_asset_category', { id, expect: 99 }],
    [200, 'unpublish_asset_category', { id, dry_run: true }],
    [
      200,
      'batch',
      { mode: 'all', operations: [{ op: 'publish', asset_file_id: file.asset_file_id }] },
    ],
    [200, 'list_asset_file_versions', of],
    [200, 'list_asset_file_uses', of],
    [404, 'list_file_group_uses', { id: 99 }],
    [200, 'read_asset_file_version', version],
    [200, 'read_asset_file_version_content', version],
    [200, 'diff_asset_file_versions', { ...version, other: 2 }],
    [200, 'restore_asset_file_version', version],
    [200, 'publish_asset_file', of],
    [201, 'make_asset_file_link', { ...of, expires_in: '2h' }],
    [200, 'list_asset_file_links', of],
    [404, 'read_link', { token: 'wrong', name: 'a.html' }],
    [204, 'revoke_asset_file_link', { ...of, link: 1 }],
    [201, 'create_comment', { target: `asset_file/${of.id}`, text: 'Why?' }],
    [200, 'read_comment', { id: 1 }],
    [200, 'search_comment', { qry: '{"resolved":false}' }],
    [200, 'search_comment_by_post', { length: 1 }],
    [200, 'update_comment', { id: 1, text: 'Who?' }],
    [200, 'patch_comment', { id: 1, resolved: true }],
    [204, 'delete_comment', { id: 1 }],
    [200, 'search_asset_file_by_post', { qry: { parent_category_id: id } }],
    [200, 'search_asset_file', { qry: `{"parent_category_id":${id}}`, orderStr: 'name' }],
    [200, 'download_file', { number: id, name: 'a.html' }],
  ])
  assert.equal(live, '<p>a</p>')
  const uploaded = await play(system, [
    [201, 'upload_file', { Filedata: new Blob(['b']), name: 'b.bin', asset_category_id: id }],
  ])
  await play(system, [
    [204, 'delete_asset_file', { id: uploaded.asset_file_id }],
    [204, 'delete_asset_file', of],
    [404, 'read_asset_file', of],
    [204, 'delete_asset_category', { id }],
  ])
})

test('every other object can be created, searched, read, changed and deleted', async () => {
  for (const [name, fields, change] of [
    ['file_group', { name: 'Bridge' }, { title: 'B' }],
    ['datatable', { name: 'Bridge', table_schema: 'a C(5)' }, { title: 'B', dry_run: false }],
    ['calendar', { name: 'Bridge' }, { time_zone: 'Europe/Berlin' }],
    ['user', { name: 'bridge', role: 'viewer' }, { email: 'b@example.org' }],
    ['api_key', { name: 'bridge', grants: ['view'] }, { status: 'inactive' }],
    ['role', { name: 'bridge', grants: ['view'] }, { grants: [] }],
    [
      'webhook',
      { name: 'bridge', url: 'https://a.invalid', status: 'paused' },
      { objects: ['user'] },
    ],
  ] as const) {
    const record = await play(system, [[201, `create_${name}`, fields]])
    const id = record[`${name}_id`]
    const found = await play(system, [
      [200, `read_${name}`, { id }],
      [200, `update_${name}`, { id, ...change }],
      [200, `patch_${name}`, { id, ...change }],
      ...(name === 'api_key' ? [[200, 'rotate_api_key', { id, keep_old: '1h' }] as const] : []),
      [200, `search_${name}_by_post`, { qry: { name: fields.name }, length: 5 }],
      [200, `search_${name}`, { qry: `{"name":"${fields.name}"}`, count: 'exact' }],
    ])
    assert.equal(found.page.total, 1)
    await play(system, [[204, `delete_${name}`, { id }]])
  }
})

test('actions of webhooks', async () => {
  const hook = { name: 'bridge', url: 'https://a.invalid', status: 'paused' }
  const { webhook_id: id } = await play(system, [[201, 'create_webhook', hook]])
  const list = await play(system, [
    [200, 'rotate_webhook', { id, keep_old: '1h' }],
    [200, 'replay_webhook', { id, since: 0 }],
    [200, 'pause_webhook', { id }],
    [200, 'test_webhook', { id }],
    [200, 'resume_webhook', { id }],
    [200, 'pause_webhook', { id }],
    [200, 'list_webhook_deliveries', { id, length: 5 }],
  ])
  assert.ok(Array.isArray(list.webhook_delivery))
  await play(system, [[204, 'delete_webhook', { id }]])
})

test('sessions and passwords for a client without cookies', async () => {
  const password = 'correct horse battery'
  const { user_id: id } = await play(system, [[201, 'create_user', { name: 'grace' }]])
  const answer = await play(system, [
    [204, 'set_password', { id, password }],
    [201, 'make_user_link', { id }],
    [200, 'list_shared_links', { id, kind: 'user_link' }],
    [204, 'revoke_user_link', { id }],
    [204, 'revoke_shared_links', { id }],
    [401, 'check_link', { token: 'none' }],
    [401, 'sign_in_with_link', { token: 'none', password }],
    [201, 'sign_in', { name: 'grace', password }],
  ])
  assert.equal(answer.user.name, 'grace')
  await play(system, [
    [401, 'renew_session'],
    [403, 'change_password', { new_password: password }],
    [204, 'sign_out', { everywhere: true }],
    [204, 'delete_user', { id }],
  ])
})

test('routes for people, called by a client with a key', async () => {
  const password = 'correct horse battery'
  const { user_id: id } = await play(system, [[201, 'create_user', { name: 'hedy' }]])
  await play(system, [
    [200, 'read_ways_in'],
    [404, 'begin_oidc'],
    [404, 'finish_oidc'],
    [403, 'begin_second_factor', { password }],
    [403, 'confirm_second_factor', { code: '123456' }],
    [403, 'remove_own_second_factor', { password, code: '123456' }],
    [403, 'renew_recovery_codes', { password, code: '123456' }],
    [204, 'remove_second_factor', { id }],
    [204, 'delete_user', { id }],
  ])
})

test('the remaining routes', async () => {
  await play(system, [
    [201, 'make_ticket', { path: '/file/1/a.html' }],
    // The server has no site.
    [404, 'make_preview', {}],
    [200, 'check_stml', { pageContent: '<p>' }],
    [200, 'check_links', { pageContent: '<a href="b">', type: 'html', parent_category_id: 1 }],
    [200, 'check_file_links', { asset_file_ids: [1] }],
    // Their headers are not arguments of the bridge.
    [412, 'begin_resumable_upload', {}],
    [404, 'read_resumable_upload', { upload: 'a' }],
    [412, 'append_resumable_upload', { upload: 'a' }],
    [412, 'end_resumable_upload', { upload: 'a' }],
    [200, 'search_audit', { length: 1 }],
    [200, 'search_audit_by_post', { length: 1 }],
    [200, 'read_audit', { id: 1 }],
    [200, 'follow_changes', { length: 1 }],
    // The position belongs to another log, so the stream reports this and ends.
    [200, 'stream_changes', { since: '999999' }],
    [BACKUP_STATUS, 'read_backup'],
    [200, 'read_problem', { code: 'not-found' }],
    [200, 'list_my_people'],
    [200, 'read_saved_views'],
    [200, 'replace_saved_views', { views: [] }],
    [200, 'read_access', { api_key_id: 1, object: 'user', id: 1, action: 'read' }],
  ])
  const page = await play(system, [[200, 'show_system_api']])
  const [, version, name] = /assets\/([^/"]+)\/([^"]+\.js)/.exec(page) ?? []
  await play(system, [[200, 'read_document_asset', { version, name }]])
  const area = await play(system, [[200, 'show_admin']])
  const [, program] = /assets\/(main-[^"]+)/.exec(area) ?? []
  await play(system, [
    [200, 'show_admin_page', { rest: 'keys' }],
    [200, 'show_admin_preview'],
    [200, 'read_admin_asset', { name: program }],
  ])
})

test('entries of a datatable and of a calendar', async () => {
  const values = { title: 'A', count: 7, hot: true, price: '12.50', big: '9007199254740993' }
  const event = { event_title: 'Talk', start_time: '2026-03-02T09:00:00Z', rrule: 'FREQ=DAILY' }
  const window = { from: '2026-03-01', to: '2026-03-04', expand: true }
  const table = 'datatable_1_products'
  await play(modules, [
    [201, `create_${table}`, { ...values, day: '2026-01-31' }],
    [201, 'create_calendar_1_events', event],
    [200, 'search_calendar_1_events', window],
    [200, 'search_calendar_1_events_by_post', window],
    [200, `search_${table}`, { length: 1 }],
    [200, 'read_feed_of_calendar_1_events'],
  ])
  for (const [name, change, qry] of [
    [table, { count: 8, hot: false }, { title: 'A', price: { $gt: 12 } }],
    ['calendar_1_events', { all_day: false, location: 'Here' }, { event_title: '/talk/i' }],
  ] as const) {
    const page = await play(modules, [[200, `search_${name}_by_post`, { qry }]])
    const [entry] = Object.values<any>(page)[0]
    const id = { entry_id: entry.datatable_entry_id ?? entry.calendar_entry_id }
    const changed = await play(modules, [
      [200, `update_${name}`, { ...id, ...change }],
      [200, `patch_${name}`, { ...id, ...change }],
      [200, `list_history_of_${name}`, id],
      [200, `restore_${name}`, { ...id, change: 2 }],
      [200, `read_${name}`, { ...id, fields: '*' }],
    ])
    for (const [field, value] of Object.entries(change)) assert.equal(changed[field], value)
    const selection = { qry: { owner: entry.owner }, dry_run: true }
    await play(modules, [
      [200, `bulk_update_${name}`, { ...selection, values: change }],
      [200, `bulk_delete_${name}`, selection],
      [204, `delete_${name}`, id],
    ])
  }
})

test('an item of the trash is listed and restored', async () => {
  const { asset_category_id: id } = await play(system, [
    [201, 'create_asset_category', { name: 'Bridge trash' }],
    [201, 'create_asset_category', { name: 'Bridge trash 2' }],
  ])
  await play(system, [[204, 'delete_asset_category', { id }]])
  const qry = { object: 'asset_category', object_id: id }
  const found = await play(system, [
    [200, 'search_trash', { length: 1 }],
    [200, 'search_trash_by_post', { qry }],
  ])
  const item = { id: found.trash[0].trash_id }
  await play(system, [
    [200, 'read_trash', item],
    [200, 'restore_trash', { ...item, name: 'Bridge restored' }],
    [404, 'delete_trash', item],
    [200, 'bulk_delete_trash', { dry_run: true }],
  ])
})

test('every other route, by its row in the table of routes', async () => {
  const requests = openRequests(server)
  for (const name of system.functions.filter((each) => !called.has(each))) {
    const { operation, toArguments } = system.describe(name)
    const route = allRoutes(ROUTE_OPTIONS).find((each) => operationName(each) === operation)
    const row = route && rowOf(`${route.method} ${route.path}`)
    if (row === undefined) continue
    const { values, place } = await requests.fill(row, { folderId: 1 })
    const query = Object.fromEntries(new URLSearchParams(row.query))
    const texts = toArguments({ ...values, ...query })
    await play(system, [[row.ok, name, { ...texts, ...row.json?.(place) }]])
  }
})

test('the scenarios call every function of the bridge', () => {
  const all = [...system.functions, ...modules.functions]
  assert.deepEqual(
    all.filter((name) => !called.has(name)),
    [],
  )
  assert.deepEqual(
    [...system.lists, ...modules.lists],
    [
      'bulk_create_asset_file',
      'bulk_create_datatable_1_products',
      'bulk_create_calendar_1_events',
      'import_file_into_calendar_1_events',
    ],
  )
})

test('read functions come before functions with similar names', () => {
  const order = (names: readonly string[], list: readonly string[]) =>
    list.filter((name) => names.includes(name))
  const ofFile = ['list_asset_file_versions', 'read_asset_file_version', 'publish_asset_file']
  assert.deepEqual(order(ofFile, system.functions), ofFile)
  const ofCalendar = ['search_calendar_1_events', 'read_feed_of_calendar_1_events']
  assert.deepEqual(order(ofCalendar, modules.functions), ofCalendar)
})
