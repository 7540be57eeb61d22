// Requests that use every documented endpoint at least once, with realistic contents.

import { sendChecks } from './check-traffic.ts'
import { sendComments } from './comment-traffic.ts'
import { sendTrash } from './trash-traffic.ts'
import assert from 'node:assert/strict'
import { BACKUP_STATUS } from '../helpers/engine.ts'
import type { Answer, Call } from '../helpers/server.ts'
import { codeAt } from '../helpers/second-factors.ts'
import { cookieOf } from '../helpers/sessions.ts'
import { type Expect, sendBulkTraffic, sendCalendarFile, sendUpserts } from './bulk-traffic.ts'
import { sendResumable, sendUpload } from './upload-traffic.ts'
import { RICH_COLUMNS, RICH_VALUES } from './rich-columns.ts'

export type Send = (method: string, path: string, call?: Call) => Promise<Answer>

/** The create body and the update body of each object. */
const CREATED = {
  asset_category: [{ name: 'Press' }, { title: 'Press releases', description: null }],
  file_group: [{ name: 'Downloads', asset_file_ids: [] }, { title: 'All' }],
  user: [
    { name: 'ada', role: 'editor' },
    { email: 'ada@example.org', category_roles: [] },
  ],
  role: [{ name: 'translator', grants: ['view'] }, { grants: ['view', 'modify'] }],
  webhook: [
    { name: 'index', url: 'https://a.invalid', status: 'paused' },
    { objects: ['user'], asset_category_id: null },
  ],
  api_key: [{ name: 'site', grants: ['view'], date_expires: '2099-01-01' }, { status: 'inactive' }],
} as const

/** `token` comes from the link of the first start. */
export async function sendTraffic(send: Send, token: string): Promise<void> {
  const expect = expecting(send)
  for (const [name, [json, change]] of Object.entries(CREATED)) {
    const path = `/api/v2/${name}`
    const { [`${name}_id`]: id } = await expect(201, 'POST', path, { json })
    await expect(200, 'GET', `${path}?length=1&orderStr=name&orderDir=DESC&count=exact`)
    await expect(200, 'GET', `${path}?qry={"name":{"$startsWith":"a"}}&fields=name,owner`)
    await expect(200, 'POST', `${path}/search`, { json: { qry: { owner: 'x' }, length: 1 } })
    await expect(200, 'GET', `${path}/${id}`)
    await expect(200, 'GET', `${path}/${id}?fields=name`)
    await expect(200, 'POST', `${path}/${id}`, { json: change })
    await expect(200, 'PATCH', `${path}/${id}`, { json: change })
    if (name === 'api_key') {
      await expect(200, 'POST', `${path}/${id}/rotate`, { json: { keep_old: '1h' } })
    }
    if (name === 'webhook') await sendWebhook(expect, `${path}/${id}`)
    await expect(204, 'DELETE', `${path}/${id}`)
    await expect(404, 'GET', `${path}/${id}`)
  }
  await sendFiles(send, expect)
  await sendComments(expect)
  await sendUpload(expect)
  await sendResumable(send, expect)
  await sendAudit(expect)
  await sendChanges(expect)
  await expect(BACKUP_STATUS, 'GET', '/api/v2/backup')
  await expect(200, 'GET', '/api/v2/me')
  await expect(200, 'GET', '/api/v2/me/people?length=1')
  await expect(200, 'GET', '/api/v2/me/views')
  const saved = { views: [{ name: 'All', page: 'content', query: 'sort=size' }] }
  await expect(200, 'POST', '/api/v2/me/views', { json: saved })
  await sendTicket(expect)
  const ada = '/api/v2/access?user_id=1&object=asset_category&action=update'
  for (const id of [1, 999]) await expect(200, 'GET', `${ada}&id=${id}`)
  await sendSessions(send, { expect, token })
  await sendOpen(expect)
  await sendProblems(expect)
}

