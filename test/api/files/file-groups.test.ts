// file_group: an ordered list of files with one name.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  pointersOf,
  read,
} from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/file_group'
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const makeIds = async (count: number): Promise<number[]> => {
  const files = []
  for (let made = 0; made < count; made += 1) files.push(await makeFile(server))
  return files.map((file) => file.asset_file_id)
}

test('a new group is empty, in the root, with every field', async () => {
  const answer = await server.call('POST', PATH, { json: { name: 'Press' } })
  assert.equal(answer.status, 201)
  const { date_added, date_modified, file_group_id, ...group } = answer.body
  assert.equal(answer.headers.location, `${PATH}/${file_group_id}`)
  assert.equal(date_modified, date_added)
  const empty = { title: null, description: null, parent_category_id: 1, asset_file_ids: [] }
  assert.deepEqual(group, { owner: 'admin', name: 'Press', ...empty })
})

test('a group keeps the order of its files and accepts partial updates', async () => {
  const [a, b, c] = await makeIds(3)
  const made = await make(server, 'file_group', { name: 'Order', asset_file_ids: [c, a, b] })
  const path = `${PATH}/${made.file_group_id}`
  assert.deepEqual((await read(server, path)).body.asset_file_ids, [c, a, b])

  const titled = await server.call('POST', path, { json: { title: 'T' } })
  assert.deepEqual([titled.body.title, titled.body.asset_file_ids], ['T', [c, a, b]])
  const reordered = await server.call('POST', path, { json: { asset_file_ids: [b, c] } })
  assert.deepEqual([reordered.body.title, reordered.body.asset_file_ids], ['T', [b, c]])
})

test('a group is found by a file in it', async () => {
  const [a, b] = await makeIds(2)
  const one = await make(server, 'file_group', { name: 'One', asset_file_ids: [a, b] })
  await make(server, 'file_group', { name: 'Two', asset_file_ids: [b] })
  const found = await server.call('GET', `${PATH}?qry={"asset_file_ids":${a}}`)
  assert.deepEqual(
    found.body.file_group.map((group: any) => group.file_group_id),
    [one.file_group_id],
  )
})

test('a deleted file leaves its groups in the same commit', async () => {
  const [a, b, c] = await makeIds(3)
  const group = await make(server, 'file_group', { name: 'Leaves', asset_file_ids: [a, b, c] })
  const path = `${PATH}/${group.file_group_id}`
  const before = await read(server, path)
  assert.equal((await server.call('DELETE', `/api/v2/asset_file/${b}`)).status, 204)
  const { body, etag } = await read(server, path)
  assert.deepEqual(body.asset_file_ids, [a, c])
  assert.notEqual(etag, before.etag)
})

test('a file that is deleted with its folder also leaves its groups', async () => {
  const { asset_category_id: folder } = await makeFolder(server)
  const { asset_file_id: inside } = await makeFile(server, { parent_category_id: folder })
  const [outside] = await makeIds(1)
  const group = await make(server, 'file_group', {
    name: 'Tree',
    asset_file_ids: [inside, outside],
  })
  await server.call('DELETE', `/api/v2/asset_category/${folder}?recursive=true`)
  assert.deepEqual((await read(server, `${PATH}/${group.file_group_id}`)).body.asset_file_ids, [
    outside,
  ])
})

test('the files of a group must exist and be distinct', async (t) => {
  const [a] = await makeIds(1)
  const group = await make(server, 'file_group', { name: 'Refuses' })
  const cases: readonly (readonly [unknown, string])[] = [
    [[a, 999_999], '/asset_file_ids/1'],
    [[a, a], '/asset_file_ids'],
    [[0], '/asset_file_ids'],
    [['1x'], '/asset_file_ids'],
    [{ 0: a }, '/asset_file_ids'],
    [a, '/asset_file_ids'],
  ]
  for (const [ids, pointer] of cases) {
    await t.test(JSON.stringify(ids), async () => {
      const json = { asset_file_ids: ids }
      assert.deepEqual(
        pointersOf(await server.call('POST', `${PATH}/${group.file_group_id}`, { json })),
        [pointer],
      )
      assert.deepEqual(
        pointersOf(await server.call('POST', PATH, { json: { name: 'x', ...json } })),
        [pointer],
      )
    })
  }
  assert.deepEqual((await read(server, `${PATH}/${group.file_group_id}`)).body.asset_file_ids, [])
})

test('a group needs a name and an existing folder', async () => {
  const answer = await server.call('POST', PATH, { json: { parent_category_id: 'x' } })
  assert.deepEqual(pointersOf(answer), ['/name', '/parent_category_id'])
  const lost = await server.call('POST', PATH, { json: { name: 'x', parent_category_id: 999_999 } })
  assert.deepEqual(pointersOf(lost), ['/parent_category_id'])
})

test('deleting a group keeps its files', async () => {
  const [a] = await makeIds(1)
  const { file_group_id: id } = await make(server, 'file_group', {
    name: 'Gone',
    asset_file_ids: [a],
  })
  assert.equal((await server.call('DELETE', `${PATH}/${id}`)).status, 204)
  assertProblem(await server.call('GET', `${PATH}/${id}`), 'not-found')
  await read(server, `/api/v2/asset_file/${a}`)
  assert.ok((await make(server, 'file_group', { name: 'Gone' })).file_group_id > id)
})

test('a deleted file leaves any number of groups', async () => {
  const [a = 0, b = 0] = await makeIds(2)
  const groups = await Promise.all(
    Array.from({ length: 120 }, (_, at) =>
      make(server, 'file_group', { name: `Many ${at}`, asset_file_ids: [a, b] }),
    ),
  )
  assert.equal((await server.call('DELETE', `/api/v2/asset_file/${a}`)).status, 204)
  const found = await read(server, `${PATH}?qry={"asset_file_ids":${a}}`)
  assert.deepEqual(found.body.file_group, [])
  for (const { file_group_id: id } of groups)
    assert.deepEqual((await read(server, `${PATH}/${id}`)).body.asset_file_ids, [b])
})

test('a folder is deleted with any number of groups and files', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const file = await makeFile(server, { parent_category_id: id })
  const json = { parent_category_id: id, asset_file_ids: [file.asset_file_id] }
  await Promise.all(
    Array.from({ length: 120 }, (_, at) => make(server, 'file_group', { name: `${at}`, ...json })),
  )
  const removed = await server.call('DELETE', `/api/v2/asset_category/${id}?recursive=true`)
  assert.equal(removed.status, 204)
  const found = await read(server, `${PATH}?qry={"parent_category_id":${id}}`)
  assert.deepEqual(found.body.file_group, [])
})
