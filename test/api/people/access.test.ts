// Why an action is denied: the answer matches the actual route and names the reason.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { processes: 2 } })
})
after(() => server.close())

type Asked = Readonly<Record<string, string | number>>

const ask = (asked: Asked, key = server.key): Promise<Answer> => {
  const query = Object.entries(asked).map(([name, value]) => `${name}=${value}`)
  return server.call('GET', `/api/v2/access?${query.join('&')}`, { key })
}
async function answered(asked: Asked, key = server.key): Promise<any> {
  const { status, body, text } = await ask(asked, key)
  assert.equal(status, 200, text)
  return body
}
const reasons = ({ because }: any): readonly string[] => because.map(({ of }: any) => of)

interface MadeKey {
  readonly id: number
  readonly secret: string
}

async function makeUserKey(user: object, key: object = {}): Promise<MadeKey & { userId: number }> {
  const { user_id } = await make(server, 'user', { name: newName('user'), ...user })
  const { api_key_id: id, secret } = await make(server, 'api_key', { name: 'k', user_id, ...key })
  return { id, secret, userId: user_id }
}

describe('it names', () => {
  let folder: number
  let file: number
  before(async () => {
    folder = (await makeFolder(server, { name: 'Named' })).asset_category_id
    file = (await makeFile(server, { parent_category_id: folder })).asset_file_id
  })
  const publish = (id: number): Asked => ({
    api_key_id: id,
    object: 'asset_file',
    id: file,
    action: 'publish',
  })

  test('nothing if the action is allowed', async () => {
    const { id } = await makeUserKey({ role: 'editor' })
    assert.deepEqual(await answered(publish(id)), { allowed: true, missing: null, because: [] })
  })

  test('the missing grant, its folder and the role', async () => {
    const { id } = await makeUserKey({ role: 'viewer' })
    const { allowed, missing, because } = await answered(publish(id))
    assert.equal(allowed, false)
    assert.deepEqual(missing, { grant: 'publish', asset_category_id: folder, path: '/Main/Named' })
    const detail = 'The role "viewer" does not hold "publish".'
    assert.deepEqual(because, [{ of: 'role', detail, asset_category_id: null }])
  })

  test('the folder whose role decides', async () => {
    const category_roles = [{ asset_category_id: folder, role: 'stager' }]
    const { id } = await makeUserKey({ role: 'editor', category_roles })
    const [{ of, detail, asset_category_id }] = (await answered(publish(id))).because
    assert.deepEqual([of, asset_category_id], ['folder', folder])
    assert.match(detail, /"stager" in this folder/)
  })

  test('each limit of the key and its expiry', async () => {
    const elsewhere = (await makeFolder(server)).asset_category_id
    const limits = { grants: ['view'], asset_category_id: elsewhere, status: 'inactive' }
    const { id, userId } = await makeUserKey({ role: 'viewer' }, limits)
    assert.deepEqual(reasons(await answered(publish(id))), ['key', 'role', 'grants', 'scope'])
    await server.call('POST', `/api/v2/user/${userId}`, { json: { status: 'disabled' } })
    const all = ['user', 'key', 'role', 'grants', 'scope']
    assert.deepEqual(reasons(await answered(publish(id))), all)
    const expired = await makeUserKey({ role: 'editor' })
    const date_expires = new Date(Date.now() + 1_000).toISOString()
    await server.call('POST', `/api/v2/api_key/${expired.id}`, { json: { date_expires } })
    while (Date.now() < Date.parse(date_expires)) await new Promise((done) => setTimeout(done, 50))
    assert.deepEqual(reasons(await answered(publish(expired.id))), ['key'])
  })

  test('a missing record, or a record with more rights', async () => {
    const { id } = await makeUserKey({ role: 'editor' })
    const gone = await answered({ ...publish(id), id: 999_999 })
    assert.deepEqual([reasons(gone), gone.missing], [['object'], null])
    const limited = await makeUserKey({ role: 'admin' }, { grants: ['view', 'admin'] })
    const more = await answered({ api_key_id: limited.id, object: 'user', id: 1, action: 'update' })
    assert.equal(more.allowed, false)
    assert.deepEqual(reasons(more), ['grants'])
  })
})

test('unknown objects, actions, records and parameters are refused', async () => {
  const good = { api_key_id: 1, object: 'asset_file', id: 1, action: 'read' }
  for (const [name, value] of [
    ['object', 'audit'],
    ['action', 'rotate'],
    ['id', 0],
    ['user_id', 1],
    ['zzz', 1],
  ] as const)
    assertProblem(await ask({ ...good, [name]: value }), 'bad-request')
  assertProblem(await ask({ object: 'user', id: 1, action: 'read' }), 'bad-request')
  assertProblem(await ask({ ...good, api_key_id: 999_999 }), 'not-found')
})

test('the weakest key can ask only about itself and visible records', async () => {
  const folder = (await makeFolder(server)).asset_category_id
  const hidden = (await makeFile(server)).asset_file_id
  const key = { grants: ['view'], asset_category_id: folder }
  const { id, secret, userId } = await makeUserKey({ role: 'editor' }, key)
  const asked = { api_key_id: id, object: 'asset_file', action: 'update' }
  const unseen = await answered({ ...asked, id: hidden }, secret)
  assert.deepEqual(unseen, await answered({ ...asked, id: 999_999 }, secret))
  assert.deepEqual(reasons(unseen), ['object'])
  const own = (await makeFile(server, { parent_category_id: folder })).asset_file_id
  assert.deepEqual(reasons(await answered({ ...asked, id: own }, secret)), ['grants'])
  assert.equal((await ask({ ...asked, id: own, api_key_id: 1 }, secret)).status, 404)

  // The answer does not name the number of a folder that the key cannot see, though its user has a role
  // there.
  const category_roles = [{ asset_category_id: 1, role: 'viewer' }]
  await server.call('POST', `/api/v2/user/${userId}`, { json: { category_roles } })
  const { because } = await answered({ ...asked, id: own }, secret)
  assert.deepEqual(
    because.map((item: any) => [item.of, item.asset_category_id]),
    [
      ['folder', null],
      ['grants', null],
    ],
  )
})
