// A publish of hundreds of pages that include fragments of the same publish. It takes several commits.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile, makeFolder } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'
const FILE = '/api/v2/asset_file'
const PAGES = 520

let server: TestServer
let root: number
before(async () => {
  const sites = [{ origin: `https://${HOST}`, folder: '/Main/website' }]
  server = await startTestServer({ config: { sites } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
})
after(() => server.close())

const textOf = async (path: string): Promise<string> =>
  (await server.call('GET', path, { key: null, headers: { host: HOST } })).text

async function makePages(folder: number, pageContent: string): Promise<readonly number[]> {
  const ids: number[] = []
  while (ids.length < PAGES) {
    const json = Array.from({ length: Math.min(50, PAGES - ids.length) }, (_, at) => ({
      name: `page-${ids.length + at}.html`,
      type: 'html',
      parent_category_id: folder,
      pageContent,
    }))
    const made = await server.call('POST', FILE, { json })
    assert.equal(made.status, 201, made.text)
    ids.push(...made.body.asset_file.map((file: any) => file.asset_file_id))
  }
  return ids
}

async function makeSite(name: string) {
  const { asset_category_id: folder } = await makeFolder(server, {
    name,
    parent_category_id: root,
  })
  const html = { type: 'html', parent_category_id: folder }
  const first = await makeFile(server, { ...html, name: 'first.html', pageContent: 'old' })
  const ids = await makePages(folder, `<main>[include id=${first.asset_file_id}]</main>`)
  const last = await makeFile(server, { ...html, name: 'last.html', pageContent: 'last' })
  const pageContent = `first [include id=${last.asset_file_id}]`
  await server.call('POST', `${FILE}/${first.asset_file_id}`, { json: { pageContent } })
  return { folder, ids: [first.asset_file_id, ...ids, last.asset_file_id] }
}

async function assertShown(name: string): Promise<void> {
  for (const at of [0, 49, 50, PAGES - 1])
    assert.equal(await textOf(`/${name}/page-${at}.html`), '<main>first last</main>')
}

test('pages show the fragments that the same publish of their folder made live', async () => {
  const { folder, ids } = await makeSite('folder')
  const { status, body } = await server.call('POST', `/api/v2/asset_category/${folder}/publish`)
  assert.deepEqual([status, body.changed, body.failed_count], [200, ids.length, 0])
  await assertShown('folder')
})

test('pages show the fragments that the same batch made live', async () => {
  const { ids } = await makeSite('batch')
  const operations = ids.map((id) => ({ op: 'publish', asset_file_id: id }))
  const { body } = await server.call('POST', '/api/v2/batch', {
    json: { mode: 'each', operations },
  })
  assert.deepEqual([body.succeeded, body.failed], [ids.length, 0])
  await assertShown('batch')
})
