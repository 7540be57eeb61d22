// The addresses of stored files that lead nowhere after a publish.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const CHECK = '/api/v2/links/check_files'

let server: TestServer
let folder: number
let other: number

before(async () => {
  server = await startTestServer()
  const [{ asset_category_id: id }, { asset_category_id: otherId }] = [
    await makeFolder(server, { name: 'pages', parent_category_id: 1 }),
    await makeFolder(server, { name: 'other', parent_category_id: 1 }),
  ]
  folder = id
  other = otherId
})
after(() => server.close())

async function make(name: string, pageContent: string, fields: object = {}): Promise<number> {
  const page = { name, type: 'html', parent_category_id: folder, pageContent, ...fields }
  return (await makeFile(server, page)).asset_file_id
}

const linksTo = (...addresses: readonly string[]): string =>
  addresses.map((address) => `<a href="${address}">x</a>`).join('')

async function check(ids: readonly number[], key?: string): Promise<any> {
  const json = { asset_file_ids: ids }
  const answer = await server.call('POST', CHECK, { json, ...(key !== undefined && { key }) })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('lists what leads nowhere once the latest versions of the files are live', async () => {
  await make('live.html', '', { fileState: 'publish' })
  const first = await make('first.html', '', { fileState: 'publish' })
  const pageContent = linksTo('no.html', 'live.html', 'second.html')
  await server.call('POST', `/api/v2/asset_file/${first}`, { json: { pageContent } })
  const second = await make('second.html', linksTo('first.html'))
  const missing = { address: 'no.html', reason: 'missing', asset_file_id: null }
  const draft = { address: 'second.html', reason: 'unpublished', asset_file_id: second }
  const file = { asset_file_id: first, name: 'first.html' }
  assert.deepEqual(await check([first]), {
    files: [{ ...file, links: [missing, draft] }],
    is_complete: true,
  })
  assert.deepEqual(await check([second, first, second]), {
    files: [{ ...file, links: [missing] }],
    is_complete: true,
  })
  const key = await server.makeKey({ name: 'elsewhere', grants: 'view,modify', category: other })
  assert.deepEqual(await check([first, 999_999], key), { files: [], is_complete: true })
})

test('names a draft in a private folder that is published with a page in a public one', async () => {
  const update = (json: object) => server.call('POST', `/api/v2/asset_category/${folder}`, { json })
  const draft = await make('closed.html', '', { parent_category_id: other })
  const page = await make('open.html', linksTo('../other/closed.html'))
  await update({ public: true })
  const { files } = await check([page, draft])
  await update({ public: false })
  assert.deepEqual(files[0].links, [
    { address: '../other/closed.html', reason: 'private', asset_file_id: draft },
  ])
})

async function usesOf(id: number): Promise<readonly string[]> {
  const { body } = await server.call('GET', `/api/v2/asset_file/${id}/used_on`)
  return body.pages.map(({ name }: any) => name)
}

const update = (id: number, json: object) =>
  server.call('POST', `/api/v2/asset_file/${id}`, { json: { ...json, fileState: 'publish' } })

test('a page that links to itself and includes itself uses itself', async () => {
  const id = await make('self.html', '')
  assert.equal((await check([id])).files.length, 0)
  const pageContent = `${linksTo('self.html')}[include id=${id}]`
  assert.equal((await update(id, { pageContent })).status, 200)
  assert.deepEqual(await check([id]), { files: [], is_complete: true })
  assert.deepEqual(await usesOf(id), ['self.html'])
  const shown = await server.call('GET', `/api/v2/asset_file/${id}/used_on?shown=true`)
  assert.deepEqual(shown.body.pages, [])
})

test('an address with a number leads to its file after moves of the page and of the file', async () => {
  const target = await make('numbered.png', '', { type: 'txt', fileState: 'publish' })
  const byFile = await make('by-file.html', linksTo(`/file/${target}/numbered.png`))
  const byFolder = await make('by-folder.html', linksTo(`/file/${folder}/numbered.png`))
  const both = ['by-file.html', 'by-folder.html']
  const assertFound = async (): Promise<void> => {
    assert.deepEqual(await check([byFile, byFolder]), { files: [], is_complete: true })
    assert.deepEqual(await usesOf(target), both)
  }

  await assertFound()
  for (const id of [byFile, byFolder]) await update(id, { parent_category_id: other })
  await assertFound()
  await update(target, { parent_category_id: other })
  await assertFound()
  await update(target, { name: 'renamed.png' })
  await assertFound()
})

test('bounds its answer', async () => {
  const addresses = Array.from({ length: 501 }, (_, at) => `no-${at}.html`)
  const { files, is_complete: isComplete } = await check([
    await make('many.html', linksTo(...addresses)),
  ])
  assert.deepEqual([files[0].links.length, isComplete], [500, false])
})

test('refuses wrong lists', async () => {
  for (const ids of [undefined, [], 'a', ['a'], [0], Array.from({ length: 501 }, () => 1)]) {
    const json = { asset_file_ids: ids }
    assertProblem(await server.call('POST', CHECK, { json }), 'invalid-content')
  }
})
