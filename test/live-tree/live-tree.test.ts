// --live-tree: a directory with the public live files of a site at their paths.

import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assetFile } from '../../lib/schema/asset-file.ts'
import { makeFile, makeFolder, uploadFile } from '../helpers/content.ts'
import { startTestServer, temporaryDirectory, type TestServer } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'
import { eventually, untilTree } from '../helpers/tree.ts'

const sites = [{ origin: 'https://www.example.org', folder: '/Main/website' }]

interface Tried {
  readonly liveTree: string
  /** The directory of the site. */
  readonly tree: string
}

function newTree(): Tried {
  const liveTree = join(temporaryDirectory(), 'tree')
  return { liveTree, tree: join(liveTree, 'www.example.org') }
}

const filed = (file: any): string => `/api/v2/asset_file/${file.asset_file_id}`
const folded = (folder: any): string => `/api/v2/asset_category/${folder.asset_category_id}`

async function change(server: TestServer, path: string, json: object): Promise<void> {
  const { status, text } = await server.call('POST', path, { json })
  assert.ok(status < 300, text)
}

describe('a live tree follows', () => {
  const { liveTree, tree } = newTree()
  let server: TestServer
  let root: any
  let news: any
  before(async () => {
    server = await startTestServer({ config: { sites, liveTree } })
    root = await makeFolder(server, { name: 'website', public: true })
  })
  after(() => server.close())
  beforeEach(async () => {
    if (news !== undefined) await server.call('DELETE', `${folded(news)}?recursive=true`)
    news = await makeFolder(server, { name: 'news', parent_category_id: root.asset_category_id })
    await untilTree(tree, {})
  })

  const publish = (name: string, pageContent: string, folder: any = news): Promise<any> =>
    makeFile(server, {
      name,
      type: name.split('.').at(-1),
      parent_category_id: folder.asset_category_id,
      pageContent,
      fileState: 'publish',
    })

  test('a publish, an unpublished save, and an unpublish', async () => {
    const page = await publish('hello.html', 'one')
    await publish('Grüße & 100 %.html', 'two')
    await untilTree(tree, { 'news/hello.html': 'one', 'news/Grüße & 100 %.html': 'two' })
    await change(server, filed(page), { pageContent: 'draft', name: 'draft.html' })
    await change(server, filed(await publish('last.html', 'three')), {})
    await untilTree(tree, {
      'news/hello.html': 'one',
      'news/Grüße & 100 %.html': 'two',
      'news/last.html': 'three',
    })
    await change(server, `${filed(page)}/publish`, {})
    await untilTree(tree, {
      'news/draft.html': 'draft',
      'news/Grüße & 100 %.html': 'two',
      'news/last.html': 'three',
    })
    await change(server, `${filed(page)}/unpublish`, {})
    await untilTree(tree, { 'news/Grüße & 100 %.html': 'two', 'news/last.html': 'three' })
  })

  test('large and empty files, which a web server can read', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'abc')
    const fields = { asset_category_id: String(news.asset_category_id), fileState: 'publish' }
    await uploadFile(server, bytes, { ...fields, fileName: 'large.bin' })
    await publish('empty.txt', '')
    await untilTree(tree, { 'news/large.bin': bytes.toString(), 'news/empty.txt': '' })
    for (const path of [liveTree, tree, join(tree, 'news')])
      assert.equal(statSync(path).mode & 0o777, 0o755)
    assert.equal(statSync(join(tree, 'news/large.bin')).mode & 0o777, 0o644)
  })

  test('moves, renames of folders and deletes', async () => {
    const page = await publish('hello.html', 'one')
    const other = await makeFolder(server, {
      name: 'other',
      parent_category_id: root.asset_category_id,
    })
    await change(server, filed(page), { parent_category_id: other.asset_category_id })
    await untilTree(tree, { 'other/hello.html': 'one' })
    await eventually(() => assert.ok(!existsSync(join(tree, 'news')), 'the empty folder is gone'))
    await change(server, folded(other), { name: 'Other' })
    await untilTree(tree, { 'Other/hello.html': 'one' })
    await change(server, folded(other), { parent_category_id: news.asset_category_id })
    await untilTree(tree, { 'news/Other/hello.html': 'one' })
    // The folder takes the place of a file, and a file the place of the folder.
    await change(server, folded(other), { name: 'x', parent_category_id: root.asset_category_id })
    await publish('Other', 'file', news)
    await untilTree(tree, { 'x/hello.html': 'one', 'news/Other': 'file' })
    await server.call('DELETE', `${folded(other)}?recursive=true`)
    await untilTree(tree, { 'news/Other': 'file' })
  })

  test('a folder that becomes private and public again', async () => {
    const below = await makeFolder(server, {
      name: 'below',
      parent_category_id: news.asset_category_id,
    })
    await publish('a.html', 'a')
    await publish('b.html', 'b', below)
    await untilTree(tree, { 'news/a.html': 'a', 'news/below/b.html': 'b' })
    await change(server, folded(below), { public: false })
    await untilTree(tree, { 'news/a.html': 'a' })
    await change(server, folded(news), { public: false })
    await change(server, folded(below), { public: true })
    await untilTree(tree, {})
    await change(server, folded(news), { public: null })
    await untilTree(tree, { 'news/a.html': 'a', 'news/below/b.html': 'b' })
    // The site disappears with its root.
    await change(server, folded(root), { name: 'elsewhere' })
    await untilTree(tree, {})
    await change(server, folded(root), { name: 'website' })
    await untilTree(tree, { 'news/a.html': 'a', 'news/below/b.html': 'b' })
  })

  test('a name that another file released, and a change of only the case', async () => {
    const first = await publish('a.html', 'first')
    const second = await publish('b.html', 'second')
    await untilTree(tree, { 'news/a.html': 'first', 'news/b.html': 'second' })
    await change(server, filed(first), { name: 'c.html', fileState: 'publish' })
    await change(server, filed(second), { name: 'a.html', fileState: 'publish' })
    await untilTree(tree, { 'news/c.html': 'first', 'news/a.html': 'second' })
    await change(server, filed(second), { name: 'A.html', fileState: 'publish' })
    await untilTree(tree, { 'news/c.html': 'first', 'news/A.html': 'second' })
  })

  test('reports a name that the disk does not accept, and writes the other files', async () => {
    const long = await makeFolder(server, {
      name: 'ü'.repeat(200),
      parent_category_id: news.asset_category_id,
    })
    await publish('lost.html', 'lost', long)
    await publish('kept.html', 'kept')
    await untilTree(tree, { 'news/kept.html': 'kept' })
    await eventually(async () => {
      const { warnings } = (await server.call('GET', '/ready')).body
      assert.deepEqual(
        warnings.map(({ code }: any) => code),
        ['live-tree-skipped'],
      )
      assert.match(warnings[0].detail, /: 1\. The log names them/)
    })
    await change(server, folded(long), { name: 'short' })
    await untilTree(tree, { 'news/kept.html': 'kept', 'news/short/lost.html': 'lost' })
    await eventually(async () =>
      assert.equal((await server.call('GET', '/ready')).body.warnings, undefined),
    )
  })
})

