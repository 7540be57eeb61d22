// The right to set a password, the sessions that end with the old password, and the limits against guessing.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { placesHolding } from '../../helpers/stored.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'
import { givePassword, PASSWORD, session, signIn } from '../../helpers/sessions.ts'

const NEXT = 'staple of another color'

let server: TestServer
let users = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const me = async (key: string): Promise<number> =>
  (await server.call('GET', '/api/v2/me', { key })).status
const login = (name: string, password: string): Promise<Answer> =>
  session(server.url, 'POST', '', { json: { name, password } })

/** Makes a user with the password of the tests. */
async function makeUser(role = 'editor'): Promise<{ readonly name: string; readonly id: number }> {
  const name = `user-${(users += 1)}`
  const { user_id: id } = await server.command({ command: 'user.create', name, role })
  await givePassword(server, name)
  return { name, id }
}

const change = (key: string, json: object): Promise<Answer> =>
  server.call('POST', '/api/v2/me/password', { key, json })
const set = (id: number, password: unknown, key = server.key): Promise<Answer> =>
  server.call('POST', `/api/v2/user/${id}/password`, { key, json: { password } })

describe('a user’s own password', () => {
  test('can be changed with the current one; other sessions end, and keys stay valid', async () => {
    const { name } = await makeUser()
    const [one, other] = [await signIn(server, name), await signIn(server, name)]
    const key = await server.makeKey({ user: name })
    const answer = await change(one.secret, { password: PASSWORD, new_password: NEXT })
    assert.equal(answer.status, 204, answer.text)
    assert.deepEqual([await me(one.secret), await me(other.secret), await me(key)], [200, 401, 200])
    assertProblem(await login(name, PASSWORD), 'sign-in-failed')
    assert.equal((await login(name, NEXT)).status, 201)
    assert.deepEqual(await placesHolding(server.dataDir, NEXT), [])
  })

  test('is compared in a normal form, so that every keyboard can type it', async () => {
    const { name } = await makeUser()
    const { secret } = await signIn(server, name)
    await change(secret, { password: PASSWORD, new_password: 'gru\u0308n ist die Hoffnung' })
    assert.equal((await login(name, 'gr\u00fcn ist die Hoffnung')).status, 201)
  })

  test('cannot be changed without the current one, or to a short one', async () => {
    const { name } = await makeUser()
    const { secret } = await signIn(server, name)
    for (const [json, pointer] of [
      [{ new_password: NEXT }, '/password'],
      [{ password: 'wrong', new_password: NEXT }, '/password'],
      [{ password: PASSWORD }, '/new_password'],
      [{ password: PASSWORD, new_password: 'eleven char' }, '/new_password'],
      [{ password: PASSWORD, new_password: NEXT, old: 1 }, '/old'],
    ] as const) {
      const { errors } = assertProblem(await change(secret, json), 'invalid-content')
      assert.equal(errors[0].pointer, pointer)
    }
    assert.equal((await login(name, PASSWORD)).status, 201)
  })

  test('can be changed by a user without any grants', async () => {
    const { name, id } = await makeUser()
    const { secret } = await signIn(server, name)
    await server.call('POST', `/api/v2/user/${id}`, { json: { role: null } })
    const answer = await change(secret, { password: PASSWORD, new_password: NEXT })
    assert.equal(answer.status, 204, answer.text)
    const key = await server.makeKey({ user: name })
    assert.equal((await change(key, { password: NEXT, new_password: PASSWORD })).status, 403)
    assert.equal((await login(name, NEXT)).status, 201)
  })

  test('cannot be changed by a key, whatever its grants are', async () => {
    const { name } = await makeUser('admin')
    const key = await server.makeKey({ user: name })
    const answer = await change(key, { password: PASSWORD, new_password: NEXT })
    assertProblem(answer, 'session-required')
  })

  test('has the same limit of attempts as a sign-in', async () => {
    const { name } = await makeUser()
    const { secret } = await signIn(server, name)
    for (let count = 0; count < LIMITS.signInFailures; count += 1)
      assertProblem(
        await change(secret, { password: 'wrong', new_password: NEXT }),
        'invalid-content',
      )
    const answer = await change(secret, { password: PASSWORD, new_password: NEXT })
    assertProblem(answer, 'too-many-requests')
    assert.ok(Number(answer.headers['retry-after']) > 0)
  })
})

test('a user can change the password while others guess it at the sign-in', async () => {
  const { name } = await makeUser()
  const { secret } = await signIn(server, name)
  for (let count = 0; count < LIMITS.signInFailures; count += 1)
    assertProblem(await login(name, 'wrong'), 'sign-in-failed')
  assertProblem(await login(name, PASSWORD), 'too-many-requests')
  assert.equal((await change(secret, { password: PASSWORD, new_password: NEXT })).status, 204)
})

