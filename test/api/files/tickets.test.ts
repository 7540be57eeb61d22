// Addresses with a ticket: their scope, lifetime and owner.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { BACKUP_STATUS } from '../../helpers/engine.ts'
import { makeCalendar } from '../../helpers/modules.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, session, signIn } from '../../helpers/sessions.ts'

const START_MS = Date.parse('2026-05-04T10:00:00Z')

let server: TestServer
let nowMs = START_MS
let url: string
let id: number
before(async () => {
  server = await startTestServer({ now: () => new Date(nowMs) })
  const file = await makeFile(server, { name: 'a b.html', fileState: 'publish' })
  url = file.url
  id = file.asset_file_id
})
after(() => server.close())

const ask = (path: unknown, call: Call = {}): Promise<Answer> =>
  server.call('POST', '/api/v2/ticket', { json: { path }, ...call })
async function ticketFor(path: string, call: Call = {}): Promise<string> {
  const answer = await ask(path, call)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.path
}
const get = (path: string, call: Call = {}): Promise<Answer> =>
  server.call('GET', path, { key: null, ...call })

describe('the permanent ticket of a feed', () => {
  test('reads the feed for years, and ends with its key', async () => {
    const { url: calendar } = await makeCalendar(server)
    const key = await server.call('POST', '/api/v2/api_key', { json: { name: 'feed' } })
    const { secret, api_key_id: keyId } = key.body
    const json = { path: `${calendar}.ics`, permanent: true }
    const made = await server.call('POST', '/api/v2/ticket', { json, key: secret })
    assert.equal(made.status, 201, made.text)
    nowMs += 5 * 365 * 86_400_000
    const feed = await get(made.body.path)
    assert.deepEqual([feed.status, feed.headers['cache-control']], [200, 'private, no-cache'])
    assertProblem(await get(`${made.body.path}&a=b`), 'key-required')
    nowMs = START_MS
    const withdrawn = await server.call('DELETE', `/api/v2/api_key/${keyId}`)
    assert.equal(withdrawn.status, 204)
    assertProblem(await get(made.body.path), 'key-invalid')
  })

  test('of a key without a folder follows the calendar as far as the user may read', async () => {
    const [open = 0, other = 0, closed = 0] = await Promise.all(
      Array.from({ length: 3 }, async () => (await makeFolder(server)).asset_category_id),
    )
    const roles = [open, other].map((id) => ({ asset_category_id: id, role: 'viewer' }))
    const user = { name: 'reader', role: null, category_roles: roles }
    const made = await server.call('POST', '/api/v2/user', { json: user })
    assert.equal(made.status, 201, made.text)
    const json = { name: 'Moves', parent_category_id: open }
    const { calendar_id: id, module_url } = (
      await server.call('POST', '/api/v2/calendar', { json })
    ).body
    const { user_id } = made.body
    const own = { name: 'feed', grants: ['view'], user_id }
    const { secret } = (await server.call('POST', '/api/v2/api_key', { json: own })).body
    const asked = { path: `${module_url}.ics`, permanent: true }
    const { path } = (await server.call('POST', '/api/v2/ticket', { json: asked, key: secret }))
      .body
    for (const [folder, status] of [
      [open, 200],
      [other, 200],
      [closed, 404],
      [open, 200],
    ]) {
      await server.call('POST', `/api/v2/calendar/${id}`, { json: { parent_category_id: folder } })
      assert.equal((await server.call('GET', path, { key: null })).status, status)
    }
  })

  test('is refused for other addresses and for sessions', async () => {
    const { url: calendar } = await makeCalendar(server)
    const refused = async (json: object, call: Call = {}): Promise<void> => {
      const answer = await server.call('POST', '/api/v2/ticket', { json, ...call })
      assertProblem(answer, 'invalid-content')
      assert.equal(answer.body.errors[0].pointer, '/permanent')
    }
    await refused({ path: url, permanent: true })
    await refused({ path: `${calendar}.ics?x=1`, permanent: true })
    await refused({ path: `${calendar}.ics`, permanent: 'yes' })
    await givePassword(server)
    const { secret } = await signIn(server)
    await refused({ path: `${calendar}.ics`, permanent: true }, { key: secret })
  })
})

