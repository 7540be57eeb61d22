// --live-tree with pages of type stml: the tree contains the rendered page, and follows the files that the page links to.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { startTestServer, temporaryDirectory, type TestServer } from '../helpers/server.ts'
import { eventually, treeIn } from '../helpers/tree.ts'

const HOST = 'www.example.org'
const sites = [{ origin: `https://${HOST}`, folder: '/Main/website' }]
const liveTree = join(temporaryDirectory(), 'tree')
const tree = join(liveTree, HOST)

let server: TestServer
let root: number
let news: any
let linked: any
before(async () => {
  server = await startTestServer({ config: { sites, liveTree } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  news = await makeFolder(server, { name: 'news', parent_category_id: root })
  linked = await publish(news.asset_category_id, 'linked.txt', 'x')
})
after(() => server.close())

function publish(folder: number, name: string, pageContent: string): Promise<any> {
  return makeFile(server, {
    name,
    type: name.split('.').at(-1),
    parent_category_id: folder,
    pageContent,
    fileState: 'publish',
  })
}

const filed = (file: any): string => `/api/v2/asset_file/${file.asset_file_id}`

async function change(path: string, json: object): Promise<void> {
  const { status, text } = await server.call('POST', path, { json })
  assert.ok(status < 300, text)
}

/** The tree contains this page, which is the page of the site. */
async function shows(path: string, inside: string): Promise<void> {
  await eventually(async () => {
    const text = treeIn(tree)[path] ?? ''
    assert.match(text, /^<!DOCTYPE html>/)
    assert.ok(text.includes(`<div id="dd.0">${inside}</div>`), text)
    const page = await server.call('GET', `/${path}`, { key: null, headers: { host: HOST } })
    assert.equal(text, page.text)
  })
}

test('the tree follows a page, and a linked file that is renamed, moved, hidden and published', async () => {
  const link = `<a href="[get_asset_file_url id=${linked.asset_file_id}]">{{x}}</a>`
  const page = await publish(root, 'page.stml', `<div id="dd.0">${link}</div>`)
  await publish(root, 'other.stml', '<div id="dd.0">other</div>')
  const leadsTo = (path: string): Promise<void> =>
    shows('page.stml', `<a href="${path}"><!-- field x --></a>`)
  await leadsTo('/news/linked.txt')
  await shows('other.stml', 'other')
  await change(filed(linked), { name: 'new.txt' })
  await change(filed(linked), { fileState: 'publish' })
  await leadsTo('/news/new.txt')
  await change(filed(linked), { parent_category_id: root })
  await leadsTo('/new.txt')
  await change(filed(linked), { parent_category_id: news.asset_category_id })
  const folder = `/api/v2/asset_category/${news.asset_category_id}`
  await change(folder, { name: 'latest' })
  await leadsTo('/latest/new.txt')
  await change(folder, { public: false })
  await leadsTo('')
  await change(folder, { public: true })
  await leadsTo('/latest/new.txt')
  await change(`${filed(linked)}/unpublish`, {})
  await leadsTo('')
  await change(`${filed(linked)}/publish`, {})
  await leadsTo('/latest/new.txt')
  await change(filed(page), { name: 'renamed.stml', fileState: 'publish' })
  await shows('renamed.stml', `<a href="/latest/new.txt"><!-- field x --></a>`)
  await eventually(() => assert.equal(treeIn(tree)['page.stml'], undefined))
  await change(`${filed(page)}/unpublish`, {})
  await eventually(() => assert.equal(treeIn(tree)['renamed.stml'], undefined))
})

test('a start repairs a rendered page, and follows a rename that happened without the tree', async () => {
  const link = `<a href="[get_asset_file_url id=${linked.asset_file_id}]">x</a>`
  await publish(root, 'again.stml', `<div id="dd.0">${link}</div>`)
  await shows('again.stml', '<a href="/latest/new.txt">x</a>')
  await shows('other.stml', 'other')
  await server.stop()
  const path = join(tree, 'other.stml')
  writeFileSync(path, readFileSync(path, 'utf8').replace('other', 'OTHER'))
  server = await startTestServer({ dataDir: server.dataDir, config: { sites } })
  await change(filed(linked), { name: 'last.txt', fileState: 'publish' })
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir, config: { sites, liveTree } })
  await shows('again.stml', '<a href="/latest/last.txt">x</a>')
  await shows('other.stml', 'other')
  // A comparison while the server runs, after an error of the disk, also writes what is missing.
  rmSync(path)
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir, config: { sites, liveTree } })
  await shows('other.stml', 'other')
  assert.ok(existsSync(join(tree, 'again.stml')))
})

test('the tree follows fragments, menus and layouts, also of HTML pages', async () => {
  const parts = (await makeFolder(server, { name: 'parts', parent_category_id: root }))
    .asset_category_id
  const inner = await publish(parts, 'inner.html', 'inner')
  const footer = await publish(parts, 'footer.html', `[include id=${inner.asset_file_id}]`)
  const group = { name: 'menu', parent_category_id: root, asset_file_ids: [] as number[] }
  const { body } = await server.call('POST', '/api/v2/file_group', { json: group })
  const menu = `/api/v2/file_group/${body.file_group_id}`
  const text = `[menu group=${body.file_group_id}][include id=${footer.asset_file_id}]`
  await publish(root, 'whole.html', text)
  const plain = await publish(root, 'plain.html', '<p>plain')
  const layout = await publish(parts, 'layout.html', '<b>[page_content]</b>')
  const settles = (path: string, expected: RegExp): Promise<void> =>
    eventually(async () => {
      const found = treeIn(tree)[path] ?? ''
      assert.match(found, expected)
      const page = await server.call('GET', `/${path}`, { key: null, headers: { host: HOST } })
      assert.equal(found, page.text)
    })
  await settles('whole.html', /^<ul>\n<\/ul>inner$/)
  await settles('plain.html', /^<p>plain$/)
  await change(filed(inner), { pageContent: 'changed', fileState: 'publish' })
  await settles('whole.html', /^<ul>\n<\/ul>changed$/)
  await change(menu, { asset_file_ids: [plain.asset_file_id] })
  await settles('whole.html', /plain\.html<\/a>/)
  await change(`/api/v2/asset_category/${root}`, { layout_file_id: layout.asset_file_id })
  await settles('plain.html', /<body>\n<b><p>plain<\/b>/)
  await settles('whole.html', /<b><ul>[^]*changed<\/b>/)
  await change(filed(layout), { pageContent: '<i>[page_content]</i>', fileState: 'publish' })
  await settles('plain.html', /<i><p>plain<\/i>/)
  await change(filed(plain), { layout_file_id: 0, fileState: 'publish' })
  await settles('plain.html', /^<p>plain$/)
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir, config: { sites } })
  await change(`/api/v2/asset_category/${root}`, { layout_file_id: null })
  await change(filed(plain), { layout_file_id: layout.asset_file_id, fileState: 'publish' })
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir, config: { sites, liveTree } })
  await settles('whole.html', /^<ul>/)
  await settles('plain.html', /<i><p>plain<\/i>/)
})
