// Deleted files, groups and folders in the trash, and their restore.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  read,
  uploadFile,
} from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { listTrash, remove, restore, trashItem, untilGone } from '../../helpers/trash.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const FILE = '/api/v2/asset_file'
const FOLDER = '/api/v2/asset_category'

test('a restored file has its versions, pointers, address and groups', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  const path = `${FILE}/${file.asset_file_id}`
  await server.call('POST', path, { json: { pageContent: '<p>2</p>', fileState: 'stage' } })
  const others = [await makeFile(server), await makeFile(server)].map((item) => item.asset_file_id)
  const asset_file_ids = [others[0], file.asset_file_id, others[1]]
  const group = await make(server, 'file_group', { name: newName(), asset_file_ids })
  const old = await read(server, path)

  await remove(server, path)
  assert.equal((await server.call('GET', path)).status, 404)
  assert.equal((await server.call('GET', file.url)).status, 404)
  assert.equal((await server.call('GET', `${path}/versions`)).status, 404)
  const groupPath = `/api/v2/file_group/${group.file_group_id}`
  assert.deepEqual((await read(server, groupPath)).body.asset_file_ids, others)
  const item = await trashItem(server, 'asset_file', file.asset_file_id)
  assert.deepEqual(
    { name: item.name, path: item.path, count: item.count, size: item.size, by: item.deleted_by },
    { name: file.name, path: file.path, count: 1, size: 16, by: 'admin' },
  )

  const answer = await restore(server, item)
  assert.equal(answer.status, 200, answer.text)
  const now = await read(server, path)
  assert.deepEqual(now.body, old.body)
  assert.notEqual(now.etag, old.etag)
  assert.equal((await server.call('GET', file.url)).text, '<p>1</p>')
  assert.equal((await server.call('GET', `${file.url}?state=stage`)).text, '<p>2</p>')
  assert.deepEqual((await read(server, groupPath)).body.asset_file_ids, asset_file_ids)
  assert.deepEqual(await listTrash(server, { trash_id: item.trash_id }), [])
})

test('an ETag from before the deletion does not match after the restore', async () => {
  const file = await makeFile(server)
  const path = `${FILE}/${file.asset_file_id}`
  const { etag } = await read(server, path)
  await remove(server, path)
  await restore(server, await trashItem(server, 'asset_file', file.asset_file_id))
  const headers = { 'if-match': etag }
  assertProblem(await server.call('DELETE', path, { headers }), 'precondition-failed')
})

test('the error for a taken name suggests a free name, under which the file returns', async () => {
  const file = await makeFile(server, { name: 'taken.html', fileState: 'publish' })
  await remove(server, `${FILE}/${file.asset_file_id}`)
  const other = await makeFile(server, { name: 'Taken.html' })
  const item = await trashItem(server, 'asset_file', file.asset_file_id)

  const refused = assertProblem(await restore(server, item), 'name-taken')
  assert.equal(refused.asset_file_id, other.asset_file_id)
  assert.equal(refused.free_name, 'taken (2).html')
  const answer = await restore(server, item, { name: refused.free_name })
  assert.equal(answer.status, 200, answer.text)
  const { body } = await read(server, `${FILE}/${file.asset_file_id}`)
  assert.deepEqual([body.name, body.version, body.live_version], ['taken (2).html', 2, 2])
  assert.equal((await server.call('GET', body.url)).text, '<p>1</p>')
})

test('a file whose folder is deleted returns to a folder that the request names', async () => {
  const folder = await makeFolder(server)
  const { asset_category_id } = folder
  const file = await makeFile(server, { parent_category_id: asset_category_id })
  await remove(server, `${FILE}/${file.asset_file_id}`)
  await remove(server, `${FOLDER}/${asset_category_id}`)
  const item = await trashItem(server, 'asset_file', file.asset_file_id)
  assert.match(assertProblem(await restore(server, item), 'in-use').detail, /parent_category_id/)
  assert.equal((await restore(server, item, { parent_category_id: 1 })).status, 200)
  assert.equal((await read(server, `${FILE}/${file.asset_file_id}`)).body.parent_category_id, 1)
})