describe('the password of another user', () => {
  test('can be set by an administrator, which ends all sessions', async () => {
    const { name, id } = await makeUser()
    const { secret } = await signIn(server, name)
    assert.equal((await set(id, NEXT)).status, 204)
    assert.equal(await me(secret), 401)
    assert.equal((await login(name, NEXT)).status, 201)
    assert.equal((await set(id, null)).status, 204)
    assertProblem(await login(name, NEXT), 'sign-in-failed')
  })

  test('is shown only as set or not set', async () => {
    const { id } = await makeUser()
    const read = async (): Promise<any> => (await server.call('GET', `/api/v2/user/${id}`)).body
    assert.equal((await read()).has_password, true)
    await set(id, null)
    assert.equal((await read()).has_password, false)
  })

  test('cannot be set without the admin grant, or for a user with more rights', async () => {
    const { id } = await makeUser()
    const { name: editor } = await makeUser()
    assertProblem(await set(id, NEXT, (await signIn(server, editor)).secret), 'grant-missing')
    const weak = await server.makeKey({ grants: 'admin,view' })
    assertProblem(await set(id, NEXT, weak), 'not-found')
    assertProblem(await set(999, NEXT), 'not-found')
  })

  test('is required and checked', async () => {
    const { id } = await makeUser()
    for (const json of [{}, { password: 'short' }, { password: 12 }, { password: NEXT, more: 1 }]) {
      const answer = await server.call('POST', `/api/v2/user/${id}/password`, { json })
      assertProblem(answer, 'invalid-content')
    }
  })

  test('is set by this route only for others, because a user’s own needs the current one', async () => {
    const { name, id } = await makeUser('admin')
    const { secret } = await signIn(server, name)
    assertProblem(await set(id, NEXT, secret), 'invalid-content')
  })

  test('cannot be set for the user’s own account by a key, even a key that a session made', async () => {
    const { name, id } = await makeUser('admin')
    const { secret } = await signIn(server, name)
    const json = { name: 'made by a session' }
    const made = await server.call('POST', '/api/v2/api_key', { key: secret, json })
    for (const password of [NEXT, null])
      assertProblem(await set(id, password, made.body.secret), 'session-required')
    const path = `/api/v2/user/${id}/second_factor/remove`
    const removed = await server.call('POST', path, { key: made.body.secret })
    assertProblem(removed, 'session-required')
    assert.equal((await signIn(server, name)).secret.startsWith('cms_'), true)
  })

  test('adds an audit row without the password, and an Idempotency-Key stores nothing of it', async () => {
    const { id } = await makeUser()
    const headers = { 'idempotency-key': 'same' }
    const path = `/api/v2/user/${id}/password`
    for (const password of [NEXT, PASSWORD]) {
      const answer = await server.call('POST', path, { json: { password }, headers })
      assert.equal(answer.status, 204)
    }
    const { body } = await server.call('GET', '/api/v2/audit?length=1000')
    const rows = body.audit.filter((row: any) => row.object === 'user' && row.object_id === id)
    assert.deepEqual(
      rows
        .slice(-2)
        .map(({ action, count, changed_fields: fields }: any) => [action, count, fields]),
      [
        ['update', 1, ['password']],
        ['update', 1, ['password']],
      ],
    )
  })
})

test('the command line sets a password, and ends all sessions', async () => {
  const { name } = await makeUser()
  const { secret } = await signIn(server, name)
  await givePassword(server, name)
  assert.equal(await me(secret), 401)
})

describe('a client that guesses passwords', () => {
  test('must wait after some attempts, even with the correct password', async () => {
    const { name } = await makeUser()
    for (let count = 0; count < LIMITS.signInFailures; count += 1)
      assertProblem(await login(name, `wrong ${count}`), 'sign-in-failed')
    const answer = await login(name.toUpperCase(), PASSWORD)
    assertProblem(answer, 'too-many-requests')
    assert.ok(Number(answer.headers['retry-after']) > 0)
    const { name: other } = await makeUser()
    assert.equal((await login(other, PASSWORD)).status, 201)
  })

  test('cannot avoid the limit with parallel attempts', async () => {
    const { name } = await makeUser()
    const count = LIMITS.signInFailures * 2
    const answers = await Promise.all(Array.from({ length: count }, () => login(name, 'wrong')))
    const failed = answers.filter(({ status }) => status === 401)
    assert.equal(failed.length, LIMITS.signInFailures)
  })

  test('learns nothing about names, because an unknown name waits as long', async () => {
    for (let count = 0; count < LIMITS.signInFailures; count += 1)
      assertProblem(await login('nobody', 'wrong'), 'sign-in-failed')
    assertProblem(await login('nobody', 'wrong'), 'too-many-requests')
  })

  test('does not lock out users who signed in from their own address before', async () => {
    const proxied = await startTestServer({ config: { proxies: trustLoopback() } })
    try {
      await proxied.command({ command: 'user.create', name: 'eva', role: 'viewer' })
      await givePassword(proxied, 'eva')
      const from = (address: string, password: string): Promise<Answer> => {
        const headers = { 'x-forwarded-for': address }
        return session(proxied.url, 'POST', '', { json: { name: 'eva', password }, headers })
      }
      const first = await from('192.0.2.1', PASSWORD)
      const headers = { 'x-forwarded-for': '192.0.2.1' }
      await proxied.call('GET', '/api/v2/me', { key: first.body.secret, headers })
      for (let count = 0; count < LIMITS.signInFailures; count += 1)
        assertProblem(await from('198.51.100.7', 'wrong'), 'sign-in-failed')
      assertProblem(await from('203.0.113.9', PASSWORD), 'too-many-requests')
      assert.equal((await from('192.0.2.1', PASSWORD)).status, 201)
    } finally {
      await proxied.close()
    }
  })

  test('must wait at one address, whichever names are tried', async () => {
    const proxied = await startTestServer({ config: { proxies: trustLoopback() } })
    try {
      const from = (address: string, name: string): Promise<Answer> => {
        const headers = { 'x-forwarded-for': address }
        return session(proxied.url, 'POST', '', { json: { name, password: 'wrong' }, headers })
      }
      for (let count = 0; count < LIMITS.signInFailuresPerAddress; count += 1)
        assertProblem(await from('198.51.100.7', `name ${count}`), 'sign-in-failed')
      assertProblem(await from('198.51.100.7', 'another'), 'too-many-requests')
      assertProblem(await from('198.51.100.8', 'another'), 'sign-in-failed')
    } finally {
      await proxied.close()
    }
  })
})
