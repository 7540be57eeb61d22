// The second factor: how a user activates it, what a sign-in requires, and how it is removed.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { runCli } from '../../helpers/child-server.ts'
import { assertProblem } from '../../helpers/content.ts'
import { codeAt, type Factor, giveSecondFactor } from '../../helpers/second-factors.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, PASSWORD, session, signIn } from '../../helpers/sessions.ts'
import { placesHolding } from '../../helpers/stored.ts'

const OWN = '/api/v2/me/second_factor'
const STEP_MS = 30_000

let server: TestServer
let nowMs = Date.parse('2026-05-04T10:00:00Z')
let users = 0

before(async () => {
  server = await startTestServer({ now: () => new Date(nowMs) })
})
after(() => server.close())

const me = async (key: string): Promise<number> =>
  (await server.call('GET', '/api/v2/me', { key })).status
const login = (name: string, code?: unknown, password = PASSWORD): Promise<Answer> =>
  session(server.url, 'POST', '', { json: { name, password, ...(code !== undefined && { code }) } })
const post = (path: string, key: string, json: object): Promise<Answer> =>
  server.call('POST', path, { key, json })
const remove = (key: string, json: object): Promise<Answer> => post(`${OWN}/remove`, key, json)

interface Person {
  readonly name: string
  readonly id: number
  /** The secret of a session. */
  readonly key: string
}

async function makePerson(role = 'editor'): Promise<Person> {
  const name = `user-${(users += 1)}`
  const { user_id: id } = await server.command({ command: 'user.create', name, role })
  await givePassword(server, name)
  return { name, id, key: (await signIn(server, name)).secret }
}

/** Makes a person with a second factor and moves the clock on, so that the current code is unused. */
async function makeProtected(role?: string): Promise<Person & Factor & { code(): string }> {
  const person = await makePerson(role)
  const factor = await giveSecondFactor(server, person.key, nowMs)
  nowMs += STEP_MS
  return { ...person, ...factor, code: () => codeAt(factor.secret, nowMs) }
}

const has = async (id: number): Promise<boolean> =>
  (await server.call('GET', `/api/v2/user/${id}`)).body.has_second_factor

const left = async (id: number): Promise<number> =>
  (await server.call('GET', `/api/v2/user/${id}`)).body.recovery_codes_left

