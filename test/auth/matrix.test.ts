// Every route with every kind of key. The rows are in route-table.ts, the routes come from the server.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { allRoutes } from '../../lib/api/routes.ts'
import { newSecret } from '../../lib/auth/secret.ts'
import { GRANTS, type Grant } from '../../lib/shared/grants.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { openSocket } from '../helpers/raw.ts'
import { ROUTE_OPTIONS } from '../helpers/route-options.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'
import { addressOf, openRequests, type Requests } from './requests.ts'
import { OPEN, ROWS, type Row } from './route-table.ts'

const ROUTES = allRoutes(ROUTE_OPTIONS).map((route) => ({
  ...route,
  text: `${route.method} ${route.path}`,
}))
const GUARDED = ROUTES.filter((route) => !OPEN.test(route.text))

let server: TestServer
let requests: Requests
let inside: number
let outside: number
let scoped: string
const single = new Map<Grant, string>()
const invalid = new Map<string, string>()

before(async () => {
  // The tests send the same invalid keys to every route, so the limit of invalid keys must not be reached.
  const limits = { invalidKeys: 1_000_000 }
  server = await startTestServer({ dataDir: newDataDirectory(), limits })
  requests = openRequests(server)
  inside = await requests.make('folder', 1, 'inside')
  outside = await requests.make('folder', 1, 'outside')
  scoped = await server.makeKey({ name: 'scoped', category: inside })
  for (const grant of GRANTS)
    single.set(grant, await server.makeKey({ name: grant, grants: grant }))
  await makeInvalidKeys()
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

async function makeInvalidKeys(): Promise<void> {
  await server.command({ command: 'user.create', name: 'disabled', role: 'admin' })
  await server.command({ command: 'user.create', name: 'deleted', role: 'admin' })
  const inactive = await server.call('POST', '/api/v2/api_key', {
    json: { name: 'inactive', status: 'inactive' },
  })
  const deleted = await server.call('POST', '/api/v2/api_key', { json: { name: 'gone' } })

  invalid.set('unknown', newSecret())
  invalid.set('mistyped', `${server.key.slice(0, -1)}${server.key.endsWith('a') ? 'b' : 'a'}`)
  invalid.set('cut', server.key.slice(0, -1))
  invalid.set('of 10,000 letters', 'x'.repeat(10_000))
  invalid.set('expired', await server.makeKey({ name: 'expired', expires: '1s' }))
  const expiresMs = Date.now() + 1_000
  invalid.set('inactive', inactive.body.secret)
  invalid.set('revoked', await server.makeKey({ name: 'revoked' }))
  invalid.set('rotated', await server.makeKey({ name: 'rotated' }))
  invalid.set('deleted', deleted.body.secret)
  invalid.set('of a disabled user', await server.makeKey({ name: 'a', user: 'disabled' }))
  invalid.set('of a deleted user', await server.makeKey({ name: 'b', user: 'deleted' }))

  await server.command({ command: 'key.revoke', key: 'revoked' })
  await server.command({ command: 'key.rotate', key: 'rotated' })
  await server.command({ command: 'user.disable', name: 'disabled' })
  const users = await server.call('GET', '/api/v2/user?qry={"name":"deleted"}')
  await server.call('DELETE', `/api/v2/user/${users.body.user[0].user_id}`)
  await server.call('DELETE', `/api/v2/api_key/${deleted.body.api_key_id}`)
  while (Date.now() <= expiresMs) await sleep(50)
}

test('K3: the table of the tests has exactly the routes that need a key', () => {
  assert.deepEqual(
    [...new Set(ROWS.map((row) => row.route))].sort(),
    GUARDED.map((route) => route.text).sort(),
  )
})

test('the routes without a key are those of the interface', () => {
  const open = ROUTES.filter((route) => route.access === 'open' || route.ignoresKey === true).map(
    (route) => route.text,
  )
  assert.deepEqual(
    open,
    ROUTES.filter((route) => OPEN.test(route.text)).map((route) => route.text),
  )
  for (const needed of ['GET /health', 'GET /ready', 'GET /problems/:code'])
    assert.ok(open.includes(needed))
})

test('only feeds of calendars accept the key as a password', () => {
  const found = ROUTES.filter((route) => route.takesPassword).map((route) => route.text)
  assert.deepEqual(found, ['GET /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)'])
})

test('only downloads accept a ticket', () => {
  const found = ROUTES.filter((route) => route.takesTicket).map((route) => route.text)
  assert.deepEqual(found, [
    'GET /api/v2/asset_file/:id/versions/:version/content',
    'GET /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)',
    'GET /file/:number/:name',
    'GET /api/v2/backup',
  ])
})

describe('K1, K2: without a valid key', () => {
  for (const { method, path, hasHead, takesPassword, text } of GUARDED) {
    const asked = takesPassword ? 'Basic realm="cms", charset="UTF-8", ' : ''
    test(`${text} gets 401 without further details`, async () => {
      const url = addressOf(path)
      for (const each of method === 'GET' && hasHead ? ['GET', 'HEAD'] : [method]) {
        const none = await server.call(each, url, { key: null })
        assert.equal(none.status, 401)
        assert.equal(none.headers['www-authenticate'], `${asked}Bearer realm="cms"`)
      }

      const answers = await Promise.all(
        [...invalid.values()].map((key) => server.call(method, url, { key })),
      )
      for (const answer of answers) {
        assert.equal(answer.status, 401)
        assert.equal(
          answer.headers['www-authenticate'],
          `${asked}Bearer realm="cms", error="invalid_token"`,
        )
        assert.deepEqual(
          { ...answer.body, request_id: '' },
          { ...answers[0]?.body, request_id: '' },
        )
      }
    })
  }

  for (const { method, path, text } of GUARDED.filter((route) => route.method === 'POST')) {
    test(`${text} is refused before a byte of the body is sent`, async () => {
      const socket = await openSocket(server.url)
      const head = `${method} ${addressOf(path)} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
      const first = new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(chunk.toString())),
      )
      socket.write(head)
      assert.match(await first, /^HTTP\/1\.1 401 /)
      socket.destroy()
    })
  }
})

describe('K3: each route', () => {
  for (const row of ROWS) {
    const what =
      row.json === undefined
        ? ''
        : ` with ${Object.keys(row.json({ folderId: 1, targetId: 1, name: 'x' })).join(', ')}`
    test(`${row.route}${what} needs ${row.needs.join(row.isForAll ? ' and ' : ' or ') || 'none'}`, async () => {
      for (const [grant, key] of single) {
        const answer = await requests.send(row, { key, folderId: inside })
        const isEnough = row.needs.includes(grant) && row.isForAll !== true
        const isAllowed = row.needs.length === 0 || isEnough
        assert.equal(
          answer.status,
          isAllowed ? row.ok : (row.denied ?? 403),
          `${grant}: ${answer.text}`,
        )
        if (answer.status === 403 && !isAllowed) requireNamed(answer, row)
      }
    })
  }
})

function requireNamed({ body, headers }: Answer, row: Row): void {
  assert.equal(body.code, 'grant-missing')
  assert.match(
    body.detail,
    /^(Item \S+ of the list: )?The key lacks the grant "\w+" (in |for |on )/,
  )
  assert.equal(
    headers['www-authenticate'],
    `Bearer realm="cms", error="insufficient_scope", scope="${body.grant}"`,
  )
  assert.ok(GRANTS.includes(body.grant) && body.detail.includes(`"${body.grant}"`))
  // If a route accepts several kinds of body, the answer names the grant that most of them need.
  if (!row.route.endsWith('/asset_file/:id') && !/\/uploads?$/.test(row.route))
    assert.ok(row.needs.includes(body.grant))
}

describe('K7: a key for a folder', () => {
  for (const row of ROWS.filter((item) => item.outside !== undefined)) {
    test(`may ${row.route} there and learns nothing about other folders`, async () => {
      assert.equal((await requests.send(row, { key: scoped, folderId: inside })).status, row.ok)

      const answer = await requests.send(row, { key: scoped, folderId: outside })
      assert.equal(answer.status, row.outside, answer.text)
      if (row.outside === 404) {
        const missing = await requests.send(row, {
          key: scoped,
          folderId: outside,
          targetId: 999_999,
        })
        assert.deepEqual({ ...answer.body, request_id: '' }, { ...missing.body, request_id: '' })
      }
    })
  }

  test('gets lists and totals only of its folder', async () => {
    await requests.make('file', outside, 'hidden')
    for (const object of ['asset_category', 'asset_file', 'file_group', 'datatable', 'calendar']) {
      const { body } = await server.call('GET', `/api/v2/${object}?count=exact&length=1000`, {
        key: scoped,
      })
      const parents = body[object].map((record: any) => record.parent_category_id)
      assert.ok(parents.length > 0)
      assert.equal(body.page.total, parents.length)
      // The key must not learn which folder contains its own folder.
      const allowed = object === 'asset_category' ? [null, inside] : [inside]
      assert.deepEqual(
        parents.filter((id: number) => !allowed.includes(id)),
        [],
      )
    }
    const search = await server.call('GET', '/api/v2/asset_file?qry={"name":"hidden"}', {
      key: scoped,
    })
    assert.deepEqual([search.body.asset_file, search.body.page.next], [[], null])
  })

  test('K8: has no grant on users, keys of others and the audit trail, whatever its user has', async () => {
    const user = await requests.make('user', 0)
    const read = await server.call('GET', `/api/v2/user/${user}`, { key: scoped })
    const made = await server.call('POST', '/api/v2/user', {
      key: scoped,
      json: { name: 'made' },
    })
    const minted = await server.call('POST', '/api/v2/api_key', {
      key: scoped,
      json: { name: 'x', user_id: user, asset_category_id: inside },
    })
    const trail = await server.call('GET', '/api/v2/audit', { key: scoped })
    const row = await server.call('GET', '/api/v2/audit/1', { key: scoped })
    assert.deepEqual([read.status, made.status, minted.status], [404, 403, 403])
    assert.deepEqual([trail.body.grant, row.body.grant], ['admin', 'admin'])
  })
})
