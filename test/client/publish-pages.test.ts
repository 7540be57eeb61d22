// cms-server publish-to with pages of type stml: the bucket contains the page that the site shows.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BreakingS3, BUCKET, startBreakingS3 } from '../helpers/breaking-s3.ts'
import { type Ended, runCli } from '../helpers/child-server.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const HOST = 'www.example.org'

let s3: BreakingS3
let server: TestServer
let root: number
let linked: any
before(async () => {
  s3 = await startBreakingS3()
  const sites = [{ origin: `https://${HOST}`, folder: '/Main/website' }]
  server = await startTestServer({ config: { sites } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  const below = { parent_category_id: root }
  const news = (await makeFolder(server, { ...below, name: 'news' })).asset_category_id
  linked = await publish(news, "it's.txt", 'x')
  const link = `<a href="[get_asset_file_url id=${linked.asset_file_id}]">{{x}}</a>`
  await publish(root, 'page.stml', `<div id="dd.0">${link}</div>`, { title: 'A page' })
  await publish(root, 'index.stml', '<div id="dd.0">home</div>')
  await publish(root, '404.stml', '<div id="dd.0">missing</div>')
  await publish(news, '404.stml', '<div id="dd.0">a page</div>')
  await publish(news, 'index.stml', '<div id="dd.0">stml</div>')
  await publish(news, 'index.html', 'html')
})
after(async () => {
  await server.close()
  await s3.close()
})

function publish(folder: number, name: string, pageContent: string, more = {}): Promise<any> {
  return makeFile(server, {
    name,
    type: name.split('.').at(-1),
    parent_category_id: folder,
    pageContent,
    fileState: 'publish',
    ...more,
  })
}

function publishTo(): Promise<Ended> {
  const env = {
    CMS_URL: server.url,
    CMS_KEY: server.key,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  }
  return runCli(['publish-to', `s3://${BUCKET}`, '--category', String(root)], { env })
}

/** The object is the page of the site. */
async function isPage(key: string, path: string): Promise<void> {
  const page = await server.call('GET', path, { key: null, headers: { host: HOST } })
  const object = s3.objects.get(key)
  assert.equal(object?.bytes.toString(), page.text, key)
  assert.equal(object?.headers?.['content-type'], 'text/html; charset=utf-8')
  assert.equal(object?.headers?.['cache-control'], 'public, no-cache')
}

test('pages are uploaded as the site shows them, and an index also as index.html', async () => {
  const { code, stdout, stderr } = await publishTo()
  assert.equal(code, 0, stderr)
  assert.match(stdout, /uploaded +9\b/)
  for (const [key, path] of [
    ['page.stml', '/page'],
    ['index.stml', '/'],
    ['index.html', '/'],
    ['404.html', '/404.stml'],
    ['news/index.html', '/news/'],
    ['news/index.stml', '/news/index.stml'],
  ] as const)
    await isPage(key, path)
  assert.ok(!s3.objects.has('news/404.html'))
  assert.match(String(s3.objects.get('page.stml')?.bytes), /href="\/news\/it%27s\.txt"/)
})

test('a page is uploaded again when a linked file is renamed, and only then', async () => {
  assert.match((await publishTo()).stdout, /unchanged +9\b/)
  const json = { name: 'renamed.txt', fileState: 'publish' }
  await server.call('POST', `/api/v2/asset_file/${linked.asset_file_id}`, { json })
  const { stdout } = await publishTo()
  assert.match(stdout, /uploaded +2\b[^]*unchanged +7\b[^]*removed +1\b/)
  await isPage('page.stml', '/page.stml')
})

test('an HTML index takes precedence over an STML page', async () => {
  await publish(root, 'index.html', 'html home')
  const { stdout } = await publishTo()
  assert.match(stdout, /uploaded +1\b[^]*unchanged +8\b/)
  await isPage('index.html', '/')
  await isPage('index.stml', '/index.stml')
})

test('layouts, fragments and menus are in the uploaded pages, and their changes upload only these pages', async () => {
  const parts = (await makeFolder(server, { parent_category_id: root, name: 'parts' }))
    .asset_category_id
  const footer = await publish(parts, 'footer.html', '<footer>one</footer>')
  const json = {
    name: 'menu',
    parent_category_id: root,
    asset_file_ids: [linked.asset_file_id, footer.asset_file_id],
  }
  const { file_group_id: group } = (await server.call('POST', '/api/v2/file_group', { json })).body
  const layout = await publish(
    parts,
    'layout.html',
    `<title>[page_title]</title>[menu group=${group}][page_content][include id=${footer.asset_file_id}]`,
    { layout_file_id: 0 },
  )
  const docs = (
    await makeFolder(server, {
      parent_category_id: root,
      name: 'docs',
      layout_file_id: layout.asset_file_id,
    })
  ).asset_category_id
  await publish(docs, 'a.html', '<title>A</title><p>a')
  await publish(docs, 'b.stml', '<div id="dd.0">b</div>')
  await publish(docs, 'plain.html', 'plain', { layout_file_id: 0 })
  const pages = [
    ['docs/a.html', '/docs/a'],
    ['docs/b.stml', '/docs/b'],
    ['docs/plain.html', '/docs/plain'],
    ['parts/layout.html', '/parts/layout'],
  ] as const
  const { code, stdout, stderr } = await publishTo()
  assert.equal(code, 0, stderr)
  assert.match(stdout, /uploaded +5\b/)
  for (const [key, path] of pages) await isPage(key, path)
  assert.match(String(s3.objects.get('docs/b.stml')?.bytes), /renamed.txt[^]*<div>b<\/div>[^]*one/)

  assert.match((await publishTo()).stdout, /uploaded +0\b/)
  const change = { pageContent: '<footer>two</footer>', fileState: 'publish' }
  await server.call('POST', `/api/v2/asset_file/${footer.asset_file_id}`, { json: change })
  assert.match((await publishTo()).stdout, /uploaded +4\b/)
  for (const [key, path] of pages) await isPage(key, path)
  const ids = [footer.asset_file_id]
  await server.call('POST', `/api/v2/file_group/${group}`, { json: { asset_file_ids: ids } })
  assert.match((await publishTo()).stdout, /uploaded +3\b/)
  for (const [key, path] of pages) await isPage(key, path)
})
