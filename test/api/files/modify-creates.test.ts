// The grant modify includes create everywhere. The grant create includes nothing else.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile, makeFolder, newName, read } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (path: string, json: object, key: string = server.key): Promise<Answer> =>
  server.call('POST', `/api/v2/${path}`, { json, key })

test('a key with modify creates all kinds of records, also in lists and by uploads', async () => {
  const { asset_category_id: folder } = await makeFolder(server)
  const key = await server.makeKey({ name: newName(), grants: 'modify', category: folder })
  const place = { parent_category_id: folder }
  const bodies: readonly (readonly [string, object])[] = [
    ['asset_file', { name: 'a.html', type: 'html', pageContent: 'a', ...place }],
    ['asset_file', [{ name: 'b.html', type: 'html', ...place }]],
    ['asset_category', { name: 'c', ...place }],
    ['file_group', { name: 'd', ...place }],
    ['datatable', { name: 'e', table_schema: 'a I', ...place }],
    ['calendar', { name: 'f', ...place }],
  ]
  for (const [object, json] of bodies) {
    const answer = await post(object, json, key)
    assert.equal(answer.status, 201, answer.text)
    if (object !== 'datatable') continue
    const entry = { key, json: { a: 1 } }
    assert.equal((await server.call('POST', answer.body.module_url, entry)).status, 201)
  }
  const upload = [
    { name: 'asset_category_id', value: String(folder) },
    { name: 'Filedata', fileName: 'g.bin', bytes: Buffer.from('g') },
  ]
  assert.equal((await server.upload(upload, { key })).status, 201)
})

test('a key with modify moves a file between folders in which it has modify', async () => {
  const { asset_category_id: from } = await makeFolder(server)
  const { asset_category_id: to } = await makeFolder(server)
  const { asset_file_id: file } = await makeFile(server, { parent_category_id: from })
  const key = await server.makeKey({ name: newName(), grants: 'modify' })
  const moved = await post(`asset_file/${file}`, { parent_category_id: to }, key)
  assert.deepEqual([moved.status, moved.body.parent_category_id], [200, to])
})

test('a key with create cannot change, delete, publish or read anything, not even its own records', async () => {
  const key = await server.makeKey({ name: newName(), grants: 'create' })
  const page = { name: newName(), type: 'html', parent_category_id: 1 }
  const { status, body: file } = await post('asset_file', page, key)
  assert.equal(status, 201)
  const path = `asset_file/${file.asset_file_id}`
  const before = (await read(server, `/api/v2/${path}`)).body
  const replace = [
    { name: 'asset_file_id', value: String(file.asset_file_id) },
    { name: 'Filedata', fileName: 'x', bytes: Buffer.from('x') },
  ]
  const answers = [
    await post(path, { title: 'x' }, key),
    await post(path, {}, key),
    await post(path, { fileState: 'publish' }, key),
    await post(`${path}/stage`, {}, key),
    await post(`${path}/versions/1/restore`, {}, key),
    await server.upload(replace, { key }),
    await server.call('DELETE', `/api/v2/${path}`, { key }),
    await server.call('GET', `/api/v2/${path}`, { key }),
  ]
  assert.deepEqual(
    answers.map((answer) => answer.status),
    answers.map(() => 403),
  )
  assert.deepEqual((await read(server, `/api/v2/${path}`)).body, before)
})

test('a key with modify can grant create, and a key with create cannot grant modify', async () => {
  const give = async (own: readonly string[], grants: readonly string[]): Promise<Answer> => {
    const { body } = await post('api_key', { name: newName(), grants: own })
    return post('api_key', { name: newName(), grants }, body.secret)
  }
  assert.equal((await give(['modify'], ['create'])).status, 201)
  assert.equal((await give(['modify'], ['create', 'modify'])).status, 201)
  assert.equal((await give(['create'], ['modify'])).status, 422)
  assert.equal((await give(['view'], ['create'])).status, 422)
})
