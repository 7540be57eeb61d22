// The log of changes hides from a key the places that the key cannot see, the users, and the number of other
// changes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFile, makeFolder } from '../../helpers/content.ts'
import { ask, changesOf, inShort } from '../../helpers/follow.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (path: string, json: object): Promise<Answer> => server.call('POST', path, { json })

async function openFolder() {
  const { asset_category_id: id } = await makeFolder(server)
  return { id, key: await server.makeKey({ name: 'narrow', grants: 'view', category: id }) }
}

test('the removal of a moved file shows neither its new version nor whether it is live', async () => {
  const { id, key } = await openFolder()
  const file = await makeFile(server, { parent_category_id: id })
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const away = { parent_category_id: 1, pageContent: 'hidden', fileState: 'publish' }
  const [left] = await changesOf(server, () => post(path, away), { key })
  const { action, version, fileState, asset_category_id: place } = left
  assert.deepEqual([action, version, fileState, place], ['delete', null, null, id])
  const { page } = await ask(server, '', key)
  await post(path, { parent_category_id: id })
  const since = `since=${page.next}`
  // A filter matches the action under which the key sees the change.
  const what = [`create asset_file ${file.asset_file_id}`]
  assert.deepEqual(inShort((await ask(server, `${since}&action=create`, key)).change), what)
  assert.deepEqual((await ask(server, `${since}&action=update`, key)).change, [])
})

test('the move of the folder of a role shows nothing of the folders above', async () => {
  const [from, to] = [await makeFolder(server), await makeFolder(server)]
  const own = await makeFolder(server, { parent_category_id: from.asset_category_id })
  const id = own.asset_category_id
  const category_roles = [{ asset_category_id: id, role: 'viewer' }]
  await make(server, 'user', { name: 'eve', role: null, category_roles })
  const key = await server.makeKey({ name: 'eve', user: 'eve' })
  const move = { parent_category_id: to.asset_category_id, name: 'moved' }
  const told = await changesOf(server, () => post(`/api/v2/asset_category/${id}`, move), { key })
  assert.deepEqual(inShort(told), [`update asset_category ${id}`])
  assert.equal(told[0].previous_category_id, null)
  assert.ok(!told[0].changed_fields.includes('parent_category_id'))
})

test('the folder of a key stays visible after a move', async () => {
  const { id, key } = await openFolder()
  const { asset_category_id: to } = await makeFolder(server)
  const move = { parent_category_id: to }
  const told = await changesOf(server, () => post(`/api/v2/asset_category/${id}`, move), { key })
  assert.deepEqual(inShort(told), [`update asset_category ${id}`])
  assert.equal(told[0].previous_category_id, null)
})

test('a folder that leaves the folder of a key is removed, even for a user with a role in it', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const { asset_category_id: own } = await makeFolder(server, { parent_category_id: id })
  const { asset_category_id: kept } = await makeFolder(server, { parent_category_id: id })
  for (const role of ['viewer', null]) {
    const category_roles = [own, kept].map((asset_category_id) => ({
      asset_category_id,
      role: 'viewer',
    }))
    const name = `of-${role}`
    await make(server, 'user', { name, role, category_roles })
    const key = await server.makeKey({ user: name, grants: 'view', category: id })
    const leave = (): Promise<Answer> =>
      post(`/api/v2/asset_category/${own}`, { parent_category_id: 1 })
    const [left, ...more] = await changesOf(server, leave, { key })
    assert.deepEqual(inShort([left, ...more]), [`delete asset_category ${own}`])
    // The user without a role elsewhere does not see the folder of the key.
    assert.equal(left.asset_category_id, role === null ? null : id)
    await post(`/api/v2/asset_category/${own}`, { parent_category_id: id })
  }
})

test('changes of users, keys and webhooks are hidden from keys and filters of folders', async () => {
  const { id, key } = await openFolder()
  const change = async (): Promise<void> => {
    const { user_id: userId } = await make(server, 'user', { name: 'gone', role: 'viewer' })
    await server.call('DELETE', `/api/v2/user/${userId}`)
    await make(server, 'user', { name: 'here', role: 'viewer' })
    await make(server, 'webhook', { name: 'h', url: 'https://a.invalid/', status: 'paused' })
  }
  const { page } = await ask(server)
  assert.deepEqual(await changesOf(server, change, { key }), [])
  for (const folder of [id, 1]) {
    const query = `since=${page.next}&asset_category_id=${folder}&object=user,api_key,webhook`
    assert.deepEqual((await ask(server, query)).change, [])
  }
  assert.equal((await ask(server, `since=${page.next}`)).change.length, 4)
})