test('a former address of a restored file redirects again', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  const path = `${FILE}/${file.asset_file_id}`
  const json = { name: newName(), fileState: 'publish' }
  const { body: renamed } = await server.call('POST', path, { json })
  await remove(server, path)
  assert.equal((await server.call('GET', `/file/1/${file.name}`)).status, 404)
  await restore(server, await trashItem(server, 'asset_file', file.asset_file_id))
  const { status, headers } = await server.call('GET', `/file/1/${file.name}`)
  assert.deepEqual([status, headers.location], [308, renamed.url])
})

test('a restored group has the files that still exist', async () => {
  const [kept, gone] = [await makeFile(server), await makeFile(server)].map((f) => f.asset_file_id)
  const group = await make(server, 'file_group', { name: newName(), asset_file_ids: [gone, kept] })
  await remove(server, `/api/v2/file_group/${group.file_group_id}`)
  await remove(server, `${FILE}/${gone}`)
  const answer = await restore(server, await trashItem(server, 'file_group', group.file_group_id))
  assert.equal(answer.status, 200, answer.text)
  const { body } = await read(server, `/api/v2/file_group/${group.file_group_id}`)
  assert.deepEqual(body.asset_file_ids, [kept])
})

test('a restored folder has everything that was in it', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const below = await makeFolder(server, { parent_category_id: id })
  const deep = below.asset_category_id
  const page = await makeFile(server, { parent_category_id: deep, fileState: 'publish' })
  const bytes = await uploadFile(server, 'x'.repeat(1000), { asset_category_id: String(id) })
  const fileIds = [bytes.asset_file_id, page.asset_file_id]
  const inside = { name: newName(), parent_category_id: deep, asset_file_ids: fileIds }
  const group = await make(server, 'file_group', inside)
  const outside = await make(server, 'file_group', { name: newName(), asset_file_ids: fileIds })
  const table = await makeTable(server, 'title C(20) UNIQUE, page FILE', { parent_category_id: id })
  const entry = await makeEntry(server, table.url, { title: 'a', page: page.asset_file_id })
  const paths = [
    `${FOLDER}/${id}`,
    `${FOLDER}/${deep}`,
    ...fileIds.map((fileId) => `${FILE}/${fileId}`),
    `/api/v2/file_group/${group.file_group_id}`,
    `/api/v2/file_group/${outside.file_group_id}`,
    table.path,
    `${table.url}/${entry.datatable_entry_id}?fields=*`,
  ]
  const bodies = async () => Promise.all(paths.map(async (path) => (await read(server, path)).body))
  const old = await bodies()

  await remove(server, `${FOLDER}/${id}?recursive=true`)
  for (const path of paths.filter((item) => !item.includes(`group/${outside.file_group_id}`)))
    assert.equal((await server.call('GET', path)).status, 404, path)
  const item = await trashItem(server, 'asset_category', id)
  assert.deepEqual([item.count, item.size], [7, 1008])

  const answer = await restore(server, item)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.is_pending, true)
  await untilGone(server, item)
  const now = await bodies()
  for (const [at, body] of old.entries()) {
    // The files have left the groups and have joined them again.
    if ('file_group_id' in body) now[at].date_modified = body.date_modified
    assert.deepEqual(now[at], body)
  }
  assert.equal((await server.call('GET', page.url)).text, '<p>1</p>')
})

