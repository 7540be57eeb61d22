import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ClientError } from '../../lib/client/client-error.ts'
import { type ImportOptions, type ImportSummary, importTree } from '../../lib/client/import.ts'
import { openProxy } from './proxy.ts'
import { openServer, type TestServer } from './server.ts'
import { temporaryDirectory, writeTree } from './tree.ts'

const TREE = {
  'index.html': '<h1>Hello</h1>',
  'empty.txt': '',
  'back\\slash "quoted" %22.txt': 'names',
  'Ünïcödé 文件 🎈.txt': 'unicode',
  'docs/deep/er/page.stml': '<div id="dd.0"><p>Page</p></div>',
  'docs/small.bin': randomBytes(1000),
  'docs/big.bin': randomBytes(3_000_000),
  'nothing here/': '',
}
const FILES = 7
const FOLDERS = 4
const BYTES = Object.values(TREE).reduce((sum, content) => sum + Buffer.byteLength(content), 0)

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

async function newCategory(name: string): Promise<number> {
  const record = await server.post('/api/v2/asset_category', { name })
  return Number(record['asset_category_id'])
}

function run(source: string, options: Partial<ImportOptions> = {}): Promise<ImportSummary> {
  const { url, key } = server
  return importTree({ source, url, key, categoryId: 1, publish: true, ...options })
}

type Counts = Pick<
  ImportSummary,
  | 'uploaded'
  | 'replaced'
  | 'unchanged'
  | 'published'
  | 'failed'
  | 'skipped'
  | 'folders'
  | 'hasRecords'
>

const NOTHING: Counts = {
  uploaded: 0,
  replaced: 0,
  unchanged: 0,
  published: 0,
  failed: 0,
  skipped: 0,
  folders: 0,
  hasRecords: false,
}

function assertCounts(summary: ImportSummary, expected: Partial<Counts>): void {
  const { failures, moreFailures, bytes, seconds, ...counts } = summary
  assert.deepEqual(counts, { ...NOTHING, ...expected }, JSON.stringify(failures))
}

async function filesNamed(name: string): Promise<readonly Record<string, unknown>[]> {
  const query = new URLSearchParams({ qry: JSON.stringify({ name }) })
  const answer = await server.get(`/api/v2/asset_file?${query}`)
  return answer['asset_file'] as readonly Record<string, unknown>[]
}

