// Pages name fragments, menus and files by number. An export and an import on another server carry these numbers over.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportTree } from '../../lib/client/export.ts'
import { importTree } from '../../lib/client/import.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { temporaryDirectory } from './tree.ts'

const HOST = 'www.example.org'
const config = { sites: [{ origin: `https://${HOST}`, folder: '/Main/website' }] }

interface Site {
  readonly server: TestServer
  readonly root: number
}

let from: Site
let to: Site
before(async () => {
  from = await openSite()
  to = await openSite()
  // The numbers differ from now on.
  for (const name of ['1.txt', '2.txt', '3.txt']) await makeFile(to.server, { name, type: 'txt' })
  await post(to, 'file_group', { name: 'another' })
})
after(() => Promise.all([from.server.close(), to.server.close()]))

async function openSite(): Promise<Site> {
  const server = await startTestServer({ config })
  const folder = await makeFolder(server, { name: 'website', public: true })
  return { server, root: folder.asset_category_id }
}

async function post({ server }: Site, path: string, json: object): Promise<any> {
  const { status, body } = await server.call('POST', `/api/v2/${path}`, { json })
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

async function publish(folder: number, name: string, pageContent: string): Promise<number> {
  const type = name.split('.').at(-1)
  const file = { name, type, parent_category_id: folder, pageContent, fileState: 'publish' }
  return (await makeFile(from.server, { ...file, title: name })).asset_file_id
}

async function textOf({ server }: Site, path: string): Promise<string> {
  return (await server.call('GET', path, { key: null, headers: { host: HOST } })).text
}

const addressOf = ({ server }: Site) => ({ url: server.url, key: server.key })

const load = (site: Site, source: string) =>
  importTree({ ...addressOf(site), source, categoryId: site.root, publish: false })

const save = (target: string, state: 'live' | 'latest' = 'live') =>
  exportTree({ ...addressOf(from), target, state, categoryId: from.root })

/** Names and versions of all files of the site. */
async function versionsOf({ server }: Site): Promise<readonly string[]> {
  const { body } = await server.call('GET', '/api/v2/asset_file?fields=name,version,live_version')
  return body.asset_file.map((file: any) => [file.name, file.version, file.live_version].join())
}

test('fragments, menus and links of pages are those of the export', async (t) => {
  const parts = await makeFolder(from.server, { name: 'parts', parent_category_id: from.root })
  const { file_group_id: menu } = await post(from, 'file_group', {
    name: 'Main menu',
    title: 'Pages',
    parent_category_id: from.root,
  })
  const folder = parts.asset_category_id
  const plain = await publish(folder, 'plain.html', '<p>plain</p>')
  const footer = await publish(
    folder,
    'z.html',
    `<footer>[include id=${plain}] [menu group=${menu}]</footer>`,
  )
  const link = `<p>[include id="${footer}"]</p><a href="[get_asset_file_url id=${plain}]">é</a>`
  const about = await publish(from.root, 'about.stml', `<div id="dd.0">${link}</div>`)
  const layout = `<html><body>[page_content] [include id=${footer}]</body></html>`
  await publish(
    from.root,
    'a.html',
    `[include id=${footer}] [menu group=${menu}] [get_asset_file_url id=${plain}]`,
  )
  await post(from, `asset_category/${folder}`, {
    layout_file_id: await publish(from.root, 'layout.html', layout),
  })
  const draft = await makeFile(from.server, {
    name: 'draft.html',
    type: 'html',
    parent_category_id: from.root,
  })
  const ids = [about, draft.asset_file_id, plain]
  await post(from, `file_group/${menu}`, { asset_file_ids: ids })

  const target = await temporaryDirectory(t)
  assert.deepEqual((await save(target)).failures, [])
  const first = await load(to, target)
  assert.deepEqual(
    first.failures.map(({ path, detail }) => `${path}: ${detail}`),
    [`Main menu: its file ${draft.asset_file_id} is not in the export`],
  )
  assert.deepEqual([first.uploaded, first.replaced, first.published], [5, 0, 5])
  const paths = ['/a', '/about', '/parts/plain', '/parts/z', '/layout']
  for (const path of paths) {
    const text = await textOf(to, path)
    assert.equal(text, await textOf(from, path), path)
    if (path !== '/parts/plain')
      assert.match(text, /<footer><p>plain<\/p> <ul>\n<li><a href="\/about\.stml"/)
    assert.doesNotMatch(text, /<!-- (?:include|menu)/)
  }

  const versions = await versionsOf(to)
  const again = await load(to, target)
  assert.deepEqual([again.uploaded, again.replaced, again.published], [0, 0, 0])
  assert.deepEqual(await versionsOf(to), versions)

  await t.test('a later export moves changes of menus and fragments', async () => {
    await post(from, `file_group/${menu}`, { asset_file_ids: [plain, about], title: null })
    await post(from, `asset_file/${footer}`, {
      pageContent: `<footer>new [menu group=${menu}]</footer>`,
      fileState: 'publish',
    })
    await save(target)
    const { failures, replaced } = await load(to, target)
    assert.deepEqual([failures, replaced], [[], 1])
    for (const path of paths) assert.equal(await textOf(to, path), await textOf(from, path), path)
    assert.match(await textOf(to, '/a'), /new <ul>\n<li><a href="\/parts\/plain/)
  })

  await t.test('numbers outside the export stay, and are reported on another server', async () => {
    const outside = await makeFile(from.server, { name: 'outside.html', type: 'html' })
    const { file_group_id: group } = await post(from, 'file_group', { name: 'outside' })
    const id = outside.asset_file_id
    const text = `[include id=${id}] [include id=${id}] [menu group=${group}]`
    await publish(from.root, 'lost.html', text)
    await save(target)
    const { failed, failures } = await load(to, target)
    const ending = 'which is not in the export: correct the number'
    assert.deepEqual(
      [failed, failures],
      [
        2,
        [
          { path: 'lost.html', detail: `it names the file ${id}, ${ending}` },
          { path: 'lost.html', detail: `it names the file group ${group}, ${ending}` },
        ],
      ],
    )
    const before = await versionsOf(from)
    const same = await load(from, target)
    assert.deepEqual([same.failures, same.replaced, same.uploaded], [[], 0, 0])
    assert.deepEqual(await versionsOf(from), before)
  })

  await t.test(
    'a key without publish imports drafts, and reports each menu that visitors see',
    async () => {
      const categoryId = (
        await makeFolder(from.server, { name: 'later', parent_category_id: from.root })
      ).asset_category_id
      const { asset_file_id: id } = await makeFile(from.server, {
        name: 'draft.html',
        type: 'html',
        pageContent: '[page_title]',
        parent_category_id: categoryId,
      })
      const group = { name: 'Later', parent_category_id: categoryId, asset_file_ids: [id] }
      await post(from, 'file_group', group)
      const drafts = await temporaryDirectory(t)
      await exportTree({ ...addressOf(from), target: drafts, state: 'latest', categoryId })
      const key = await to.server.makeKey({ name: 'author', grants: 'view,create,modify' })
      const { url } = to.server
      const options = { url, source: drafts, categoryId: to.root, publish: false }
      const { uploaded, failures } = await importTree({ ...options, key })
      assert.deepEqual([uploaded, failures.map(({ path }) => path)], [1, ['Later']])
      assert.match(failures[0]?.detail ?? '', /publish/)
      const whole = await importTree({ ...options, key: to.server.key })
      assert.deepEqual([whole.unchanged, whole.failures], [1, []])
      const { body } = await to.server.call('GET', '/api/v2/file_group?qry={"name":"Later"}')
      assert.equal(body.file_group[0].asset_file_ids.length, 1)
    },
  )
})