for (const mode of ['all', 'each'])
  test(`a batch of mode ${mode} restores deleted files`, async () => {
    const files = [await makeFile(server, { fileState: 'publish' }), await makeFile(server)]
    const ids = files.map(({ asset_file_id: id }) => id)
    const batch = (op: string, key = server.key) => {
      const operations = ids.map((id) => ({ op, asset_file_id: id }))
      return server.call('POST', '/api/v2/batch', { json: { mode, operations }, key })
    }
    const statuses = ({ status, body }: Answer): readonly number[] =>
      body.results?.map((result: any) => result.status) ?? [status]
    assert.deepEqual(statuses(await batch('restore_trash')), mode === 'all' ? [404] : [404, 404])
    const old = await Promise.all(ids.map((id) => read(server, `${FILE}/${id}`)))
    assert.equal((await batch('delete')).status, 200)

    // Without the grant delete, nobody sees the trash. Without publish, no live file returns.
    for (const [grants, expected] of [
      ['view,create,publish', mode === 'all' ? [404] : [404, 404]],
      ['view,create,delete', mode === 'all' ? [403] : [403, 200]],
    ] as const) {
      const key = await server.makeKey({ name: newName(), grants })
      assert.deepEqual(statuses(await batch('restore_trash', key)), expected)
    }
    const rest = await batch('restore_trash')
    assert.deepEqual(statuses(rest), mode === 'all' ? [200, 200] : [200, 404])
    const now = await Promise.all(ids.map((id) => read(server, `${FILE}/${id}`)))
    assert.deepEqual(
      now.map(({ body }) => body),
      old.map(({ body }) => body),
    )
    assert.equal((await server.call('GET', files[0].url)).text, '<p>1</p>')
    const { body } = await server.call('GET', '/api/v2/audit?length=1&orderDir=DESC')
    assert.equal(body.audit[0].action, 'restore')
  })

test('a batch restores no file of a deleted folder, and names a free name for a taken one', async () => {
  const folder = await makeFolder(server)
  const inside = await makeFile(server, { parent_category_id: folder.asset_category_id })
  await remove(server, `${FOLDER}/${folder.asset_category_id}?recursive=true`)
  const file = await makeFile(server)
  await remove(server, `${FILE}/${file.asset_file_id}`)
  await makeFile(server, { name: file.name })
  const operations = [inside, file].map(({ asset_file_id }) => ({
    op: 'restore_trash',
    asset_file_id,
  }))
  const { body } = await server.call('POST', '/api/v2/batch', {
    json: { mode: 'each', operations },
  })
  assert.deepEqual(
    body.results.map(({ problem }: any) => problem.code),
    ['not-found', 'name-taken'],
  )
  assert.match(body.results[1].problem.free_name, / \(2\)/)
})

test('an empty folder returns under another name in another folder', async () => {
  const folder = await makeFolder(server)
  const target = await makeFolder(server)
  await remove(server, `${FOLDER}/${folder.asset_category_id}`)
  const item = await trashItem(server, 'asset_category', folder.asset_category_id)
  const json = { name: 'other', parent_category_id: target.asset_category_id }
  assert.equal((await restore(server, item, json)).status, 200)
  const { body } = await read(server, `${FOLDER}/${folder.asset_category_id}`)
  assert.equal(body.path, `${target.path}/other`)
})

test('a folder that cannot return stays in the trash with everything in it', async () => {
  const name = newName('folder')
  const { asset_category_id: id } = await makeFolder(server, { name })
  const file = await makeFile(server, { parent_category_id: id })
  await remove(server, `${FOLDER}/${id}?recursive=true`)
  await makeFolder(server, { name })
  const item = await trashItem(server, 'asset_category', id)
  assert.equal(
    assertProblem(await restore(server, item), 'name-taken').free_name,
    `${name.replace('.folder', ' (2).folder')}`,
  )
  assert.deepEqual(await trashItem(server, 'asset_category', id), item)
  assert.equal((await server.call('GET', `${FILE}/${file.asset_file_id}`)).status, 404)
  assert.equal((await restore(server, item, { name: newName('folder') })).status, 200)
  assert.equal((await server.call('GET', `${FILE}/${file.asset_file_id}`)).status, 200)
})
