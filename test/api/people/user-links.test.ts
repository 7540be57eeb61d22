// Links by which users set their passwords: what a link allows, everything that ends a link, and what answers reveal.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { runCli } from '../../helpers/child-server.ts'
import { assertProblem } from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { codeAt, giveSecondFactor } from '../../helpers/second-factors.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, PASSWORD, session, signIn } from '../../helpers/sessions.ts'
import { placesHolding } from '../../helpers/stored.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'

const NEXT = 'staple of another color'
const STEP_MS = 30_000

let server: TestServer
let nowMs = Date.parse('2026-05-04T10:00:00Z')
let users = 0

before(async () => {
  server = await startTestServer({ now: () => new Date(nowMs) })
})
after(() => server.close())

interface Person {
  readonly name: string
  readonly id: number
}

async function makeUser(role: string | null = 'editor'): Promise<Person> {
  const name = `user-${(users += 1)}`
  const answer = await server.call('POST', '/api/v2/user', { json: { name, role } })
  return { name, id: answer.body.user_id }
}

const make = (id: number, key = server.key): Promise<Answer> =>
  server.call('POST', `/api/v2/user/${id}/link`, { key })
const tokenFor = async (id: number, key?: string): Promise<string> =>
  (await make(id, key)).body.token
const check = (token: string): Promise<Answer> =>
  session(server.url, 'POST', '/link/check', { json: { token } })
const open = (token: string, more: object = {}): Promise<Answer> =>
  session(server.url, 'POST', '/link', { json: { token, password: PASSWORD, ...more } })
const change = (id: number, json: object): Promise<Answer> =>
  server.call('PATCH', `/api/v2/user/${id}`, { json })

async function assertOver(token: string): Promise<void> {
  assertProblem(await check(token), 'link-over')
  assertProblem(await open(token), 'link-over')
}

describe('the link of a user', () => {
  test('names its user, sets the password once, and signs in', async () => {
    const { id, name } = await makeUser()
    const made = await make(id)
    assert.equal(made.status, 201, made.text)
    const { token, url, date_expires: end } = made.body
    assert.equal(url, `/admin/welcome#${token}`)
    assert.match(token, /^[\w-]{43}$/)
    assert.equal(end, new Date(nowMs + LIMITS.userLinkMs).toISOString())
    assert.match(String(made.headers['cache-control']), /no-store/)
    assert.deepEqual(await placesHolding(server.dataDir, token), [])
    const shown = (await server.call('GET', `/api/v2/user/${id}`)).body
    assert.deepEqual([shown.date_link_expires, shown.has_password], [end, false])

    assert.deepEqual((await check(token)).body, { name, first_start: false })
    assertProblem(await open(token, { password: 'short' }), 'invalid-content')
    const opened = await open(token)
    assert.equal(opened.status, 201, opened.text)
    assert.deepEqual(opened.body.user, { user_id: id, name })
    await assertOver(token)
    await signIn(server, name)
    assert.equal((await server.call('GET', `/api/v2/user/${id}`)).body.date_link_expires, null)
  })

  test('is accepted for one of two simultaneous requests', async () => {
    const token = await tokenFor((await makeUser()).id)
    const both = await Promise.all([open(token), open(token)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401])
  })

  test('replaces a forgotten password and ends the sessions, but no key', async () => {
    const { id, name } = await makeUser()
    await givePassword(server, name)
    const { secret } = await signIn(server, name)
    const key = await server.makeKey({ user: name })
    const token = await tokenFor(id)
    const me = async (of: string): Promise<number> =>
      (await server.call('GET', '/api/v2/me', { key: of })).status
    assert.deepEqual([await me(secret), await me(key)], [200, 200])
    const opened = await open(token, { password: NEXT })
    assert.deepEqual(
      [await me(secret), await me(key), await me(opened.body.secret)],
      [401, 200, 200],
    )
    const json = { name, password: PASSWORD }
    assertProblem(await session(server.url, 'POST', '', { json }), 'sign-in-failed')
  })

  test('does not replace the second factor', async () => {
    const { id, name } = await makeUser()
    await givePassword(server, name)
    const factor = await giveSecondFactor(server, (await signIn(server, name)).secret, nowMs)
    nowMs += STEP_MS
    const token = await tokenFor(id)
    assertProblem(await open(token), 'code-required')
    assertProblem(await open(token, { code: '000000' }), 'code-wrong')
    const opened = await open(token, { code: codeAt(factor.secret, nowMs) })
    assert.equal(opened.status, 201, opened.text)
  })

  test('has a row in the audit trail when it is made and when it is used', async () => {
    const { id } = await makeUser()
    const token = await tokenFor(id)
    const rows = async (): Promise<any> =>
      (await server.call('GET', '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=1')).body
        .audit[0]
    const made = await rows()
    assert.deepEqual(
      [made.action, made.object, made.object_id, made.changed_fields],
      ['update', 'user', id, ['date_link_expires']],
    )
    await open(token)
    const used = await rows()
    assert.deepEqual([used.action, used.user_id], ['sign_in', id])
    const told = used.changes.find(({ object }: { object: string }) => object === 'user')
    assert.deepEqual(told.changed_fields, ['date_link_expires', 'password'])
  })
})