describe('a ticket', () => {
  test('authenticates GET and HEAD of its address like the header', async () => {
    const signed = await server.call('GET', url)
    const path = await ticketFor(url)
    assert.match(path, /\?ticket=[\w-]{94}$/)
    for (let time = 0; time < 3; time += 1) {
      const { status, text, headers } = await get(path)
      assert.deepEqual([status, text, headers.etag], [200, '<p>1</p>', signed.headers.etag])
      assert.deepEqual(
        [headers['cache-control'], headers['referrer-policy'], headers.vary],
        ['private, no-cache', 'no-referrer', signed.headers.vary],
      )
    }
    const head = await server.call('HEAD', path, { key: null })
    assert.deepEqual([head.status, head.headers['content-length']], [200, '8'])
    const part = await get(path, { headers: { range: 'bytes=0-2' } })
    assert.deepEqual([part.status, part.text], [206, '<p>'])
    const { etag = '' } = signed.headers
    assert.equal((await get(path, { headers: { 'if-none-match': etag } })).status, 304)
    assertProblem(await server.call('POST', path, { key: null }), 'method-not-allowed')
  })

  test('is valid for its path and query and no other', async () => {
    const path = await ticketFor(`${url}?version=1`)
    assert.equal((await get(path)).status, 200)
    const ticket = path.slice(path.indexOf('&ticket='))
    for (const other of [url, `${url}?version=2`, `${url}?version=1&a=b`]) {
      const answer = await get(other.includes('?') ? other + ticket : `${other}?${ticket.slice(1)}`)
      assertProblem(answer, 'key-invalid')
      assert.match(answer.body.detail, /for another address/)
    }
    assert.equal((await get(`/api/v2${path}`)).status, 200)
    assertProblem(await get(`${path}&a=b`), 'key-required')
    assertProblem(await get(`${path}${ticket}`), 'key-invalid')
    for (const made of [
      path.slice(0, -1),
      `${path}A`,
      `${url}?ticket=`,
      `${url}?ticket=${'A'.repeat(94)}`,
    ])
      assert.match((await get(made)).body.detail, /The key is unknown/)
  })

  test('is issued for the address in the form that a browser requests', async () => {
    const path = await ticketFor(`/file/./${id}/a b.html`)
    assert.ok(path.startsWith(`/file/${id}/a%20b.html?ticket=`))
    assert.equal((await get(path)).status, 200)
  })

  test('is issued for downloads only', async () => {
    const { url: calendar } = await makeCalendar(server, {})
    for (const [path, status] of [
      [`/api/v2/asset_file/${id}/versions/1/content`, 200],
      ['/api/v2/backup', BACKUP_STATUS],
      [`${calendar}.ics`, 200],
    ] as const)
      assert.equal((await get(await ticketFor(path))).status, status, path)

    const others = [`/api/v2/asset_file/${id}`, '/api/v2/me', '/health', '/', '/metrics', calendar]
    const wrong = ['', 'file/1/a', '//a/file/1/a', '/\\a/file/1/a', 'http://a/file/1/a', `${url}#a`]
    for (const path of [...others, ...wrong, `${url}?ticket=a`, 5, null])
      assertProblem(await ask(path), 'invalid-content')
    assert.match((await ask('/api/v2/me')).body.errors[0].detail, /\/file\/.*backup.*calendar/)
    assertProblem(await server.call('POST', '/api/v2/ticket', { json: {} }), 'invalid-content')

    const ticket = (await ticketFor(url)).replace(/^.*\?/, '')
    assertProblem(await get(`/api/v2/me?${ticket}`), 'key-required')
  })

  test('is ignored next to an Authorization header', async () => {
    const path = await ticketFor(url)
    assert.equal((await get(`${url}?ticket=none`, { key: server.key })).status, 200)
    const { status } = await get('/api/v2/backup?ticket=none', { key: server.key })
    assert.equal(status, BACKUP_STATUS)
    assertProblem(await get(path, { key: 'wrong' }), 'key-invalid')
    const viewer = await server.makeKey({ name: 'nothing', grants: 'stage', user: 'admin' })
    const staged = await ticketFor(`${url}?state=stage`)
    assert.notEqual((await get(staged)).status, 403)
    assert.equal(
      (await get(staged, { key: viewer })).status,
      (await server.call('GET', `${url}?state=stage`, { key: viewer })).status,
    )
  })

  test('that expired does not lead to a password prompt', async () => {
    const { url: calendar } = await makeCalendar(server, {})
    const answer = await get(`${calendar}.ics?ticket=a`)
    assert.doesNotMatch(String(answer.headers['www-authenticate']), /Basic/)
  })
})

