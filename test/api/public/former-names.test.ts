// The list of redirects that renames and moves leave behind, and how they end.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'

let server: TestServer
/** The folder of the site. */
let root: number
before(async () => {
  const sites = [{ origin: `https://${HOST}`, folder: '/Main/website' }]
  server = await startTestServer({ config: { sites } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
})
after(() => server.close())

const folderIn = async (parent: number, name: string): Promise<number> =>
  (await makeFolder(server, { name, parent_category_id: parent })).asset_category_id

async function fileIn(folder: number, name: string, fileState = 'publish'): Promise<number> {
  const content = { type: 'html', pageContent: 'text', fileState }
  return (await makeFile(server, { name, parent_category_id: folder, ...content })).asset_file_id
}

async function change(kind: string, id: number, json: object): Promise<void> {
  const { status, text } = await server.call('POST', `/api/v2/${kind}/${id}`, { json })
  assert.equal(status, 200, text)
}

const pathOf = (folder: number): string => `/api/v2/asset_category/${folder}/former_name`
const list = (folder: number, key = server.key, query = ''): Promise<Answer> =>
  server.call('GET', pathOf(folder) + query, { key })
const end = (folder: number, name: string, key = server.key): Promise<Answer> =>
  server.call('DELETE', `${pathOf(folder)}/${encodeURIComponent(name)}`, { key })

async function visit(path: string): Promise<unknown> {
  const { status, headers } = await server.call('GET', path, { key: null, headers: { host: HOST } })
  return [status, headers.location]
}

test('renames and moves of files and folders are listed in order with the current paths', async () => {
  const folder = await folderIn(root, 'listed')
  const file = await fileIn(folder, 'Old.html')
  await change('asset_file', file, { name: 'new.html' })
  assert.deepEqual((await list(folder)).body.former_name, [], 'the rename is not live yet')
  await change('asset_file', file, { fileState: 'publish' })
  const moved = await fileIn(folder, 'moved.html')
  await change('asset_file', moved, { parent_category_id: root })
  const below = await folderIn(folder, 'below')
  await change('asset_category', below, { name: 'renamed' })
  const { status, body } = await list(folder)
  assert.equal(status, 200)
  const all = [
    {
      ...{ name: 'below', object: 'asset_category', object_id: below },
      path: '/Main/website/listed/renamed',
    },
    {
      ...{ name: 'moved.html', object: 'asset_file', object_id: moved },
      path: '/Main/website/moved.html',
    },
    {
      ...{ name: 'old.html', object: 'asset_file', object_id: file },
      path: '/Main/website/listed/new.html',
    },
  ]
  assert.deepEqual(body.former_name, all)

  const first = await list(folder, server.key, '?length=2')
  assert.deepEqual(first.body.former_name, all.slice(0, 2))
  const second = await list(folder, server.key, `?length=2&cursor=${first.body.page.next}`)
  assert.deepEqual([second.body.former_name, second.body.page.next], [all.slice(2), null])

  await fileIn(folder, 'old.html')
  await server.call('POST', `/api/v2/asset_file/${moved}/unpublish`)
  const names = (await list(folder)).body.former_name.map(({ name }: any) => name)
  assert.deepEqual(names, ['below'], 'a taken name and a file that is not live lead nowhere')
})

test('a redirect that was ended never returns to the site', async () => {
  const folder = await folderIn(root, 'ended')
  const file = await fileIn(folder, 'first.html')
  await change('asset_file', file, { name: 'second.html', fileState: 'publish' })
  const below = await folderIn(folder, 'inner')
  await fileIn(below, 'page.html')
  await change('asset_category', below, { name: 'outer' })
  assert.deepEqual(await visit('/ended/first.html'), [308, '/ended/second.html'])
  assert.deepEqual(await visit('/ended/inner/page'), [308, '/ended/outer/page'])
  const before = await server.call('GET', '/api/v2/change?since=0')
  for (const name of ['FIRST.html', 'inner']) assert.equal((await end(folder, name)).status, 204)
  assert.equal(((await visit('/ended/first.html')) as unknown[])[0], 404)
  assert.equal(((await visit('/ended/inner/page')) as unknown[])[0], 404)
  assert.equal((await server.call('GET', `/file/${folder}/first.html`)).status, 404)
  assert.deepEqual((await list(folder)).body.former_name, [])
  await change('asset_file', file, { name: 'third.html', fileState: 'publish' })
  const names = (await list(folder)).body.former_name.map(({ name }: any) => name)
  assert.deepEqual(names, ['second.html'])
  const since = `since=${before.body.page.next ?? before.body.position ?? 0}`
  const { body } = await server.call('GET', `/api/v2/change?${since}`)
  const told = body.change.filter((row: any) => row.object_id === folder)
  assert.ok(told.length > 0, 'followers learn of it')
})

test('former names of invisible files can be neither listed nor ended', async () => {
  const folder = await folderIn(root, 'hiding')
  const hidden = await folderIn(root, 'hidden')
  const file = await fileIn(folder, 'gone.html')
  await change('asset_file', file, { parent_category_id: hidden })
  const below = await folderIn(folder, 'inner')
  await change('asset_category', below, { parent_category_id: hidden, name: 'secret' })
  const key = await server.makeKey({
    name: 'narrow',
    grants: 'view,modify,publish',
    category: folder,
  })
  const plain = await list(folder, key)
  assert.deepEqual([plain.status, plain.body.former_name], [200, []])
  assert.equal((await list(folder)).body.former_name.length, 2)
  for (const name of ['gone.html', 'inner', 'never.html'])
    assertProblem(await end(folder, name, key), 'not-found')
  assertProblem(await list(hidden, key), 'not-found')
  assert.equal((await list(folder)).body.former_name.length, 2)
  const viewer = await server.makeKey({ name: 'viewer', grants: 'view' })
  assert.equal((await list(folder, viewer)).body.former_name.length, 2)
  assertProblem(await end(folder, 'gone.html', viewer), 'grant-missing')
})