describe('a second factor', () => {
  test('can be managed by a user without any grants', async () => {
    const { id, key } = await makePerson()
    await server.call('POST', `/api/v2/user/${id}`, { json: { role: null } })
    const { secret } = await giveSecondFactor(server, key, nowMs)
    nowMs += STEP_MS
    const proof = { password: PASSWORD, code: codeAt(secret, nowMs) }
    const renewed = await post('/api/v2/me/recovery_codes', key, proof)
    assert.equal(renewed.status, 201, renewed.text)
    const [code] = renewed.body.recovery_codes
    assert.equal((await remove(key, { password: PASSWORD, code })).status, 204)
    assert.equal(await has(id), false)
  })

  test('is shown at set-up and required after its first code was accepted', async () => {
    const { name, id, key } = await makePerson()
    const headers = { host: 'cms.example.org:8443' }
    const json = { password: PASSWORD }
    const shown = await server.call('POST', OWN, { key, json, headers })
    assert.equal(shown.status, 201, shown.text)
    const { secret, uri } = shown.body
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.equal(
      uri,
      `otpauth://totp/cms.example.org:${name}?issuer=cms.example.org&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    assert.equal((await login(name)).status, 201)
    assert.equal(await has(id), false)

    const confirmed = await post(`${OWN}/confirm`, key, { code: codeAt(secret, nowMs) })
    assert.equal(confirmed.status, 201, confirmed.text)
    assert.equal(new Set(confirmed.body.recovery_codes).size, LIMITS.recoveryCodes)
    assert.equal(await has(id), true)
    assert.equal(await left(id), LIMITS.recoveryCodes)
    assertProblem(await login(name), 'code-required')
    nowMs += STEP_MS
    assert.equal((await login(name, codeAt(secret, nowMs))).status, 201)
  })

  test('ends the sessions that began without it and leaves keys valid', async () => {
    const { name, key } = await makePerson()
    const { secret: other } = await signIn(server, name)
    const lasting = await server.makeKey({ user: name })
    await giveSecondFactor(server, key, nowMs)
    assert.deepEqual([await me(key), await me(other), await me(lasting)], [200, 401, 200])
  })

  test('cannot be set up without the password or by a key, or confirmed with a wrong code', async () => {
    const { name, key } = await makePerson()
    for (const json of [{}, { password: 'wrong' }, { password: 1 }])
      assertProblem(await post(OWN, key, json), 'invalid-content')
    const program = await server.makeKey({ user: name })
    assertProblem(await post(OWN, program, { password: PASSWORD }), 'session-required')
    assertProblem(await post(`${OWN}/confirm`, program, { code: '123456' }), 'session-required')

    assertProblem(await post(`${OWN}/confirm`, key, { code: '123456' }), 'not-found')
    const { secret } = (await post(OWN, key, { password: PASSWORD })).body
    const stale = codeAt(secret, nowMs - 10 * STEP_MS)
    for (const code of [stale, '', 123_456, undefined, 'x'.repeat(65)])
      assertProblem(await post(`${OWN}/confirm`, key, { code }), 'invalid-content')
    assert.equal((await login(name)).status, 201)
  })

  test('must be confirmed within an hour', async () => {
    const { name, key: first } = await makePerson()
    const { secret } = (await post(OWN, first, { password: PASSWORD })).body
    nowMs += LIMITS.nextSecondFactorMs
    const { secret: key } = await signIn(server, name)
    const code = codeAt(secret, nowMs)
    assertProblem(await post(`${OWN}/confirm`, key, { code }), 'not-found')
  })

  test('can be replaced by its user and stays in force until the new one is confirmed', async () => {
    const { name, key, code } = await makeProtected()
    assertProblem(await post(OWN, key, { password: PASSWORD }), 'invalid-content')
    const shown = await post(OWN, key, { password: PASSWORD, code: code() })
    assert.equal(shown.status, 201, shown.text)
    nowMs += STEP_MS
    assert.equal((await login(name, code())).status, 201)
    nowMs += STEP_MS
    const next = codeAt(shown.body.secret, nowMs)
    assert.equal((await post(`${OWN}/confirm`, key, { code: next })).status, 201)
    assertProblem(await login(name, code()), 'code-wrong')
    nowMs += STEP_MS
    assert.equal((await login(name, codeAt(shown.body.secret, nowMs))).status, 201)
  })

  test('survives a change of the password and is deleted with its user', async () => {
    const { name, id, code } = await makeProtected()
    const path = `/api/v2/user/${id}`
    await post(`${path}/password`, server.key, { password: 'staple of another color' })
    assertProblem(await login(name, undefined, 'staple of another color'), 'code-required')
    assert.equal((await login(name, code(), 'staple of another color')).status, 201)
    assert.equal((await server.call('DELETE', path)).status, 204)
  })
})

describe('a code', () => {
  test('is requested and compared only after the password was correct', async () => {
    const { name, code } = await makeProtected()
    for (const sent of [undefined, code(), '000000'])
      assertProblem(await login(name, sent, 'wrong'), 'sign-in-failed')
    const asked = await login(name)
    assertProblem(asked, 'code-required')
    assert.match(String(asked.headers['www-authenticate']), /^Bearer/)
    assert.equal(asked.headers['set-cookie'], undefined)
    assert.equal((await login(name, code())).status, 201)
  })

  test('is accepted once, and so are earlier codes', async () => {
    const { name, secret } = await makeProtected()
    assert.equal((await login(name, codeAt(secret, nowMs))).status, 201)
    for (const atMs of [nowMs, nowMs - STEP_MS])
      assertProblem(await login(name, codeAt(secret, atMs)), 'code-wrong')
    assert.equal((await login(name, codeAt(secret, nowMs + STEP_MS))).status, 201)
  })

  test('is accepted for only one of two simultaneous requests', async () => {
    const { name, code } = await makeProtected()
    const both = await Promise.all([login(name, code()), login(name, code())])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 401])
  })

  test('may be one time step early or late and may contain a space', async () => {
    const { name, secret } = await makeProtected()
    nowMs += 5 * STEP_MS
    for (const steps of [-2, 2])
      assertProblem(await login(name, codeAt(secret, nowMs + steps * STEP_MS)), 'code-wrong')
    const early = codeAt(secret, nowMs - STEP_MS)
    assert.equal((await login(name, `${early.slice(0, 3)} ${early.slice(3)}`)).status, 201)
    assert.equal((await login(name, codeAt(secret, nowMs + STEP_MS))).status, 201)
  })

  test('counts as an attempt when it is wrong, but the request for a code does not', async () => {
    const { name, code } = await makeProtected()
    for (let count = 0; count < LIMITS.signInFailures; count += 1)
      assertProblem(await login(name), 'code-required')
    for (let count = 0; count < LIMITS.signInFailures; count += 1)
      assertProblem(await login(name, 'wrong'), 'code-wrong')
    assertProblem(await login(name, code()), 'too-many-requests')
    assertProblem(await login(name), 'too-many-requests')
  })

  test('can be guessed only a few times a day by somebody with the password', async () => {
    const before = server
    server = await startTestServer({ now: () => new Date(nowMs), limits: { codeFailures: 3 } })
    try {
      const { name, key, code, recoveryCodes } = await makeProtected()
      assert.equal((await login(name, code())).status, 201)
      nowMs += STEP_MS
      assertProblem(await login(name, '000000', 'another password'), 'sign-in-failed')
      for (let count = 0; count < 3; count += 1)
        assertProblem(await login(name, '000000'), 'code-wrong')
      const refused = await login(name, code())
      assertProblem(refused, 'too-many-requests')
      assert.ok(Number(refused.headers['retry-after']) > 86_000)
      assert.equal((await login(name, recoveryCodes[0])).status, 201)
      // Failed sign-ins do not block a proof in an open session, which has its own small limit of guesses.
      for (let count = 0; count < 3; count += 1)
        assertProblem(await remove(key, { password: PASSWORD, code: '000000' }), 'invalid-content')
      const proof = await remove(key, { password: PASSWORD, code: code() })
      assertProblem(proof, 'too-many-requests')
    } finally {
      await server.close()
      server = before
    }
  })

  test('is not requested from users without a second factor', async () => {
    const { name } = await makePerson()
    assert.equal((await login(name, '123456')).status, 201)
    assertProblem(await login(name, 123_456), 'invalid-content')
  })
})

describe('recovery codes', () => {
  test('are accepted once each, in any spelling, and stored as hashes', async () => {
    const { name, id, recoveryCodes } = await makeProtected()
    const [first = '', second = ''] = recoveryCodes
    assert.match(first, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
    assert.equal((await login(name, first)).status, 201)
    assert.equal(await left(id), LIMITS.recoveryCodes - 1)
    assertProblem(await login(name, first), 'code-wrong')
    const typed = second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')
    assert.equal((await login(name, typed)).status, 201)
    for (const text of [first, first.replaceAll('-', ''), recoveryCodes[2] ?? ''])
      assert.deepEqual(await placesHolding(server.dataDir, text), [])
  })

  test('can be replaced with the password and a code', async () => {
    const { name, key, code, recoveryCodes } = await makeProtected()
    const path = '/api/v2/me/recovery_codes'
    for (const json of [{}, { password: PASSWORD }, { password: PASSWORD, code: '000000' }])
      assertProblem(await post(path, key, json), 'invalid-content')
    assertProblem(await post(path, key, { password: 'wrong', code: code() }), 'invalid-content')
    const answer = await post(path, key, { password: PASSWORD, code: code() })
    assert.equal(answer.status, 201, answer.text)
    assertProblem(await login(name, recoveryCodes[0]), 'code-wrong')
    assert.equal((await login(name, answer.body.recovery_codes[0])).status, 201)
  })

  test('are refused to users without a second factor', async () => {
    const { key } = await makePerson()
    const answer = await post('/api/v2/me/recovery_codes', key, { password: PASSWORD })
    assertProblem(answer, 'not-found')
  })
})

describe('a second factor can be removed', () => {
  test('by its user, with the password and a code', async () => {
    const { name, id, key, code, recoveryCodes } = await makeProtected()
    for (const json of [{}, { password: PASSWORD }, { password: PASSWORD, code: '000000' }])
      assertProblem(await remove(key, json), 'invalid-content')
    assert.equal(await has(id), true)
    assert.equal((await remove(key, { password: PASSWORD, code: code() })).status, 204)
    assert.equal((await login(name)).status, 201)
    assert.equal((await remove(key, { password: PASSWORD })).status, 204)
    assert.equal((await login(name, recoveryCodes[0])).status, 201)
  })

  test('with a recovery code, if the device is lost', async () => {
    const { id, key, recoveryCodes } = await makeProtected()
    const answer = await remove(key, { password: PASSWORD, code: recoveryCodes[0] })
    assert.equal(answer.status, 204)
    assert.equal(await has(id), false)
  })

  test('by the command line, for a user who is locked out', async () => {
    const { name } = await makeProtected()
    const run = async (...more: readonly string[]): Promise<string> => {
      const args = ['user', 'second-factor', name, '--data', server.dataDir, ...more]
      return (await runCli(args)).stdout
    }
    assert.equal(await run(), `The user ${name} has a second factor.\n`)
    assert.equal(await run('--remove'), `Removed the second factor of the user ${name}.\n`)
    assert.equal(await run(), `The user ${name} has no second factor.\n`)
    assert.equal((await login(name)).status, 201)
  })

  test('by an administrator, for other users with no more rights than the administrator', async () => {
    const { id, name } = await makeProtected()
    const path = `/api/v2/user/${id}/second_factor/remove`
    const editor = await makePerson()
    assertProblem(await post(path, editor.key, {}), 'grant-missing')
    const weak = await server.makeKey({ grants: 'admin,view' })
    assertProblem(await post(path, weak, {}), 'not-found')
    assert.equal(await has(id), true)
    assert.equal((await server.call('POST', path)).status, 204)
    assert.equal((await login(name)).status, 201)

    const admin = await makeProtected('admin')
    const own = `/api/v2/user/${admin.id}/second_factor/remove`
    assertProblem(await server.call('POST', own, { key: admin.key }), 'invalid-content')
    assert.equal(await has(admin.id), true)
  })

  test('but repeated guesses in an open session are blocked', async () => {
    const { key, code } = await makeProtected()
    const guess = { password: PASSWORD, code: '000000' }
    for (let count = 0; count < LIMITS.signInFailures; count += 1)
      assertProblem(await remove(key, guess), 'invalid-content')
    const answer = await remove(key, { password: PASSWORD, code: code() })
    assertProblem(answer, 'too-many-requests')
  })
})

test('each change is a row of the audit trail, with names and no values', async () => {
  const { id, key, code, recoveryCodes } = await makeProtected()
  const path = '/api/v2/me/recovery_codes'
  await post(path, key, { password: PASSWORD, code: code() })
  nowMs += STEP_MS
  await remove(key, { password: PASSWORD, code: code() })
  const { body, text } = await server.call('GET', '/api/v2/audit?length=1000')
  const rows = body.audit.filter((row: any) => row.object === 'user' && row.object_id === id)
  assert.deepEqual(
    rows.slice(-3).map(({ action, changed_fields: fields }: any) => [action, fields]),
    [
      ['update', ['second_factor', 'recovery_codes']],
      ['update', ['recovery_codes']],
      ['update', ['second_factor', 'recovery_codes']],
    ],
  )
  assert.ok(!text.includes(recoveryCodes[0] ?? ''))
})
