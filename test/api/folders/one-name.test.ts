// A file and a folder in the same folder never have the same name, because a directory could not hold both.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, newName, uploadFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const FILE = { type: 'html', pageContent: 'x' }
const post = (path: string, json: object, key?: string) =>
  server.call('POST', `/api/v2/${path}`, { json, ...(key !== undefined && { key }) })

test('a file cannot take the name of a folder, nor a folder the name of a file', async () => {
  const { asset_category_id: parent } = await makeFolder(server, {})
  const inside = { parent_category_id: parent }
  const { asset_category_id: folder } = await makeFolder(server, { name: 'news.html', ...inside })
  const { asset_file_id: file } = await makeFile(server, { name: 'team.html', ...inside })
  const outside = {
    folder: (await makeFolder(server, { name: 'TEAM.html' })).asset_category_id,
    file: (await makeFile(server, { name: 'News.html', parent_category_id: 1 })).asset_file_id,
  }

  // Create, rename and move, each in both directions. Names are compared without regard to case.
  for (const [path, json, taken] of [
    ['asset_file', { name: 'NEWS.html', ...FILE, ...inside }, { asset_category_id: folder }],
    ['asset_category', { name: 'Team.html', ...inside }, { asset_file_id: file }],
    [`asset_file/${file}`, { name: 'news.html' }, { asset_category_id: folder }],
    [`asset_category/${folder}`, { name: 'team.html' }, { asset_file_id: file }],
    [`asset_file/${outside.file}`, inside, { asset_category_id: folder }],
    [`asset_category/${outside.folder}`, inside, { asset_file_id: file }],
  ] as const) {
    const problem = assertProblem(await post(path, json), 'name-taken')
    for (const [name, id] of Object.entries(taken)) assert.equal(problem[name], id, path)
    assert.equal(problem.errors[0].pointer, '/name')
  }
  const names = async (object: string): Promise<readonly string[]> => {
    const qry = encodeURIComponent(JSON.stringify(inside))
    const { body } = await server.call('GET', `/api/v2/${object}?qry=${qry}`)
    return body[object].map((record: any) => record.name)
  }
  assert.deepEqual(
    [await names('asset_file'), await names('asset_category')],
    [['team.html'], ['news.html']],
  )

  // A record may change the case of its own name.
  assert.equal((await post(`asset_file/${file}`, { name: 'Team.html' })).status, 200)
  assert.equal((await post(`asset_category/${folder}`, { name: 'News.html' })).status, 200)
})

test('the name of a hidden folder is refused without the number of the folder', async () => {
  const { asset_category_id: parent } = await makeFolder(server, {})
  const inside = { parent_category_id: parent }
  const name = newName()
  const { asset_category_id: hidden } = await makeFolder(server, { name, ...inside })
  const folders = [
    { asset_category_id: parent, role: 'editor' },
    { asset_category_id: hidden, role: null },
  ]
  const user = await post('user', { name: newName('user'), category_roles: folders })
  assert.equal(user.status, 201, user.text)
  const made = await post('api_key', { name: 'narrow', user_id: user.body.user_id })
  const answer = await post('asset_file', { name, ...FILE, ...inside }, made.body.secret)
  const problem = assertProblem(answer, 'name-taken')
  assert.equal(problem.asset_category_id, undefined)
  assert.ok(!answer.text.includes(String(`_id ${hidden}`)))
})

test('text is ordered by code point', async () => {
  const { asset_category_id: parent } = await makeFolder(server, {})
  for (const name of ['ähre', 'zoo', 'apple', 'Zebra'])
    await makeFolder(server, { name, parent_category_id: parent })
  const qry = encodeURIComponent(JSON.stringify({ parent_category_id: parent }))
  const { body } = await server.call('GET', `/api/v2/asset_category?qry=${qry}&orderStr=name`)
  assert.deepEqual(
    body.asset_category.map((record: any) => record.name),
    ['Zebra', 'apple', 'zoo', 'ähre'],
  )
})

test('an upload cannot take the name of a folder', async () => {
  const { asset_category_id: parent } = await makeFolder(server, {})
  await makeFolder(server, { name: 'photo.png', parent_category_id: parent })
  await assert.rejects(
    uploadFile(server, 'x', { fileName: 'photo.png', asset_category_id: String(parent) }),
    /name-taken/,
  )
})