describe('the link of a user ends', () => {
  const ends: readonly (readonly [string, (person: Person) => Promise<unknown>])[] = [
    ['with a newer link', ({ id }) => make(id)],
    ['with a new password', ({ name }) => givePassword(server, name)],
    [
      'when the user is disabled, even if the user is enabled again',
      async ({ id }) => {
        await change(id, { status: 'disabled' })
        await change(id, { status: 'active' })
      },
    ],
    ['when the user is deleted', ({ id }) => server.call('DELETE', `/api/v2/user/${id}`)],
    ['after three days', async () => (nowMs += LIMITS.userLinkMs)],
  ]
  for (const [name, end] of ends)
    test(name, async () => {
      const person = await makeUser()
      const token = await tokenFor(person.id)
      assert.equal((await check(token)).status, 200)
      await end(person)
      await assertOver(token)
    })

  test('when the key that made it is revoked', async () => {
    const { id } = await makeUser()
    const key = await server.makeKey({ user: 'admin' })
    const { api_key_id: keyId } = (await server.call('GET', '/api/v2/me', { key })).body.api_key
    const token = await tokenFor(id, key)
    await server.call('DELETE', `/api/v2/api_key/${keyId}`)
    await assertOver(token)
  })

  test('when its maker may no longer make it, but not with the session of the maker', async () => {
    const maker = await makeUser('admin')
    await givePassword(server, maker.name)
    const { secret } = await signIn(server, maker.name)
    const { id } = await makeUser()
    const token = await tokenFor(id, secret)
    await givePassword(server, maker.name)
    assert.equal((await check(token)).status, 200)
    await change(maker.id, { role: 'editor' })
    await assertOver(token)
  })

  test('when its user holds more than its maker', async () => {
    const maker = await makeUser('admin')
    const roles = [{ asset_category_id: 1, role: 'viewer' }]
    await change(maker.id, { category_roles: roles })
    await givePassword(server, maker.name)
    const { secret } = await signIn(server, maker.name)
    const { id } = await makeUser('viewer')
    const token = await tokenFor(id, secret)
    assert.equal((await check(token)).status, 200)
    await change(id, { role: 'editor' })
    await assertOver(token)
  })

  test('with key revoke --all, also behind a prefix', async () => {
    const config = { baseUrl: 'https://cms.example.org/cms' }
    const other = await startTestServer({ config })
    try {
      const { body } = await other.call('POST', '/api/v2/user', { json: { name: 'eva' } })
      const made = await other.call('POST', `/api/v2/user/${body.user_id}/link`)
      const { token, url } = made.body
      assert.equal(url, `/cms/admin/welcome#${token}`)
      const use = (): Promise<Answer> =>
        session(other.url, 'POST', '/link/check', { json: { token } })
      assert.equal((await use()).status, 200)
      await other.command({ command: 'key.revoke-all' })
      assert.equal((await use()).status, 401)
    } finally {
      await other.close()
    }
  })
})

describe('the maker of a link', () => {
  test('needs the grant admin and everything that the user holds', async () => {
    const { id } = await makeUser('admin')
    const editor = await server.makeKey({ user: 'admin', grants: 'view,modify' })
    assertProblem(await make(id, editor), 'grant-missing')
    const narrow = await server.makeKey({ user: 'admin', grants: 'view,admin' })
    assertProblem(await make(id, narrow), 'not-found')
    assertProblem(await make(999), 'not-found')
  })

  test('makes none for its own user or for a disabled user', async () => {
    assertProblem(await make(1), 'session-required')
    const { id } = await makeUser()
    await change(id, { status: 'disabled' })
    assertProblem(await make(id), 'in-use')
  })

  test(
    'can be the operator, whose command prints the link alone on stdout',
    oneServer('child'),
    async () => {
      const { name } = await makeUser()
      const args = ['user', 'link', name, '--data', server.dataDir]
      const { stdout, code } = await runCli([...args, '--base-url', 'https://a.example.org/b'])
      const [, token = ''] =
        /^https:\/\/a\.example\.org\/b\/admin\/welcome#(\S+)\n$/.exec(stdout) ?? []
      assert.equal(code, 0)
      assert.deepEqual((await check(token)).body.name, name)
      assert.match((await runCli(args)).stdout, /^\/admin\/welcome#\S+\n$/)
    },
  )
})

test('guesses of links wait with the other sign-ins from their address', async () => {
  const proxied = await startTestServer({ config: { proxies: trustLoopback() } })
  try {
    const { body } = await proxied.call('POST', '/api/v2/user', { json: { name: 'eva' } })
    const { token } = (await proxied.call('POST', `/api/v2/user/${body.user_id}/link`)).body
    const from = (address: string, path: string, sent: string): Promise<Answer> => {
      const headers = { 'x-forwarded-for': address }
      const json = { token: sent, ...(path === '/link' && { password: PASSWORD }) }
      return session(proxied.url, 'POST', path, { json, headers })
    }
    for (let count = 0; count < LIMITS.signInFailuresPerAddress; count += 1)
      assertProblem(
        await from('198.51.100.7', count % 2 ? '/link' : '/link/check', 'x'),
        'link-over',
      )
    assertProblem(await from('198.51.100.7', '/link', token), 'too-many-requests')
    assert.equal((await from('198.51.100.8', '/link', token)).status, 201)
  } finally {
    await proxied.close()
  }
})
