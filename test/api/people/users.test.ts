// Users: at least one administrator always exists, and roles in folders are validated strictly.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, pointersOf, read } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, signIn } from '../../helpers/sessions.ts'

const ADMIN = '/api/v2/user/1'
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (path: string, json: object) => server.call('POST', path, { json })

/** Every way to lose the last administrator. */
const LOSSES: readonly (readonly [string, () => ReturnType<typeof post>])[] = [
  ['disabled', () => post(ADMIN, { status: 'disabled' })],
  ['demoted', () => post(ADMIN, { role: 'editor' })],
  ['left without a role', () => post(ADMIN, { role: null })],
  ['deleted', () => server.call('DELETE', ADMIN)],
]

test('the last active administrator cannot be', async (t) => {
  // Neither user could replace the administrator.
  await make(server, 'user', { name: 'asleep', role: 'admin', status: 'disabled' })
  const folderRoles = [{ asset_category_id: 1, role: 'admin' }]
  await make(server, 'user', { name: 'local', role: 'viewer', category_roles: folderRoles })

  for (const [what, lose] of LOSSES) {
    await t.test(what, async () => {
      const { detail } = assertProblem(await lose(), 'in-use')
      assert.match(detail, /last active administrator\. .* role admin/)
      const { body } = await read(server, ADMIN)
      assert.deepEqual([body.role, body.status], ['admin', 'active'])
    })
  }

  await t.test('disabled from the command line', async () => {
    await assert.rejects(server.command({ command: 'user.disable', name: 'admin' }), {
      code: 'in-use',
      message: /last active administrator/,
    })
    assert.equal((await read(server, ADMIN)).body.status, 'active')
  })

  await t.test(
    'but other changes are accepted, and the user can be disabled if there is another administrator',
    async () => {
      assert.equal((await post(ADMIN, { email: 'a@example.org' })).status, 200)
      const { user_id: id } = await make(server, 'user', { name: 'second', role: 'admin' })
      assert.equal((await post(`/api/v2/user/${id}`, { status: 'disabled' })).status, 200)
      await server.command({ command: 'user.enable', name: 'second' })
      assert.equal((await server.call('DELETE', `/api/v2/user/${id}`)).status, 204)
    },
  )
})

test('a role in a folder has a folder and a role, and no other member', async () => {
  const role = { asset_category_id: 12, role: 'editor' }
  const good = await post('/api/v2/user', { name: 'good', category_roles: [role] })
  const bad = await post('/api/v2/user', {
    name: 'bad',
    category_roles: [{ ...role, until: '2030-01-01' }],
  })
  assert.deepEqual([good.status, good.body.category_roles], [201, [role]])
  assert.deepEqual(pointersOf(bad), ['/category_roles'])
})

test('null does not make a disabled user or an inactive key active again', async () => {
  const { user_id: id } = await make(server, 'user', { name: 'out', status: 'disabled' })
  const { api_key_id: keyId } = await make(server, 'api_key', { name: 'out', status: 'inactive' })
  for (const path of [`/api/v2/user/${id}`, `/api/v2/api_key/${keyId}`]) {
    const { status } = (await read(server, path)).body
    assert.deepEqual(pointersOf(await post(path, { status: null })), ['/status'])
    assert.equal((await read(server, path)).body.status, status)
  }
})

test('a key without admin gets neither the email address of its user nor the way of signing in', async () => {
  const email = 'carol@example.org'
  const { user_id: id } = await make(server, 'user', { name: 'carol', role: 'editor', email })
  await givePassword(server, 'carol')
  const { secret } = await make(server, 'api_key', { name: 'program', user_id: id })
  const told = ({ email, has_password, has_second_factor, recovery_codes_left }: any) => [
    ...[email, has_password, has_second_factor, recovery_codes_left],
  ]
  const ask = async (key: string, query: string): Promise<readonly any[]> =>
    (await server.call('GET', `/api/v2/user?${query}`, { key })).body.user

  assert.deepEqual((await ask(secret, '')).map(told), [[null, null, null, null]])
  // A search does not reveal the address either.
  for (const qry of [{ email }, { email: { $startsWith: 'c' } }, { email: { $gt: 'a' } }])
    assert.deepEqual(await ask(secret, `qry=${JSON.stringify(qry)}`), [])
  assert.equal((await ask(secret, 'qry={"email":null}')).length, 1)

  const session = (await signIn(server, 'carol')).secret
  assert.deepEqual((await ask(session, '')).map(told), [[email, true, false, 0]])
  assert.equal((await ask(session, `qry=${JSON.stringify({ email })}`)).length, 1)
})

test('a renamed user keeps sessions and keys, and no other user gets the former name', async () => {
  const { user_id: id } = await make(server, 'user', { name: 'dora', role: 'editor' })
  await givePassword(server, 'dora')
  const { secret } = await signIn(server, 'dora')
  const file = { name: 'a.html', type: 'html', parent_category_id: 1 }
  const made = await server.call('POST', '/api/v2/asset_file', { json: file, key: secret })
  const path = `/api/v2/user/${id}`
  const rename = (name: string, key = server.key) =>
    server.call('PATCH', path, { json: { name }, key })

  assertProblem(await rename('dorothy', secret), 'grant-missing')
  assert.deepEqual(pointersOf(await rename('')), ['/name'])
  assertProblem(await rename('ADMIN'), 'name-taken')
  const { body } = await rename('dorothy')
  assert.deepEqual([body.name, body.former_names], ['dorothy', ['dora']])
  const me = await server.call('GET', '/api/v2/me', { key: secret })
  assert.equal(me.body.user.name, 'dorothy')
  await signIn(server, 'dorothy')
  await assert.rejects(signIn(server, 'dora'), /sign-in-failed/)
  const kept = await read(server, `/api/v2/asset_file/${made.body.asset_file_id}`)
  assert.equal(kept.body.owner, 'dora')

  const taken = assertProblem(await post('/api/v2/user', { name: 'DORA' }), 'name-taken')
  assert.equal(taken['user_id'], id)
  const { user_id: other } = await make(server, 'user', { name: 'eve' })
  assertProblem(await post(`/api/v2/user/${other}`, { name: 'dora' }), 'name-taken')
  await server.command({ command: 'user.rename', name: 'dorothy', newName: 'Dora' })
  assert.deepEqual((await read(server, path)).body.former_names, ['dorothy'])
  await server.call('DELETE', path)
  assert.equal((await post(`/api/v2/user/${other}`, { name: 'dorothy' })).status, 200)
})

test('the command line finds the user admin also after a rename', async () => {
  const other = await startTestServer()
  try {
    await other.call('PATCH', ADMIN, { json: { name: 'root' } })
    await assert.rejects(other.command({ command: 'user.create', name: 'admin' }), {
      code: 'name-taken',
    })
    const key = await other.makeKey({})
    assert.equal((await other.call('GET', '/api/v2/me', { key })).body.user.name, 'root')
  } finally {
    await other.close()
  }
})