describe('import', () => {
  it('creates folders and files, and sends nothing the second time', async (t) => {
    const source = await writeTree(t, TREE)
    const categoryId = await newCategory('twice')

    const first = await run(source, { categoryId })
    assertCounts(first, { uploaded: FILES, published: FILES, folders: FOLDERS })
    assert.equal(first.bytes, BYTES)

    const second = await run(source, { categoryId })
    assertCounts(second, { unchanged: FILES })
    assert.equal(second.bytes, 0)
  })

  it('sends small new texts in batches, and everything else one by one', async (t) => {
    const texts = Array.from({ length: 40 }, (_, at) => [`${at}.html`, `<p>${at} \ufeffü</p>\r\n`])
    const tree: Record<string, string | Buffer> = {
      ...Object.fromEntries(texts),
      'bytes.bin': Buffer.from([0xff, 0]),
      'large.txt': 'large '.repeat(10_000),
    }
    const source = await writeTree(t, tree)
    const categoryId = await newCategory('batches')
    const { url, takeSeen } = await openProxy(t, server.url, { losesAnswers: false })

    const summary = await run(source, { url, categoryId })
    assertCounts(summary, { uploaded: 42, published: 42 })
    const size = Object.values(tree).reduce((sum, content) => sum + Buffer.byteLength(content), 0)
    assert.equal(summary.bytes, size)
    const changes = takeSeen().filter((shown) => shown.startsWith('POST'))
    assert.deepEqual(changes.toSorted(), [
      ...Array.from({ length: 2 }, () => 'POST /api/v2/asset_file'),
      ...Array.from({ length: 2 }, () => 'POST /upload'),
    ])
    // The import compares hashes and finds no changes.
    assertCounts(await run(source, { categoryId }), { unchanged: 42 })
  })

  it('replaces what changed on disk, as a new version', async (t) => {
    const source = await writeTree(t, { 'a-changing.txt': 'one', 'b.txt': 'stays' })
    const categoryId = await newCategory('changes')
    await run(source, { categoryId })

    await writeFile(join(source, 'a-changing.txt'), 'two')
    const summary = await run(source, { categoryId })
    assertCounts(summary, { replaced: 1, unchanged: 1, published: 1 })

    const [file] = await filesNamed('a-changing.txt')
    assert.equal(file?.['version'], 2)
    assert.equal(file?.['live_version'], 2)
  })

  it('leaves new files unpublished on request, and publishes them unchanged later', async (t) => {
    const source = await writeTree(t, { 'later.txt': 'text' })
    const categoryId = await newCategory('later')

    assertCounts(await run(source, { categoryId, publish: false }), { uploaded: 1 })
    assert.equal((await filesNamed('later.txt'))[0]?.['live_version'], null)

    assertCounts(await run(source, { categoryId }), { unchanged: 1, published: 1 })
    assert.equal((await filesNamed('later.txt'))[0]?.['live_version'], 1)
    assertCounts(await run(source, { categoryId }), { unchanged: 1 })
  })

  it('accepts a single file', async (t) => {
    const source = await writeTree(t, { 'other.txt': 'other', 'single.txt': 'single' })
    const categoryId = await newCategory('single')

    assertCounts(await run(join(source, 'single.txt'), { categoryId }), {
      uploaded: 1,
      published: 1,
    })
    assert.equal((await filesNamed('other.txt')).length, 0)
    assert.equal((await filesNamed('single.txt'))[0]?.['parent_category_id'], categoryId)
  })

  it('only lists existing files, even over several pages', async (t) => {
    const names = Array.from({ length: 1_100 }, (_, at) => [`${at}.txt`, `text ${at}`])
    const source = await writeTree(t, { ...Object.fromEntries(names), 'in/a.txt': 'text' })
    const categoryId = await newCategory('pages')
    const { url, takeSeen } = await openProxy(t, server.url, { losesAnswers: false })
    const options = { url, categoryId, publish: false }

    assertCounts(await run(source, options), { uploaded: 1_101, folders: 1 })
    takeSeen()
    assertCounts(await run(source, options), { unchanged: 1_101 })
    assert.deepEqual(takeSeen().toSorted(), [
      'GET /api/v2/asset_category',
      `GET /api/v2/asset_category/${categoryId}`,
      'GET /api/v2/asset_file',
      'GET /api/v2/asset_file',
      'GET /api/v2/asset_file',
    ])
  })

  it('treats a name in another case or Unicode form as the same file', async (t) => {
    const source = await writeTree(t, { 'Caf\u00e9/Read.me': 'text' })
    const categoryId = await newCategory('forms')
    await run(source, { categoryId })

    await rename(join(source, 'Caf\u00e9/Read.me'), join(source, 'Caf\u00e9/READ.ME'))
    await rename(join(source, 'Caf\u00e9'), join(source, 'cafe\u0301'))
    assertCounts(await run(source, { categoryId }), { unchanged: 1 })
  })

  it('reports each file that cannot be imported, and continues with the others', async (t) => {
    const source = await writeTree(t, {
      'good.txt': 'good',
      'bad.stml': '<div>',
      'line\nbreak.txt': 'text',
      'same.txt': 'first',
      'SAME.txt': 'second',
      'marks\u202e/in.txt': 'refused with its folder',
      'marks\u202e/too.txt': 'refused with its folder',
    })
    await writeFile(Buffer.concat([Buffer.from(`${source}/bytes`), Buffer.from([0xff])]), 'text')
    await symlink(join(source, 'good.txt'), join(source, 'link.txt'))
    await symlink(source, join(source, 'loop'))
    const progress: number[][] = []

    const summary = await run(source, {
      categoryId: await newCategory('failing'),
      onProgress: (...numbers) => progress.push(numbers),
    })
    assertCounts(summary, { uploaded: 2, published: 2, failed: 6, skipped: 2 })
    assert.deepEqual(progress.at(-1), [8, 8, 10])

    const details = new Map(summary.failures.map(({ path, detail }) => [path, detail]))
    assert.match(details.get('bad.stml') ?? '', /dd\.0/)
    assert.match(details.get('line\\nbreak.txt') ?? '', /control characters/)
    assert.match(details.get('same.txt') ?? '', /its name as equal to SAME\.txt/)
    assert.match(details.get('bytes\ufffd') ?? '', /not valid UTF-8/)
    assert.match(details.get('marks\\u202e') ?? '', /direction of text.*2 files in it/)
  })

  it('fails a file that changes during its upload, and stores nothing of it', async (t) => {
    const source = await writeTree(t, { 'growing.bin': randomBytes(6_000_000) })
    let isChanged = false
    const onProgress = (_done: number, _total: number, bytes: number): void => {
      if (bytes === 0 || isChanged) return
      isChanged = true
      appendFileSync(join(source, 'growing.bin'), 'more')
    }

    const summary = await run(source, { categoryId: await newCategory('growing'), onProgress })
    assertCounts(summary, { failed: 1 })
    assert.match(summary.failures[0]?.detail ?? '', /changed while it was read/)
    assert.equal(summary.bytes, 0)
    assert.equal((await filesNamed('growing.bin')).length, 0)
  })

  it('stops with the reason of the server when the key is wrong or may not create', async (t) => {
    const source = await writeTree(t, { 'a.txt': 'a', 'b.txt': 'b' })
    const viewer = await server.makeKey('--grants', 'view')

    await assert.rejects(run(source, { key: 'cms_wrong' }), (error: unknown) => {
      assert.ok(error instanceof ClientError)
      assert.equal(error.status, 401)
      assert.equal(error.code, 'key-invalid')
      return true
    })
    await assert.rejects(run(source, { key: viewer }), { code: 'grant-missing', status: 403 })
  })

  it('sends no more requests after the key was refused', async (t) => {
    const names = Array.from({ length: 100 }, (_, at) => [`${at}.txt`, 'text'])
    const source = await writeTree(t, Object.fromEntries(names))
    const { url, takeSeen } = await openProxy(t, server.url, { losesAnswers: false })
    const key = await server.makeKey('--grants', 'view')

    await assert.rejects(run(source, { url, key, concurrency: 2 }), { status: 403 })
    assert.ok(takeSeen().filter((shown) => shown === 'POST /upload').length <= 2)
  })

  it('reports a missing source or folder', async (t) => {
    const source = await temporaryDirectory(t)
    await mkdir(join(source, 'inner'))

    await assert.rejects(run(join(source, 'missing')), {
      code: 'unreadable',
      message: /missing.*does not exist/,
    })
    await assert.rejects(run(source, { categoryId: 9_999 }), { code: 'not-found' })
    await assert.rejects(run(source, { url: 'localhost' }), { code: 'bad-url' })
    await assert.rejects(run(source, { key: '' }), { code: 'key-invalid' })
  })

  it('ends with the reason of the signal', async (t) => {
    const source = await writeTree(t, { 'stopped.bin': randomBytes(8_000_000) })
    const stop = new AbortController()
    const reason = new Error('enough')
    const options = {
      signal: stop.signal,
      onProgress: (...[, , bytes]: number[]) => bytes && stop.abort(reason),
    }

    await assert.rejects(run(source, options), reason)
    assert.equal((await filesNamed('stopped.bin')).length, 0)
  })
})