function expecting(send: Send): Expect {
  return async (status, method, path, call) => {
    const answer = await send(method, path, call)
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
}

const PASSWORD = 'correct horse battery'

async function sendSessions(
  send: Send,
  { expect, token }: { readonly expect: Expect; readonly token: string },
): Promise<void> {
  const first = { json: { token, password: PASSWORD }, key: null }
  await expect(200, 'POST', '/api/v2/session/link/check', { json: { token }, key: null })
  await expect(201, 'POST', '/api/v2/session/link', first)
  await expect(401, 'POST', '/api/v2/session', { json: { name: 'ada', password: '' }, key: null })
  await expect(200, 'GET', '/api/v2/session', { key: null })
  // 303, or 404 if no provider is configured.
  for (const path of ['', '/callback'])
    await send('GET', `/api/v2/session/oidc${path}`, { key: null })

  const json = { name: 'grace', role: 'editor' }
  const { user_id: id } = await expect(201, 'POST', '/api/v2/user', { json })
  await expect(201, 'POST', `/api/v2/user/${id}/link`)
  await expect(204, 'DELETE', `/api/v2/user/${id}/link`)
  await expect(204, 'POST', `/api/v2/user/${id}/password`, { json: { password: PASSWORD } })
  const grace = { json: { name: 'grace', password: PASSWORD }, key: null }
  const signedIn = await send('POST', '/api/v2/session', grace)
  assert.equal(signedIn.status, 201)
  const headers = { cookie: cookieOf(signedIn) }
  const { secret: key } = await expect(200, 'POST', '/api/v2/session/renew', { headers, key: null })
  await sendSecondFactor(expect, { id, key })
  const change = { password: PASSWORD, new_password: 'staple of another color' }
  await expect(204, 'POST', '/api/v2/me/password', { json: change, key })
  await expect(204, 'DELETE', '/api/v2/session', { headers, key: null })
  await expect(401, 'POST', '/api/v2/session/renew', { headers, key: null })
}

async function sendSecondFactor(
  expect: Expect,
  { id, key }: { readonly id: number; readonly key: string },
): Promise<void> {
  const path = '/api/v2/me/second_factor'
  const json = { password: PASSWORD }
  const { secret } = await expect(201, 'POST', path, { key, json })
  const first = { code: codeAt(secret, Date.now()) }
  const shown = await expect(201, 'POST', `${path}/confirm`, { key, json: first })
  await expect(404, 'POST', `${path}/confirm`, { key, json: first })
  const asked = { json: { name: 'grace', password: PASSWORD }, key: null }
  await expect(401, 'POST', '/api/v2/session', asked)
  const [code, next] = shown.recovery_codes
  await expect(201, 'POST', '/api/v2/me/recovery_codes', { key, json: { ...json, code } })
  await expect(422, 'POST', `${path}/remove`, { key, json: { ...json, code: next } })
  await expect(204, 'POST', `/api/v2/user/${id}/second_factor/remove`)
  await expect(204, 'POST', `${path}/remove`, { key, json })
}

async function sendWebhook(expect: Expect, path: string): Promise<void> {
  await expect(200, 'POST', `${path}/rotate`, { json: { keep_old: '1h' } })
  await expect(200, 'POST', `${path}/replay`, { json: { since: 0 } })
  await expect(422, 'POST', `${path}/replay`, { json: { since: -1 } })
  for (const name of ['pause', 'test', 'resume', 'pause'])
    await expect(200, 'POST', `${path}/${name}`)
  await expect(200, 'GET', `${path}/delivery?length=1`)
}

async function sendFiles(send: Send, expect: Expect): Promise<void> {
  const json = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: '<p>a</p>' }
  const { asset_file_id: id, url } = await expect(201, 'POST', '/api/v2/asset_file', { json })
  const file = `/api/v2/asset_file/${id}`
  await expect(404, 'GET', url)
  await expect(200, 'POST', file, { json: { pageContent: '<p>b</p>', title: 'B' } })
  for (const action of ['stage', 'publish']) {
    await expect(200, 'GET', `${file}/${action}`)
    await expect(200, 'POST', `${file}/${action}`)
  }
  await expect(200, 'GET', `${file}/publish?version=1`)
  await expect(200, 'PATCH', file, { json: { title: 'C' } })
  await expect(200, 'POST', `${file}/unpublish`)
  await expect(200, 'POST', `${file}/stage?version=1`)
  await expect(200, 'POST', `${file}/unstage`)
  await expect(201, 'POST', `${file}/copy`, { json: {} })
  await expect(409, 'POST', `${file}/copy`, { json: { name: 'a.html' } })
  await expect(201, 'POST', '/api/v2/asset_category/12/copy', { json: { name: 'copied' } })
  for (const action of ['publish?dry_run=true', 'stage?expect=0', 'unpublish'])
    await expect(200, 'POST', `/api/v2/asset_category/12/${action}`)
  await expect(409, 'POST', '/api/v2/asset_category/12/publish?expect=99')
  const operations = [
    { op: 'publish', asset_file_id: id, version: 1 },
    { op: 'restore', asset_file_id: id, version: 99 },
  ]
  await expect(200, 'POST', '/api/v2/batch', { json: { mode: 'each', operations } })
  const missing = operations.slice(1)
  await expect(404, 'POST', '/api/v2/batch', { json: { mode: 'all', operations: missing } })
  await expect(200, 'POST', file, { json: { fileState: 'publish' } })
  await expect(200, 'GET', file)
  await expect(200, 'GET', '/api/v2/asset_file?fields=name,pageContent')
  await expect(200, 'GET', '/api/v2/asset_file')
  await expect(200, 'POST', '/api/v2/asset_file/search', { json: { count: 'exact' } })
  const list = ['l.html', 'm.html'].map((name) => ({ ...json, name }))
  await expect(201, 'POST', '/api/v2/asset_file/bulk', { json: list })
  await expect(200, 'GET', `${file}/versions?length=1`)
  for (const part of ['', '?fields=size,is_live', '/content', '/diff/2'])
    await expect(200, 'GET', `${file}/versions/1${part}`)
  await expect(200, 'POST', `${file}/versions/1/restore`)
  await expect(200, 'GET', url)
  await expect(206, 'GET', `${url}?version=2`, { headers: { range: 'bytes=0-1' } })
  await expect(416, 'GET', url, { headers: { range: 'bytes=900-' } })
  for (const path of [url, file, `${file}/versions/1/content`]) {
    const { headers } = await send('GET', path)
    await expect(304, 'GET', path, { headers: { 'if-none-match': String(headers.etag) } })
  }
  const link = { json: { state: 'live', expires_in: '2h', note: 'for the print shop' } }
  const made = await expect(201, 'POST', `${file}/link`, link)
  const { asset_file_link_id: linkId, url: linked } = made
  await expect(422, 'POST', `${file}/link`, { json: { version: 1, state: 'live' } })
  await expect(200, 'GET', `${file}/link?length=1`)
  await expect(200, 'GET', '/api/v2/user/1/shared_link?length=1')
  await expect(200, 'GET', linked, { key: null })
  await expect(206, 'GET', linked, { key: null, headers: { range: 'bytes=0-1' } })
  for (const path of [`${file}/link/${linkId}`, '/api/v2/user/1/shared_link'])
    await expect(204, 'DELETE', path)
  await expect(404, 'GET', linked, { key: null })
  await expect(412, 'DELETE', file, { headers: { 'if-match': '"r0"' } })
  await expect(200, 'POST', file, { json: { name: 'renamed.html', fileState: 'publish' } })
  await expect(200, 'GET', '/api/v2/asset_category/counts?ids=1,12')
  await expect(400, 'GET', '/api/v2/asset_category/counts')
  const former = '/api/v2/asset_category/1/former_name'
  const { former_name: names } = await expect(200, 'GET', `${former}?length=1`)
  await expect(204, 'DELETE', `${former}/${names[0].name}`)
  const idempotencyKey = { headers: { 'idempotency-key': 'restore' } }
  const restore = `${file}/versions/1/restore`
  await expect(200, 'POST', restore, idempotencyKey)
  await expect(200, 'POST', restore, idempotencyKey)
  await expect(204, 'DELETE', file)
  await sendTrash(expect)
}

