// Signing in, the rights of a session, and the end of a session.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { cookieOf, givePassword, PASSWORD, session, signIn } from '../../helpers/sessions.ts'
import { placesHolding } from '../../helpers/stored.ts'

let server: TestServer
let nowMs = Date.parse('2026-05-04T10:00:00Z')

before(async () => {
  server = await startTestServer({ now: () => new Date(nowMs) })
  await server.command({ command: 'user.create', name: 'eva', role: 'editor' })
  await server.command({ command: 'user.create', name: 'guest', role: 'viewer' })
  await givePassword(server)
  await givePassword(server, 'eva')
})
after(() => server.close())

const post = (path: string, call: Parameters<typeof session>[3] = {}): Promise<Answer> =>
  session(server.url, 'POST', path, call)
const me = async (key: string): Promise<number> =>
  (await server.call('GET', '/api/v2/me', { key })).status
const renew = (cookie: string): Promise<Answer> => post('/renew', { cookie })
const login = (name: string, password: string): Promise<Answer> =>
  post('', { json: { name, password } })

describe('signing in', () => {
  test('returns a secret for some minutes, and a cookie that is sent only to the session address', async () => {
    const answer = await login('EVA', PASSWORD)
    assert.equal(answer.status, 201)
    const { secret, date_expires, date_ends, user, api_key_id } = answer.body
    assert.equal(user.name, 'eva')
    assert.equal(Date.parse(date_expires) - nowMs, LIMITS.sessionSecretMs)
    assert.equal(Date.parse(date_ends) - nowMs, LIMITS.sessionMs)
    assert.match(
      String(answer.headers['set-cookie']),
      /^cms_session=[\w-]{43}; Max-Age=1209600; Path=\/api\/v2\/session; HttpOnly; SameSite=Strict$/,
    )
    const own = await server.call('GET', '/api/v2/me', { key: secret })
    assert.equal(own.body.user.name, 'eva')
    assert.equal(own.body.api_key.api_key_id, api_key_id)
    assert.ok(own.body.grants.includes('publish'))
  })

  test('has a cookie of the host alone if the page was loaded over TLS', async () => {
    const headers = { host: 'cms.example.org', origin: 'https://cms.example.org' }
    const answer = await post('', { json: { name: 'eva', password: PASSWORD }, headers })
    assert.match(
      String(answer.headers['set-cookie']),
      /^__Host-cms_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const renewed = await post('/renew', { cookie: cookieOf(answer), headers })
    assert.equal(renewed.status, 200)
    // Any host of the domain can set the other name: it could sign in a person under the name of somebody else.
    const set = cookieOf(answer).replace('__Host-', '__Secure-')
    assertProblem(await post('/renew', { cookie: set, headers }), 'session-over')
    const added = `__Secure-cms_session=${'x'.repeat(43)}; ${cookieOf(answer)}`
    assert.equal((await post('/renew', { cookie: added, headers })).status, 200)
    // The same cookie is not accepted over an insecure connection, where an attacker could have changed it.
    assertProblem(await renew(cookieOf(answer)), 'session-over')
    const out = await session(server.url, 'DELETE', '', { cookie: cookieOf(answer), headers })
    const cleared = /^__Host-cms_session=; Max-Age=0; Path=\/; /
    assert.match(String(out.headers['set-cookie']), cleared)
    assertProblem(await post('/renew', { cookie: cookieOf(answer), headers }), 'session-over')
  })

  test('is not undone by cookies that another host of the domain added', async () => {
    const { cookie } = await signIn(server, 'eva')
    for (const cookies of [`cms_session=other; ${cookie}`, `a=b; ${cookie}; cms_session="`]) {
      const renewed = await renew(cookies)
      assert.deepEqual([renewed.status, renewed.body.user?.name], [200, 'eva'], cookies)
    }
    // The session of another user could make a person act in the other name.
    const admin = await signIn(server)
    assertProblem(await renew(`${admin.cookie}; ${cookie}`), 'session-over')
    assert.equal((await session(server.url, 'DELETE', '', { cookie: `x; ${cookie}` })).status, 204)
    assertProblem(await renew(cookie), 'session-over')
  })

  test('fails with the same message for every reason', async () => {
    await server.command({ command: 'user.create', name: 'gone', role: 'viewer' })
    await givePassword(server, 'gone')
    await server.command({ command: 'user.disable', name: 'gone' })
    const answers = [
      await login('eva', 'correct horse batterY'),
      await login('nobody', PASSWORD),
      await login('guest', PASSWORD),
      await login('gone', PASSWORD),
    ]
    for (const answer of answers) assertProblem(answer, 'sign-in-failed')
    assert.equal(new Set(answers.map(({ body }) => body.detail)).size, 1)
    assert.match(String(answers[0]?.headers['www-authenticate']), /^Bearer/)
  })

  test('refuses values that are not text, and unknown members', async () => {
    for (const [json, pointer] of [
      [{ name: 'eva', password: 1 }, '/password'],
      [{ name: 'eva' }, '/password'],
      [{ name: ['eva'], password: PASSWORD }, '/name'],
      [{ name: 'e'.repeat(256), password: PASSWORD }, '/name'],
      [{ name: 'eva', password: PASSWORD, remember: true }, '/remember'],
      [{ name: 'eva', password: 'x'.repeat(1_025) }, '/password'],
      [{ name: 'eva', password: 'half \ud800 of a pair' }, '/password'],
    ] as const) {
      const answer = await post('', { json })
      assert.ok(answer.status === 422 || answer.status === 400, answer.text)
      if (answer.status === 422) assert.equal(answer.body.errors[0].pointer, pointer)
    }
  })

  test('is refused from pages of other sites, as are renewal and sign-out', async () => {
    const { cookie } = await signIn(server, 'eva')
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]
    for (const headers of foreign) {
      const json = { name: 'eva', password: PASSWORD }
      assertProblem(await post('', { json, headers }), 'cross-site')
      assertProblem(await post('/renew', { cookie, headers }), 'cross-site')
      assertProblem(await post('/link', { json: {}, headers }), 'cross-site')
      const out = await session(server.url, 'DELETE', '', { cookie, headers })
      assertProblem(out, 'cross-site')
    }
    const own = { origin: server.url, 'sec-fetch-site': 'same-origin' }
    assert.equal((await post('/renew', { cookie, headers: own })).status, 200)
    const { origin } = own
    assert.equal((await post('/renew', { cookie, headers: { origin } })).status, 200)
  })

  test('stores neither the password nor the cookie on disk', async () => {
    const { cookie, secret } = await signIn(server, 'eva')
    for (const text of [PASSWORD, secret, cookie.slice('cms_session='.length)])
      assert.deepEqual(await placesHolding(server.dataDir, text), [])
  })

  test('adds one audit row, as does signing out', async () => {
    const { cookie, keyId } = await signIn(server, 'eva')
    await session(server.url, 'DELETE', '', { cookie })
    const { body } = await server.call('GET', '/api/v2/audit?length=1000')
    const rows = body.audit.filter(
      (row: any) => row.object_id === keyId && row.object === 'api_key',
    )
    assert.deepEqual(
      rows.map(({ action, user_name, api_key_id, address }: any) => [
        action,
        user_name,
        api_key_id,
        address,
      ]),
      [
        ['sign_in', 'eva', keyId, '127.0.0.1'],
        ['sign_out', 'eva', keyId, '127.0.0.1'],
      ],
    )
  })
})