describe('a ticket ends', () => {
  test('after five minutes, and its later use does not count as a guess', async () => {
    const { body } = await ask(url)
    assert.equal(Date.parse(body.date_expires) - nowMs, LIMITS.ticketMs)
    nowMs += LIMITS.ticketMs - 1
    assert.equal((await get(body.path)).status, 200)
    nowMs += 1
    for (let time = 0; time < LIMITS.invalidKeys + 5; time += 1) {
      const answer = await get(body.path)
      assertProblem(answer, 'key-invalid')
      assert.match(answer.body.detail, /Request a new one/)
    }
  })

  test('with the secret that requested it', async () => {
    await givePassword(server)
    const { secret } = await signIn(server)
    nowMs += LIMITS.sessionSecretMs - 60_000
    const { body } = await ask(url, { key: secret })
    assert.equal(Date.parse(body.date_expires) - nowMs, 60_000)
    assert.equal((await get(body.path)).status, 200)
    nowMs += 60_000
    assertProblem(await get(body.path), 'key-invalid')

    const again = await signIn(server)
    const path = await ticketFor(url, { key: again.secret })
    assert.equal((await get(path)).status, 200)
    const out = await session(server.url, 'DELETE', '', { cookie: again.cookie })
    assert.equal(out.status, 204)
    assertProblem(await get(path), 'key-invalid')
  })

  test('with its key, and has only the present grants of the key', async () => {
    const { asset_category_id: folder } = await makeFolder(server)
    const made = await server.call('POST', '/api/v2/api_key', { json: { name: 'of a page' } })
    const { secret: key, api_key_id: keyId } = made.body
    const change = async (json: object): Promise<void> => {
      const { status, text } = await server.call('POST', `/api/v2/api_key/${keyId}`, { json })
      assert.equal(status, 200, text)
    }
    const path = await ticketFor(url, { key })
    const backup = await ticketFor('/api/v2/backup', { key })
    assert.equal((await get(path)).status, 200)

    await change({ grants: ['view'] })
    assert.deepEqual([(await get(path)).status, (await get(backup)).status], [200, 403])
    await change({ asset_category_id: folder })
    assertProblem(await get(path), 'not-found')
    await change({ asset_category_id: null, status: 'inactive' })
    assertProblem(await get(path), 'key-invalid')
    await change({ status: 'active' })
    assert.equal((await get(path)).status, 200)
    const rotated = await server.call('POST', `/api/v2/api_key/${keyId}/rotate`, { json: {} })
    assert.equal(rotated.status, 200)
    assertProblem(await get(path), 'key-invalid')
    const next = await ticketFor(url, { key: rotated.body.secret })
    await server.call('DELETE', `/api/v2/api_key/${keyId}`)
    assertProblem(await get(next), 'key-invalid')
  })
})