async function sendTicket(expect: Expect): Promise<void> {
  const { path } = await expect(201, 'POST', '/api/v2/ticket', { json: { path: '/file/1/a.html' } })
  await expect(404, 'GET', path, { key: null })
  await expect(422, 'POST', '/api/v2/ticket', { json: { path: '/api/v2/user' } })
  await sendChecks(expect)
}

async function sendAudit(expect: Expect): Promise<void> {
  const path = '/api/v2/audit'
  await expect(200, 'GET', `${path}?orderStr=date_added&orderDir=DESC`)
  await expect(200, 'GET', `${path}?qry={"object":"asset_file"}&fields=action,user_name`)
  await expect(200, 'POST', `${path}/search`, { json: { length: 1 } })
  await expect(200, 'GET', `${path}/1`)
  await expect(404, 'GET', `${path}/999999`)
}

async function sendChanges(expect: Expect): Promise<void> {
  const path = '/api/v2/change'
  const first = `${path}?since=0&length=5&object=asset_file&action=create`
  const { page } = await expect(200, 'GET', first)
  await expect(200, 'GET', `${path}?since=${page.next}&wait=1&asset_category_id=1&module_id=1`)
  await expect(400, 'GET', `${path}?since=nowhere`)
  await expect(410, 'GET', `${path}?since=999999`)
  await expect(404, 'GET', `${path}/stream?asset_category_id=999999`)
  // The position belongs to another log, so the stream reports this and ends.
  await expect(200, 'GET', `${path}/stream?since=999999`)
}

