// GET /api/v2/me: a key reads about itself, and about its user only what the key may see. GET /api/v2/me/people: a person
// reads the names of those who may write where the person sees drafts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFolder } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, signIn } from '../../helpers/sessions.ts'

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
    user: { user_id: 1, name: 'admin', display_name: null, former_names: null },
    api_key: {
      api_key_id: 1,
      name: 'admin',
      grants: null,
      asset_category_id: null,
      date_expires: null,
    },
    grants: GRANTS,
    asset_category: [{ asset_category_id: 1, path: '/Main', grants: GRANTS }],
    trash_days: 30,
    site: [],
  })
})

test('the days until the trash deletes records are those of the flag', async () => {
  const flagged = await startTestServer({ config: { trashDays: 0 } })
  assert.equal((await flagged.call('GET', '/api/v2/me')).body.trash_days, 0)
  await flagged.close()
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

const PEOPLE = '/api/v2/me/people'

test('a person reads the names of those who may write where the person sees drafts', async () => {
  const [press, shop] = [await makeFolder(server), await makeFolder(server)]
  const inner = await makeFolder(server, { parent_category_id: press.asset_category_id })
  const at = (role: string, { asset_category_id }: { readonly asset_category_id: number }) => ({
    role: null,
    category_roles: [{ asset_category_id, role }],
  })
  const made: Record<string, number> = {}
  for (const [name, roles] of Object.entries({
    'press.editor': { ...at('editor', press), display_name: 'Petra Press' },
    'press.inner': at('stager', inner),
    'press.viewer': at('viewer', press),
    'shop.editor': at('editor', shop),
    'press.helper': at('editor', inner),
  }))
    made[name] = (await make(server, 'user', { name, ...roles })).user_id
  const secretOf = async (name: string): Promise<string> => {
    await givePassword(server, name)
    return (await signIn(server, name)).secret
  }
  const seen = async (key: string, query = ''): Promise<any> => {
    const { status, body, text } = await server.call('GET', `${PEOPLE}${query}`, { key })
    assert.equal(status, 200, text)
    return body
  }
  const namesFor = async (key: string): Promise<readonly string[]> =>
    (await seen(key)).user.map(({ name }: any) => name)

  const editor = await secretOf('press.editor')
  const all = ['press.helper', 'press.inner', 'press.editor', 'admin']
  assert.deepEqual(await namesFor(editor), all)
  const inside = await secretOf('press.inner')
  assert.deepEqual(await namesFor(inside), all, 'the editor above writes here, too')
  const viewer = await secretOf('press.viewer')
  assert.deepEqual(await namesFor(viewer), ['press.viewer'])
  assert.deepEqual(await namesFor(await secretOf('shop.editor')), ['shop.editor', 'admin'])

  // A page, and the present names of a renamed user.
  const path = `/api/v2/user/${made['press.inner']}`
  await server.call('PATCH', path, { json: { name: 'ina', display_name: 'Ina' } })
  const first = await seen(editor, '?length=2')
  assert.deepEqual(first.user[1], {
    user_id: made['press.inner'],
    name: 'ina',
    display_name: 'Ina',
    former_names: ['press.inner'],
  })
  const { user: rest, page } = await seen(editor, `?length=2&cursor=${first.page.next}`)
  assert.deepEqual(rest[0].display_name, 'Petra Press')
  assert.deepEqual([rest.length, page.next], [2, null])
  assert.deepEqual((await me(inside)).user, first.user[1])

  // People elsewhere change no byte, and neither does a role that only views.
  const before = await server.call('GET', PEOPLE, { key: editor })
  await make(server, 'user', { name: 'shop.helper', display_name: 'S', ...at('editor', shop) })
  await make(server, 'user', { name: 'press.reader', ...at('viewer', press) })
  assert.equal((await server.call('GET', PEOPLE, { key: editor })).text, before.text)
})

test('a program reads the names of people only with the grant admin', async () => {
  await make(server, 'user', { name: 'robot', role: 'editor' })
  const key = await server.makeKey({ user: 'robot' })
  assertProblem(await server.call('GET', PEOPLE, { key }), 'grant-missing')
  const { body } = await server.call('GET', PEOPLE)
  assert.ok(body.user.some(({ name }: any) => name === 'robot'))
  assert.equal(body.user.at(-1).name, 'admin')
})

test('a request without a valid key or with parameters is refused', async () => {
  assert.equal((await server.call('GET', '/api/v2/me', { key: null })).status, 401)
  assert.equal((await server.call('GET', '/api/v2/me?fields=user')).status, 400)
  assert.equal((await server.call('HEAD', '/api/v2/me')).status, 200)
})