describe('a redirect of an address with a ticket', () => {
  const locationOf = async (path: string, call?: Call): Promise<string> => {
    const { status, headers } = await get(path, call)
    assert.equal(status, 308)
    return String(headers['location'])
  }
  const rename = (path: string, json: object) => server.call('POST', path, { json })

  test('has a ticket for the new address only, which expires with the first', async () => {
    const file = await makeFile(server, { name: 'first.html', fileState: 'publish' })
    const { body } = await ask(file.url)
    await rename(`/api/v2/asset_file/${file.asset_file_id}`, {
      name: 'second.html',
      fileState: 'publish',
    })
    nowMs += LIMITS.ticketMs - 1
    const location = await locationOf(body.path)
    assert.match(location, /^\/file\/\d+\/second\.html\?ticket=[\w-]{94}$/)
    assert.equal((await get(location)).text, '<p>1</p>')
    const ticket = location.slice(location.indexOf('?'))
    assertProblem(await get(`${url}${ticket}`), 'key-invalid')
    assertProblem(await get(`${file.url}${ticket}`), 'key-invalid')

    // The cached redirect contains no ticket.
    assert.doesNotMatch(await locationOf(file.url, { key: server.key }), /ticket/)
    assert.doesNotMatch(await locationOf(body.path, { key: server.key }), /ticket/)
    assert.equal(await locationOf(body.path), location)
    nowMs += 1
    assertProblem(await get(location), 'key-invalid')
    assertProblem(await get(body.path), 'key-invalid')
  })

  test('keeps its query, and leads to a renamed calendar', async () => {
    const file = await makeFile(server, { name: 'one.html', fileState: 'publish' })
    const path = await ticketFor(`${file.url}?state=live`)
    await rename(`/api/v2/asset_file/${file.asset_file_id}`, {
      name: 'two.html',
      fileState: 'publish',
    })
    const location = await locationOf(path)
    assert.match(location, /two\.html\?state=live&ticket=/)
    assert.equal((await get(location)).status, 200)

    const { url: calendar, id: number } = await makeCalendar(server, {})
    const feed = await ticketFor(`${calendar}.ics`)
    const renamed = await rename(`/api/v2/calendar/${number}`, { name: 'Renamed calendar' })
    assert.equal(renamed.status, 200, renamed.text)
    const moved = await locationOf(feed)
    assert.match(moved, /\/renamed-calendar\.ics\?ticket=/)
    assert.equal((await get(moved)).status, 200)
  })
})

describe('a request for a ticket', () => {
  test('needs a key with a grant in some folder', async () => {
    const nothing = await server.call('POST', '/api/v2/api_key', {
      json: { name: 'n', grants: [] },
    })
    assertProblem(await ask(url, { key: nothing.body.secret }), 'grant-missing')
    assertProblem(await ask(url, { key: null }), 'key-required')
  })

  test('does not reveal whether the address exists', async () => {
    const key = await server.makeKey({ name: 'viewer', grants: 'view' })
    assertProblem(await get(await ticketFor('/file/999999/a.html', { key })), 'not-found')
    assertProblem(await get(await ticketFor('/api/v2/backup', { key })), 'grant-missing')
  })

  test('leaves no trace but the use of its key, and its response is not compressed', async () => {
    const rows = async (): Promise<number> =>
      (await server.call('GET', '/api/v2/audit?count=exact')).body.page.total
    const before = await rows()
    const answer = await ask(`${url}?a=${'a'.repeat(3_000)}`, {
      headers: { 'accept-encoding': 'gzip', 'idempotency-key': 'one' },
    })
    assert.equal(answer.status, 201)
    assert.deepEqual(
      [answer.headers['content-encoding'], answer.headers['idempotency-replayed']],
      [undefined, undefined],
    )
    assert.match(String(answer.headers['cache-control']), /^no-store/)
    assert.equal((await get(answer.body.path)).status, 200)
    assert.equal(await rows(), before)
  })
})

test('forged tickets count as keys that are not valid', async () => {
  const config = { proxies: undefined }
  const other = await startTestServer({ config, limits: { invalidKeys: 3 } })
  try {
    const statuses: number[] = []
    for (let time = 0; time < 5; time += 1)
      statuses.push((await other.call('GET', '/file/1/a?ticket=AAAA', { key: null })).status)
    assert.deepEqual(statuses, [401, 401, 401, 429, 429])
  } finally {
    await other.close()
  }
})
