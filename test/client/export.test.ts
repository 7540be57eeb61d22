import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ExportOptions, type ExportSummary, exportTree } from '../../lib/client/export.ts'
import { type ImportSummary, importTree } from '../../lib/client/import.ts'
import { openServer, type TestServer } from './server.ts'
import { readTree, temporaryDirectory, writeTree } from './tree.ts'

const TREE = {
  'index.html': '<h1>Hello</h1>',
  'empty.txt': '',
  'back\\slash "quoted" %22 ?#&;.txt': 'names',
  'Ünïcödé 文件 🎈/e\u0301.txt': 'unicode',
  'docs/deep/page.stml': '<div id="dd.0"><p>Page</p></div>',
  'docs/big.bin': randomBytes(3_000_000),
  'nothing here/': '',
}

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

async function newCategory(name: string): Promise<number> {
  const record = await server.post('/api/v2/asset_category', { name })
  return Number(record['asset_category_id'])
}

function bring(source: string, categoryId: number, publish = true): Promise<ImportSummary> {
  const { url, key } = server
  return importTree({ source, url, key, categoryId, publish })
}

function run(target: string, options: Partial<ExportOptions>): Promise<ExportSummary> {
  const { url, key } = server
  return exportTree({ url, key, target, state: 'live', ...options })
}

describe('export', () => {
  it('writes imported files byte for byte, and nothing the second time', async (t) => {
    const source = await writeTree(t, TREE)
    const target = join(await temporaryDirectory(t), 'made/by export')
    const categoryId = await newCategory('same')
    await bring(source, categoryId)

    const first = await run(target, { categoryId })
    assert.deepEqual(await readTree(target), await readTree(source))
    assert.equal(first.written, 6)
    assert.equal(first.folders, 4)
    assert.equal(first.failed, 0)

    const before = await stat(join(target, 'index.html'))
    const second = await run(target, { categoryId })
    assert.deepEqual([second.written, second.unchanged, second.bytes], [0, 6, 0])
    assert.equal((await stat(join(target, 'index.html'))).ino, before.ino)
  })

  it('replaces differing files and does not touch other files', async (t) => {
    const source = await writeTree(t, { 'a.txt': 'new', 'b.txt': 'same' })
    const target = await writeTree(t, {
      'a.txt': 'old, and longer',
      'b.txt': 'same',
      'c.txt': 'own',
    })
    const categoryId = await newCategory('different')
    await bring(source, categoryId)

    const { written, unchanged } = await run(target, { categoryId })
    assert.deepEqual([written, unchanged], [1, 1])
    assert.deepEqual(await readTree(target), { 'a.txt': 'new', 'b.txt': 'same', 'c.txt': 'own' })
  })

  it('writes the live or staged version, and skips files without one', async (t) => {
    const categoryId = await newCategory('states')
    const page = { name: 'p.html', type: 'html', parent_category_id: categoryId }
    const { asset_file_id: id } = await server.post('/api/v2/asset_file', {
      ...page,
      pageContent: 'live',
      fileState: 'publish',
    })
    await server.post(`/api/v2/asset_file/${id}`, { pageContent: 'staged', fileState: 'stage' })
    await server.post(`/api/v2/asset_file/${id}`, { pageContent: 'saved' })
    await server.post('/api/v2/asset_file', { ...page, name: 'q.html', pageContent: 'neither' })
    const live = await temporaryDirectory(t)
    const staged = await temporaryDirectory(t)

    assert.equal((await run(live, { categoryId })).skipped, 1)
    assert.equal((await run(staged, { categoryId, state: 'stage' })).skipped, 1)
    assert.deepEqual(await readTree(live), { 'p.html': 'live' })
    assert.deepEqual(await readTree(staged), { 'p.html': 'staged' })
  })

  it('writes nothing through a link in the target', async (t) => {
    const source = await writeTree(t, { 'docs/a.txt': 'a', 'docs/in/b.txt': 'b', 'c.txt': 'c' })
    const outside = await writeTree(t, { 'c.txt': 'mine' })
    const target = await temporaryDirectory(t)
    await symlink(outside, join(target, 'docs'))
    await symlink(join(outside, 'c.txt'), join(target, 'c.txt'))
    const categoryId = await newCategory('links')
    await bring(source, categoryId)

    const summary = await run(target, { categoryId })
    assert.deepEqual(await readTree(outside), { 'c.txt': 'mine' })
    assert.equal(await readFile(join(target, 'c.txt'), 'utf8'), 'c')
    assert.deepEqual([summary.written, summary.failed], [1, 1])
    assert.match(
      summary.failures[0]?.detail ?? '',
      /file or a link exists at the path of this folder/,
    )
  })

  it('fails a file if the target has a folder with its name', async (t) => {
    const categoryId = await newCategory('collision')
    const page = { name: 'both', type: 'html', parent_category_id: categoryId }
    await server.post('/api/v2/asset_file', { ...page, pageContent: 'x', fileState: 'publish' })
    const target = await writeTree(t, { 'both/': '' })

    const summary = await run(target, { categoryId })
    assert.equal(summary.failed, 1)
    assert.deepEqual(summary.failures, [{ path: 'both', detail: 'a folder has the same name' }])
    assert.deepEqual(await readTree(target), { 'both/': '' })
  })

  it('reports a target that cannot be a directory and a wrong key', async (t) => {
    const target = await writeTree(t, { file: 'text' })
    await mkdir(join(target, 'empty'))

    await assert.rejects(run(join(target, 'file'), {}), { code: 'unwritable' })
    await assert.rejects(run(join(target, 'empty'), { key: 'cms_wrong' }), { status: 401 })
    await rm(join(target, 'empty'), { recursive: true })
    await writeFile(join(target, 'file'), '')
  })
})