describe('a session', () => {
  test('is a key in the list, named after the browser, and ends when the key is deleted', async () => {
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }
    const answer = await post('', { json: { name: 'eva', password: PASSWORD }, headers })
    const { secret, api_key_id: id } = answer.body
    const path = `/api/v2/api_key/${id}`
    const { body } = await server.call('GET', path, { key: secret })
    assert.equal(body.name, 'Firefox, Linux')
    assert.equal(body.date_signed_in, new Date(nowMs).toISOString())

    assert.equal((await server.call('DELETE', path, { key: secret })).status, 204)
    assert.equal(await me(secret), 401)
    assertProblem(await renew(cookieOf(answer)), 'session-over')
  })

  test('can be distinguished from keys by qry', async () => {
    const { keyId } = await signIn(server, 'eva')
    const ids = async (qry: object): Promise<readonly number[]> => {
      const query = encodeURIComponent(JSON.stringify(qry))
      const { body } = await server.call('GET', `/api/v2/api_key?length=1000&qry=${query}`)
      return body.api_key.map((key: any) => key.api_key_id)
    }
    const keys = await ids({ date_signed_in: null })
    const sessions = await ids({ date_signed_in: { $exists: true } })
    assert.ok(keys.includes(1) && !keys.includes(keyId))
    assert.ok(sessions.includes(keyId) && !sessions.includes(1))
  })

  test('gets a new secret by its cookie, and earlier secrets stay valid until they expire', async () => {
    const first = await signIn(server, 'eva')
    nowMs += LIMITS.sessionSecretMs / 2
    const { status, body } = await renew(first.cookie)
    assert.equal(status, 200)
    assert.equal(body.api_key_id, first.keyId)
    assert.deepEqual([await me(first.secret), await me(body.secret)], [200, 200])
    nowMs += LIMITS.sessionSecretMs / 2
    assert.deepEqual([await me(first.secret), await me(body.secret)], [401, 200])
  })

  test('has a limited number of secrets', async () => {
    const { cookie, secret } = await signIn(server, 'eva')
    nowMs += 1
    const secrets: string[] = []
    for (let count = 0; count < LIMITS.secretsPerSession; count += 1) {
      secrets.push((await renew(cookie)).body.secret)
      nowMs += 1
    }
    assert.equal(await me(secret), 401)
    for (const later of secrets) assert.equal(await me(later), 200)
  })

  test('ends when it is idle, and after its maximum age', async () => {
    const idle = await signIn(server, 'eva')
    const used = await signIn(server, 'eva')
    const { body } = await renew(used.cookie)
    const endMs = Date.parse(body.date_ends)
    nowMs += LIMITS.sessionIdleMs - 1
    assert.equal((await renew(used.cookie)).status, 200)
    nowMs += 1
    assertProblem(await renew(idle.cookie), 'session-over')
    assert.equal((await renew(used.cookie)).status, 200)
    while (nowMs + LIMITS.sessionIdleMs < endMs) {
      nowMs += LIMITS.sessionIdleMs - 1
      assert.equal((await renew(used.cookie)).status, 200)
    }
    nowMs = endMs - 1
    const last = await renew(used.cookie)
    assert.equal(last.body.date_expires, body.date_ends)
    nowMs = endMs
    assert.equal(await me(last.body.secret), 401)
    assertProblem(await renew(used.cookie), 'session-over')
  })

  test('ends at once when its user is disabled', async () => {
    await server.command({ command: 'user.create', name: 'short', role: 'viewer' })
    await givePassword(server, 'short')
    const { cookie, secret } = await signIn(server, 'short')
    await server.command({ command: 'user.disable', name: 'short' })
    assert.equal(await me(secret), 401)
    assertProblem(await renew(cookie), 'session-over')
    // The session does not resume when the user is enabled again.
    await server.command({ command: 'user.enable', name: 'short' })
    assert.equal(await me(secret), 401)
    assertProblem(await renew(cookie), 'session-over')
  })

  test('makes keys that outlive it', async () => {
    const { cookie, secret, keyId } = await signIn(server)
    const made = await server.call('POST', '/api/v2/api_key', {
      json: { name: 'made' },
      key: secret,
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.made_by, null)
    assert.equal(made.body.date_expires, null)
    const path = `/api/v2/api_key/${keyId}?cascade=true`
    assert.equal((await server.call('DELETE', path)).status, 204)
    assert.equal(await me(made.body.secret), 200)
    assertProblem(await renew(cookie), 'session-over')
  })

  test('can neither be rotated nor extended', async () => {
    const { keyId, secret } = await signIn(server)
    const path = `/api/v2/api_key/${keyId}`
    const rotated = await server.call('POST', `${path}/rotate`, { key: secret })
    assertProblem(rotated, 'invalid-content')
    for (const json of [{ date_expires: null }, { grants: ['view'] }]) {
      const changed = await server.call('POST', path, { json })
      assertProblem(changed, 'invalid-content')
    }
    const stopped = await server.call('POST', path, { json: { status: 'inactive' } })
    assert.equal(stopped.status, 200, stopped.text)
    assert.equal(await me(secret), 401)
  })

  test('ends for a new session of its user if it is the least recently used one', async () => {
    await server.command({ command: 'user.create', name: 'many', role: 'viewer' })
    await givePassword(server, 'many')
    const sessions = []
    for (let count = 0; count <= LIMITS.sessionsPerUser; count += 1) {
      sessions.push(await signIn(server, 'many'))
      nowMs += 1
      if (count === 1) await renew(sessions[0]?.cookie ?? '')
    }
    const states = await Promise.all(sessions.map(({ secret }) => me(secret)))
    assert.deepEqual([states[0], states[1], states[2]], [200, 401, 200])
    assert.equal(states.filter((status) => status === 200).length, LIMITS.sessionsPerUser)
  })
})

