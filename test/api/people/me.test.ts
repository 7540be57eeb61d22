// GET /api/v2/me: a key reads about itself, and about its user only what the key may see.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFolder } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const GRANTS = ['view', 'create', 'modify', 'delete', 'stage', 'publish', 'admin']

async function me(key: string): Promise<any> {
  const { status, text, body } = await server.call('GET', '/api/v2/me', { key })
  assert.equal(status, 200, text)
  return body
}

test('a key of an administrator has all grants everywhere', async () => {
  assert.deepEqual(await me(server.key), {
    user: { user_id: 1, name: 'admin', display_name: null },
    api_key: {
      api_key_id: 1,
      name: 'admin',
      grants: null,
      asset_category_id: null,
      date_expires: null,
    },
    grants: GRANTS,
    asset_category: [{ asset_category_id: 1, path: '/Main', grants: GRANTS }],
    site: [],
  })
})

test('a site is listed while its root folder is public and the key sees the folder', async () => {
  const sites = [
    { origin: 'https://www.example.org', folder: '/Main/website' },
    { origin: 'https://other.example.org', folder: '/Main/missing' },
  ]
  const shown = await startTestServer({ config: { sites } })
  const siteOf = async (key: string): Promise<unknown> =>
    (await shown.call('GET', '/api/v2/me', { key })).body.site
  try {
    const { asset_category_id: id } = await makeFolder(shown, { name: 'website', public: true })
    const { asset_category_id: beside } = await makeFolder(shown, { name: 'beside' })
    const narrow = await shown.makeKey({ name: 'narrow', grants: 'view', category: beside })
    const site = { origin: 'https://www.example.org', asset_category_id: id }
    assert.deepEqual(await siteOf(shown.key), [site])
    assert.deepEqual(await siteOf(narrow), [])
    await shown.call('PATCH', `/api/v2/asset_category/${id}`, { json: { public: false } })
    assert.deepEqual(await siteOf(shown.key), [])
  } finally {
    await shown.close()
  }
})

test('the limits of a key are returned', async () => {
  const { asset_category_id: id } = await makeFolder(server, { name: 'narrow' })
  const key = await server.makeKey({
    name: 'small',
    grants: 'view,modify',
    category: id,
    expires: '30d',
  })
  const { api_key, grants, asset_category } = await me(key)
  assert.equal(api_key.name, 'small')
  assert.deepEqual([api_key.grants, api_key.asset_category_id], [['view', 'modify'], id])
  assert.match(api_key.date_expires, /^20/)
  assert.deepEqual(grants, [])
  assert.deepEqual(asset_category, [
    // The grant modify includes create.
    { asset_category_id: id, path: '/narrow', grants: ['view', 'create', 'modify'] },
  ])
})

test('a key without any grant gets an empty list of grants', async () => {
  const { api_key_id } = await make(server, 'api_key', { name: 'nothing' })
  const secret = await server.makeKey({ name: 'none', grants: 'view' })
  const id = (await me(secret)).api_key.api_key_id
  await server.call('POST', `/api/v2/api_key/${id}`, { json: { grants: [] } })
  const { grants, asset_category, user } = await me(secret)
  assert.deepEqual([grants, asset_category, user.name], [[], [], 'admin'])
  assert.ok(api_key_id > 0)
})

test('roles of the user outside the folder of the key do not change a byte', async () => {
  const [inside, outside] = [await makeFolder(server), await makeFolder(server)]
  const below = await makeFolder(server, { parent_category_id: inside.asset_category_id })
  const roles = [
    { asset_category_id: inside.asset_category_id, role: 'viewer' },
    { asset_category_id: below.asset_category_id, role: 'editor' },
  ]
  const eva = await make(server, 'user', { name: 'eva', category_roles: roles })
  const key = await server.makeKey({ user: 'eva', category: inside.asset_category_id })
  const wide = await server.makeKey({ user: 'eva' })
  const before = await server.call('GET', '/api/v2/me', { key })
  assert.deepEqual(
    before.body.asset_category.map((item: any) => [item.asset_category_id, item.grants.length]),
    [
      [inside.asset_category_id, 1],
      [below.asset_category_id, 6],
    ],
  )

  const more = [...roles, { asset_category_id: outside.asset_category_id, role: 'editor' }]
  await server.call('POST', `/api/v2/user/${eva.user_id}`, { json: { category_roles: more } })
  assert.equal((await server.call('GET', '/api/v2/me', { key })).text, before.text)
  assert.equal((await me(wide)).asset_category.length, 3)
})

test('a request without a valid key or with parameters is refused', async () => {
  assert.equal((await server.call('GET', '/api/v2/me', { key: null })).status, 401)
  assert.equal((await server.call('GET', '/api/v2/me?fields=user')).status, 400)
  assert.equal((await server.call('HEAD', '/api/v2/me')).status, 200)
})