async function sendOpen(expect: Expect): Promise<void> {
  await expect(200, 'GET', '/metrics')
  const key = null
  for (const path of ['/health', '/ready', '/problems', '/problems/not-found']) {
    await expect(200, 'GET', path, { key })
  }
  for (const path of ['/', '/public', '/public/api', '/docs']) {
    await expect(200, 'GET', path, { key })
    await expect(303, 'GET', path, { key, headers: { accept: 'text/html' } })
  }
  for (const name of ['system', 'module']) {
    await expect(200, 'GET', `/public/api/${name}`, { key })
    await expect(200, 'GET', `/public/api/${name}/swagger.json`, { key })
  }
  await expect(200, 'GET', '/public/api/module/modules.json', { key })
  await expect(200, 'GET', '/public/api/module/types.ts', { key })
  await expect(404, 'GET', '/public/api/module/swagger.json?module=calendar/999', { key })
  await expect(404, 'GET', '/public/api/assets/0/start.js', { key })
  for (const path of ['/admin', '/admin/keys']) await expect(303, 'GET', `/api/v2${path}`, { key })
  await expect(200, 'GET', '/admin/preview', { key })
  await expect(404, 'GET', '/admin/assets/start.js', { key })
}

async function sendProblems(expect: Expect): Promise<void> {
  const { secret: key } = await expect(201, 'POST', '/api/v2/api_key', {
    json: { name: 'idle', grants: [] },
  })
  await expect(403, 'POST', '/api/v2/asset_category', { key, json: { name: 'x' } })
  await expect(403, 'POST', '/api/v2/me/password', { key, json: { new_password: PASSWORD } })
  await expect(403, 'POST', '/api/v2/api_key', { key, json: { name: 'y', grants: ['view'] } })
  const headers = { origin: 'https://elsewhere.invalid' }
  await expect(403, 'POST', '/api/v2/session/renew', { key: null, headers })
  const path = '/api/v2/asset_category'
  await expect(400, 'GET', `${path}?qry={"nmae":"x"}`)
  await expect(401, 'GET', path, { key: null })
  await expect(401, 'GET', path, { key: 'cms_nobody' })
  await expect(409, 'POST', path, { json: { name: 'Modules' } })
  await expect(412, 'POST', `${path}/12`, { json: {}, headers: { 'if-match': '"r0"' } })
  await expect(413, 'POST', path, {
    body: `{"title":"${'x'.repeat(2 ** 20)}"}`,
    headers: JSON_TYPE,
  })
  await expect(415, 'POST', path, { body: '<a/>', headers: { 'content-type': 'text/xml' } })
  await expect(422, 'POST', path, { json: { nmae: 'x' } })
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const TABLE = {
  name: 'Press releases',
  title_field: 'title',
  table_schema:
    "title C(40) NOTNULL, body X(Large), price N(8.2), big I8, small I1 UNSIGNED, ratio F, kind ENUM('a','b'), " +
    "released D, at T DEFTIMESTAMP, hot L DEFAULT 1, label C(10) DEFAULT 'x', serial R AUTO, code C(9) UNIQUE, " +
    'wide C2(9), notes X2, long XL, raw B, count I, year I2, votes I4, seen TS, ' +
    RICH_COLUMNS,
}

const ENTRY = {
  title: 'One',
  body: 'Long',
  price: '12.50',
  big: '9223372036854775807',
  small: 255,
  ratio: -1.5,
  kind: 'b',
  released: '2026-01-31T23:00:00Z',
  at: 1_700_000_000,
  ...RICH_VALUES,
  hot: false,
  wide: 'ä',
  notes: '',
  long: 'Longer',
  raw: 'AAEC',
  count: -5,
  year: 2026,
  votes: 7,
  seen: '2026-01-31',
}

export const CALENDAR = {
  name: 'Events',
  table_schema: 'speaker C(20)',
  time_zone: 'Europe/Berlin',
}

const EVENT = {
  event_title: 'Talk',
  start_time: '2026-03-02T09:00:00Z',
  end_time: '2026-03-02T10:00:00Z',
  rrule: 'FREQ=WEEKLY;COUNT=3',
}

/** Creates a datatable and a calendar and returns their addresses. */
export async function makeModules(send: Send): Promise<readonly string[]> {
  const create = async (name: string, json: object): Promise<string> => {
    const answer = await send('POST', `/api/v2/${name}`, { json })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.module_url
  }
  return [await create('datatable', TABLE), await create('calendar', CALENDAR)]
}

export async function sendModuleTraffic(send: Send, urls: readonly string[]): Promise<void> {
  const expect = expecting(send)
  for (const url of urls) {
    const [, , , , kind, moduleId] = url.split('/')
    const json = kind === 'datatable' ? ENTRY : EVENT
    const [title] = Object.keys(json)
    const object = `/api/v2/${kind}`
    await expect(201, 'POST', url, { json })
    await expect(201, 'POST', `${url}/bulk`, { json: [json, { ...json, [title ?? '']: 'Two' }] })
    const prefer = { prefer: 'return=representation' }
    const whole = await expect(201, 'POST', url, { json, headers: prefer })
    const id = whole[`${kind}_entry`][`${kind}_entry_id`]

    await expect(200, 'GET', `${url}?length=2&orderStr=${title}`)
    await expect(200, 'GET', `${url}?qry={"${title}":"Two"}&fields=${title}&count=exact`)
    await expect(200, 'GET', `${url}/${id}`)
    await expect(200, 'GET', `${url}/${id}?fields=*`)
    await expect(200, 'POST', `${url}/${id}`, { json: { [title ?? '']: 'Three' } })
    await expect(200, 'PATCH', `${url}/${id}`, { json: { [title ?? '']: 'Four' } })
    for (const more of ['', '?length=1']) await expect(200, 'GET', `${url}/${id}/history${more}`)
    await expect(200, 'POST', `${url}/${id}/history/2/restore`)
    await expect(204, 'DELETE', `${url}/${id}`)
    await expect(404, 'GET', `${url}/${id}`)
    await expect(422, 'POST', url, { json: { nothing: 1 } })
    if (kind === 'datatable') {
      const same = { ...json, code: 'same' }
      await expect(409, 'POST', `${url}/bulk`, { json: [same, same] })
      await sendUpserts(expect, url, { ...json, code: 'upserted' })
    }

    await sendBulkTraffic(expect, url, String(title))
    await expect(200, 'POST', `${url}/search`, { json: { length: 1 } })
    await expect(200, 'GET', object)
    await expect(200, 'POST', `${object}/search`, { json: { qry: {}, length: 1 } })
    await expect(200, 'GET', `${object}/${moduleId}`)
    const more = { table_schema: 'title C(50) NOTNULL, speaker C(5), more C(5)' }
    await expect(200, 'POST', `${object}/${moduleId}?dry_run=true`, { json: more })
    const odd = { table_schema: `${more.table_schema}, note X INDEX` }
    await expect(200, 'POST', `${object}/${moduleId}?dry_run=true`, { json: odd })
    await expect(200, 'POST', `${object}/${moduleId}`, { json: { title: 'T' } })
    await expect(200, 'PATCH', `${object}/${moduleId}`, { json: { title: 'U' } })
    const { [`${kind}_id`]: otherId } = await expect(201, 'POST', object, {
      json: { name: 'Other', table_schema: 'title C(5), note X INDEX' },
    })
    await expect(204, 'DELETE', `${object}/${otherId}`)
    if (kind !== 'calendar') continue
    await expect(200, 'GET', `${url}?from=2026-03-01&to=2026-04-01&expand=true`)
    await expect(200, 'GET', `${url}?from=2026-03-01&to=2026-04-01`)
    const feed = await send('GET', `${url}.ics`)
    const headers = { 'if-none-match': String(feed.headers.etag) }
    await expect(304, 'GET', `${url}.ics`, { headers })
    await expect(401, 'GET', `${url}.ics`, { key: null })
    await sendCalendarFile(expect, url)
    await expect(200, 'POST', `${object}/${moduleId}`, { json: { name: 'Renamed' } })
    await expect(308, 'GET', url)
  }
}