test('a start repairs the tree after any outside change', async () => {
  const { liveTree, tree } = newTree()
  const config = { sites, liveTree }
  let server = await startTestServer({ config })
  const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
  const put = (name: string, text: string) =>
    makeFile(server, {
      name,
      type: 'html',
      parent_category_id: root,
      pageContent: text,
      fileState: 'publish',
    })
  const expected: Record<string, string> = {}
  for (const name of ['same', 'edited', 'gone', 'folder', 'linked', 'touched']) {
    await put(`${name}.html`, name)
    expected[`${name}.html`] = name
  }
  await untilTree(tree, expected)
  const { ino } = statSync(join(tree, 'same.html'))
  await server.stop()

  writeFileSync(join(tree, 'edited.html'), 'EDITED')
  rmSync(join(tree, 'gone.html'))
  rmSync(join(tree, 'folder.html'))
  mkdirSync(join(tree, 'folder.html/a'), { recursive: true })
  writeFileSync(join(tree, 'folder.html/a/b'), 'foreign')
  renameSync(join(tree, 'linked.html'), join(tree, 'foreign'))
  const outside = join(server.dataDir, '..', 'outside')
  writeFileSync(outside, 'outside')
  symlinkSync(outside, join(tree, 'linked.html'))
  utimesSync(join(tree, 'touched.html'), 1, 1)
  mkdirSync(join(tree, 'old/older'), { recursive: true })
  writeFileSync(join(tree, 'old/older/page.html'), 'not live any more')
  writeFileSync(join(liveTree, '.cms/tmp/half'), 'unfinished')

  server = await startTestServer({ dataDir: server.dataDir, config })
  await untilTree(tree, expected)
  await eventually(() => assert.ok(!existsSync(join(tree, 'old'))))
  assert.equal(statSync(join(tree, 'same.html')).ino, ino, 'a right file is not written again')
  assert.ok(!statSync(join(tree, 'linked.html'), { throwIfNoEntry: false })?.isSymbolicLink())
  assert.equal(readFileSync(outside, 'utf8'), 'outside')
  assert.ok(!existsSync(join(liveTree, '.cms/tmp/half')))
  await server.close()
})

test('a file is in the tree of each site that shows it, with the time of its publish', async () => {
  const { liveTree } = newTree()
  const server = await startTestServer({
    config: {
      liveTree,
      sites: [...sites, { origin: 'http://news.localhost:8080', folder: '/Main/website/news' }],
    },
  })
  const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
  const { asset_category_id: news } = await makeFolder(server, {
    name: 'news',
    parent_category_id: root,
  })
  const json = { parent_category_id: news, name: 'a.html', pageContent: 'a', fileState: 'publish' }
  const page = await makeFile(server, json)
  await untilTree(join(liveTree, 'www.example.org'), { 'news/a.html': 'a' })
  await untilTree(join(liveTree, 'news.localhost:8080'), { 'a.html': 'a' })
  const { mtimeMs } = statSync(join(liveTree, 'www.example.org/news/a.html'))
  assert.equal(Math.floor(mtimeMs), Date.parse(page.date_published))
  await server.close()
})

test('the tree has one of two live files with the same name, as in sites of earlier versions', async () => {
  const { liveTree, tree } = newTree()
  const config = { sites, liveTree }
  let server = await startTestServer({ config })
  const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
  const put = (name: string): Promise<any> =>
    makeFile(server, { name, parent_category_id: root, pageContent: name, fileState: 'publish' })
  await put('a.html')
  const { asset_file_id: id } = await put('b.html')
  await untilTree(tree, { 'a.html': 'a.html', 'b.html': 'b.html' })
  await server.stop()
  await tamper(server.dataDir, (_, records) =>
    records.commit((unit) => {
      const second = unit.get(assetFile.recordType, id)?.value
      if (second !== undefined) unit.put(assetFile.recordType, [id], { ...second, name: 'A.html' })
    }),
  )
  server = await startTestServer({ dataDir: server.dataDir, config })
  await untilTree(tree, { 'a.html': 'a.html' })
  await eventually(async () => {
    const { warnings } = (await server.call('GET', '/ready')).body
    assert.match(warnings?.[0].detail, /cannot be in the directory of --live-tree: 1\./)
  })
  await server.close()
})
