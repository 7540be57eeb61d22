// Roles of the site: their grants, changes that hold at the next request, and the callers who may change roles.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { type User, user } from '../../../lib/schema/user.ts'
import { assertProblem } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

let server: TestServer
let made = 0

before(async () => {
  server = await startTestServer({ limits: { ...LIMITS, roles: 20, usersPerRole: 2 } })
})
after(() => server.close())

interface Made {
  readonly id: number
  readonly name: string
}

const post = (path: string, json: object, key?: string): Promise<Answer> =>
  server.call('POST', `/api/v2/${path}`, { json, ...(key !== undefined && { key }) })

async function makeRole(grants: readonly string[]): Promise<Made> {
  const name = `role-${(made += 1)}`
  const answer = await post('role', { name, grants })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.role_id, name }
}

async function makeUser(json: object): Promise<Made & { readonly key: string }> {
  const name = `user-${(made += 1)}`
  const answer = await post('user', { name, ...json })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.user_id, name, key: await server.makeKey({ user: name }) }
}

const grantsOf = async (key: string): Promise<readonly string[]> =>
  (await server.call('GET', '/api/v2/me', { key })).body.grants
const readUser = async (id: number): Promise<any> =>
  (await server.call('GET', `/api/v2/user/${id}`)).body
const change = (path: string, json: object, key = server.key): Promise<Answer> =>
  server.call('PATCH', `/api/v2/${path}`, { json, key })

describe('a role of the site', () => {
  test('gives its grants, and a change holds at the next request', async () => {
    const role = await makeRole(['modify', 'view'])
    const { key, id } = await makeUser({ role: role.name })
    assert.deepEqual(await grantsOf(key), ['view', 'modify'])
    assert.deepEqual((await readUser(id)).role_grants, { [role.name]: ['view', 'modify'] })
    const answer = await change(`role/${role.id}`, { grants: ['view', 'delete'] })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await grantsOf(key), ['view', 'delete'])
    await change(`user/${id}`, { role: 'viewer' })
    assert.deepEqual(await grantsOf(key), ['view'])
    assert.equal((await readUser(id)).role_grants, null)
  })

  test('replaces another role in a folder', async () => {
    const role = await makeRole(['view', 'create'])
    const folder = await post('asset_category', { name: 'Wing', parent_category_id: 1 })
    const at = folder.body.asset_category_id
    const roles = [{ asset_category_id: at, role: role.name }]
    const { key } = await makeUser({ role: 'viewer', category_roles: roles })
    const page = (parent: number): Promise<Answer> =>
      post('asset_file', { name: 'a.html', type: 'html', parent_category_id: parent }, key)
    assert.equal((await page(at)).status, 201)
    assertProblem(await page(1), 'grant-missing')
    await change(`role/${role.id}`, { grants: ['view'] })
    assertProblem(await page(at), 'grant-missing')
  })

  test('limits keys of its users like a fixed role', async () => {
    const role = await makeRole(['view', 'create', 'delete'])
    const { name } = await makeUser({ role: role.name })
    const key = await server.makeKey({ user: name, grants: 'view,publish' })
    assert.deepEqual(await grantsOf(key), ['view'])
  })

  test('can be given with the command line', async () => {
    const role = await makeRole(['view', 'stage'])
    await server.command({ command: 'user.create', name: 'by-command', role: role.name })
    const key = await server.makeKey({ user: 'by-command' })
    assert.deepEqual(await grantsOf(key), ['view', 'stage'])
    const refused = server.command({ command: 'user.create', name: 'lost', role: 'nothing' })
    await assert.rejects(refused, /there is no "nothing"/)
  })

  test('has a unique name, which is not that of a fixed role', async () => {
    const { name, id } = await makeRole(['view'])
    assertProblem(await post('role', { name: name.toUpperCase(), grants: [] }), 'name-taken')
    for (const fixed of ['viewer', 'Admin'])
      assertProblem(await post('role', { name: fixed, grants: ['view'] }), 'invalid-content')
    const other = await makeRole(['view'])
    const upper = { name: other.name.toUpperCase() }
    assertProblem(await change(`role/${id}`, upper), 'name-taken')
    assertProblem(await change(`role/${id}`, { name: 'Editor' }), 'invalid-content')
    const tricky = await post('role', { name: '__proto__', grants: ['view'] })
    assert.equal(tricky.status, 201)
    const { key } = await makeUser({ role: '__proto__' })
    assert.deepEqual(await grantsOf(key), ['view'])
    assertProblem(await post('user', { name: 'odd', role: 'constructor' }), 'invalid-content')
  })

  test('keeps its users under another name', async () => {
    const role = await makeRole(['view', 'modify'])
    const everywhere = await makeUser({ role: role.name })
    const at = { asset_category_id: 1, role: role.name }
    const inFolder = await makeUser({ role: 'viewer', category_roles: [at] })
    const renamed = await change(`role/${role.id}`, { name: 'Renamed', grants: ['view'] })
    assert.equal(renamed.status, 200, renamed.text)
    const first = await readUser(everywhere.id)
    assert.deepEqual([first.role, first.role_grants], ['Renamed', { Renamed: ['view'] }])
    const second = await readUser(inFolder.id)
    assert.deepEqual(second.category_roles, [{ ...at, role: 'Renamed' }])
    assert.deepEqual(second.role_grants, { Renamed: ['view'] })
    assert.deepEqual(await grantsOf(everywhere.key), ['view'])
    // The name is free again, and a role with this name is another role.
    await post('role', { name: role.name, grants: ['view', 'delete'] })
    assert.deepEqual(await grantsOf(everywhere.key), ['view'])
  })

  test('cannot be deleted while users have it, and the answer names them', async () => {
    const role = await makeRole(['view'])
    const { id, name } = await makeUser({ role: role.name })
    const refused = await server.call('DELETE', `/api/v2/role/${role.id}`)
    assertProblem(refused, 'in-use')
    assert.match(refused.body.detail, new RegExp(`^1 user has the role .*: ${name}\\. Give`))
    await change(`user/${id}`, { role: null })
    assert.equal((await server.call('DELETE', `/api/v2/role/${role.id}`)).status, 204)
    assertProblem(await change(`user/${id}`, { role: role.name }), 'invalid-content')
  })

  test('has at most so many users, and a site so many roles', async () => {
    const role = await makeRole(['view'])
    const first = await makeUser({ role: role.name })
    await makeUser({ role: role.name })
    assertProblem(await post('user', { name: 'third', role: role.name }), 'invalid-content')
    assert.equal((await change(`user/${first.id}`, { email: 'a@example.org' })).status, 200)
    let answer = await post('role', { name: 'more-0', grants: [] })
    for (let count = 1; count <= 20 && answer.status === 201; count += 1)
      answer = await post('role', { name: `more-${count}`, grants: [] })
    assertProblem(answer, 'in-use')
    const { body } = await server.call('GET', '/api/v2/role?length=100')
    assert.equal(body.role.length, 20)
    for (const { name, role_id: id } of body.role)
      if (name.startsWith('more-')) await server.call('DELETE', `/api/v2/role/${id}`)
  })
})