test('the next start removes expired sessions and no others', async () => {
  const dataDir = newDataDirectory()
  const idsIn = async ({ call }: TestServer): Promise<readonly number[]> =>
    (await call('GET', '/api/v2/api_key')).body.api_key.map((key: any) => key.api_key_id)
  let atMs = Date.parse('2026-05-04T10:00:00Z')
  const start = (): Promise<TestServer> => startTestServer({ dataDir, now: () => new Date(atMs) })

  const first = await start()
  await givePassword(first)
  const over = await signIn(first)
  atMs += LIMITS.sessionIdleMs / 2
  const lasting = await signIn(first)
  await first.stop()

  atMs += LIMITS.sessionIdleMs / 2
  const second = await start()
  try {
    assert.ok(await eventually(async () => !(await idsIn(second)).includes(over.keyId)))
    assert.ok((await idsIn(second)).includes(lasting.keyId))
  } finally {
    await second.close()
  }
})

describe('signing out', () => {
  test('ends the session, its secrets and its cookie, and no other session', async () => {
    const [one, other] = [await signIn(server, 'eva'), await signIn(server, 'eva')]
    const answer = await session(server.url, 'DELETE', '', { cookie: one.cookie })
    assert.equal(answer.status, 204)
    assert.match(String(answer.headers['set-cookie']), /^cms_session=; Max-Age=0; Path=/)
    assert.deepEqual([await me(one.secret), await me(other.secret)], [401, 200])
    assertProblem(await renew(one.cookie), 'session-over')
    // Repeating the request is not an error.
    const again = await session(server.url, 'DELETE', '', { cookie: one.cookie })
    assert.equal(again.status, 204)
  })

  test('everywhere ends all sessions of the user and none of other users', async () => {
    const [one, other, admin] = [
      await signIn(server, 'eva'),
      await signIn(server, 'eva'),
      await signIn(server),
    ]
    const path = '?everywhere=true'
    await session(server.url, 'DELETE', path, { cookie: one.cookie })
    assert.deepEqual(
      [await me(one.secret), await me(other.secret), await me(admin.secret)],
      [401, 401, 200],
    )
  })

  test('in again ends the session whose cookie is replaced', async () => {
    const first = await signIn(server)
    const json = { name: 'admin', password: PASSWORD }
    const again = await post('', { json, cookie: first.cookie })
    assert.equal(again.status, 201, again.text)
    assert.equal(await me(first.secret), 401)
    assertProblem(await renew(first.cookie), 'session-over')
    // A failed sign-in does not end the existing session.
    const wrong = { json: { ...json, password: 'wrong' }, cookie: cookieOf(again) }
    assertProblem(await post('', wrong), 'sign-in-failed')
    assert.equal(await me(again.body.secret), 200)
  })

  test('without a session ends no session', async () => {
    const { secret } = await signIn(server, 'eva')
    const answer = await session(server.url, 'DELETE', '?everywhere=true')
    assert.equal(answer.status, 204)
    assert.equal(await me(secret), 200)
  })
})

test('a cookie keeps to the session address below a base path, and where a site shares the host', async () => {
  const site = { origin: 'https://cms.example.org:8443', folder: '/Main' }
  for (const config of [{ sites: [site] }, { baseUrl: 'https://cms.example.org/cms' }]) {
    const other = await startTestServer({ config })
    try {
      await givePassword(other)
      const headers = { host: 'cms.example.org', origin: 'https://cms.example.org' }
      const json = { name: 'admin', password: PASSWORD }
      const path = `${'baseUrl' in config ? '/cms' : ''}/api/v2/session`
      const answer = await other.call('POST', path, { json, headers, key: null })
      assert.equal(answer.status, 201, answer.text)
      const cookie = String(answer.headers['set-cookie'])
      assert.match(cookie, /^__Secure-cms_session=.*; Path=(\/cms)?\/api\/v2\/session; /)
    } finally {
      await other.close()
    }
  }
})