test('an older user record, without these members, is shown with null and can change', async () => {
  const before = await startTestServer()
  const { body } = await before.call('POST', '/api/v2/user', { json: { name: 'old' } })
  const id = body.user_id
  await before.stop()
  await tamper(before.dataDir, (_, records) =>
    records.commit((unit) => {
      const stored = unit.get(user.recordType, id)?.value ?? assert.fail('there is no user')
      const { role_grants: _grants, display_name: _name, ...older } = stored
      unit.put(user.recordType, [id], older as User)
    }),
  )
  const later = await startTestServer({ dataDir: before.dataDir })
  try {
    const call = { key: before.key }
    const shown = (await later.call('GET', `/api/v2/user/${id}`, call)).body
    assert.deepEqual([shown.role_grants, shown.display_name], [null, null])
    const json = { display_name: 'Older', role: 'editor' }
    const changed = await later.call('PATCH', `/api/v2/user/${id}`, { ...call, json })
    assert.equal(changed.body.display_name, 'Older', changed.text)
  } finally {
    await later.close()
  }
})

describe('a caller', () => {
  test('needs admin to read roles, and every grant everywhere to change them', async () => {
    const { id } = await makeRole(['view'])
    const editor = await makeUser({ role: 'editor' })
    assertProblem(await server.call('GET', '/api/v2/role', { key: editor.key }), 'grant-missing')
    const narrow = await server.makeKey({ user: 'admin', grants: 'view,admin' })
    const read = await server.call('GET', `/api/v2/role/${id}`, { key: narrow })
    assert.equal(read.status, 200)
    assertProblem(await change(`role/${id}`, { grants: [] }, narrow), 'grant-missing')
    assertProblem(await post('role', { name: 'mine', grants: [] }, narrow), 'grant-missing')
    const deleted = await server.call('DELETE', `/api/v2/role/${id}`, { key: narrow })
    assertProblem(deleted, 'grant-missing')
  })

  test('gives nobody a role that holds more than its own', async () => {
    const strong = await makeRole(['view', 'publish'])
    const weak = await makeRole(['view'])
    const key = await server.makeKey({ user: 'admin', grants: 'view,admin' })
    const give = (role: string): Promise<Answer> => post('user', { name: `by-${role}`, role }, key)
    assertProblem(await give(strong.name), 'invalid-content')
    assert.equal((await give(weak.name)).status, 201)
    const { id } = await makeUser({ role: strong.name })
    assertProblem(await server.call('GET', `/api/v2/user/${id}`, { key }), 'not-found')
  })

  test('with a key for a folder learns of no role in another folder', async () => {
    const role = await makeRole(['view'])
    const [seen, hidden] = await Promise.all(
      ['Seen', 'Hidden'].map(async (name) => {
        const { body } = await post('asset_category', { name, parent_category_id: 1 })
        return body.asset_category_id
      }),
    )
    const roles = [
      { asset_category_id: seen, role: 'viewer' },
      { asset_category_id: hidden, role: role.name },
    ]
    const { id, name } = await makeUser({ role: null, category_roles: roles })
    const key = await server.makeKey({ user: name, category: seen })
    const { body } = await server.call('GET', `/api/v2/user/${id}`, { key })
    assert.deepEqual([body.category_roles, body.role_grants], [[roles[0]], null])
  })
})
