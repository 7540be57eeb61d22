// Versions: every save adds a version, no version is ever rewritten, and each version can be read, compared
// and restored.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, read, uploadFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = (file: any) => `/api/v2/asset_file/${file.asset_file_id}`
const save = (file: any, json: object) => server.call('POST', pathOf(file), { json })
const content = (file: any, version: number) =>
  server.call('GET', `${pathOf(file)}/versions/${version}/content`)

/** Makes a file with the texts as its versions. */
async function makeVersions(...texts: readonly string[]): Promise<any> {
  const [first, ...later] = texts
  const file = await makeFile(server, { pageContent: first })
  for (const pageContent of later) await save(file, { pageContent })
  return file
}

test('create, update, upload and restore each add one version', async () => {
  const file = await makeFile(server, { pageContent: '1' })
  const versions = [
    (await save(file, { pageContent: '2' })).body.version,
    (await save(file, { title: 'three' })).body.version,
    (await uploadFile(server, '4', { asset_file_id: String(file.asset_file_id) })).version,
    (await uploadFile(server, '4', { asset_file_id: String(file.asset_file_id) })).version,
    (await server.call('POST', `${pathOf(file)}/versions/1/restore`)).body.version,
  ]
  assert.deepEqual(versions, [2, 3, 4, 5, 6])
})

test('a version is a snapshot of the fields and bytes at its save', async () => {
  const file = await makeFile(server, { pageContent: 'one', title: 'One' })
  const { asset_category_id: folder } = await makeFolder(server)
  const change = {
    pageContent: 'two',
    title: 'Two',
    name: 'two.txt',
    type: 'txt',
    parent_category_id: folder,
  }
  await save(file, change)

  const first = await read(server, `${pathOf(file)}/versions/1`)
  assert.deepEqual(first.body, {
    asset_file_id: file.asset_file_id,
    version: 1,
    name: file.name,
    type: 'html',
    parent_category_id: 1,
    title: 'One',
    description: null,
    alt_text: null,
    focus: null,
    layout_file_id: null,
    version_note: null,
    width: null,
    height: null,
    thumbhash: null,
    size: 3,
    sha256: sha256('one'),
    mime_type: 'text/html',
    date_added: file.date_added,
    owner: 'admin',
    damaged: false,
    is_live: false,
    is_staged: false,
    is_pinned: false,
  })
  const { pageContent, ...fields } = change
  const second = (await read(server, `${pathOf(file)}/versions/2`)).body
  assert.deepEqual({ ...second, ...fields, sha256: sha256(pageContent) }, second)
})

test('no later save, publish or restore changes a version', async () => {
  const file = await makeVersions('one', 'two')
  const before = [await read(server, `${pathOf(file)}/versions/1`), (await content(file, 1)).text]
  await save(file, { pageContent: 'three', title: 'x', type: 'txt' })
  await server.call('POST', `${pathOf(file)}/publish`)
  await server.call('POST', `${pathOf(file)}/versions/2/restore`)
  await uploadFile(server, Buffer.from([0, 1, 2]), { asset_file_id: String(file.asset_file_id) })
  assert.deepEqual(
    [await read(server, `${pathOf(file)}/versions/1`), (await content(file, 1)).text],
    before,
  )
})

test('the list is newest first and marks the live and the staged version', async () => {
  const file = await makeVersions('1', '2', '3')
  await server.call('POST', `${pathOf(file)}/publish?version=1`)
  await server.call('POST', `${pathOf(file)}/stage`)
  const { body } = await server.call('GET', `${pathOf(file)}/versions`)
  const shown = body.asset_file_version.map((item: any) => [
    item.version,
    item.is_live,
    item.is_staged,
  ])
  assert.deepEqual(shown, [
    [3, false, true],
    [2, false, false],
    [1, true, false],
  ])
  assert.deepEqual(body.page, { start: 1, length: 100, total: 3, next: null })
  const record = (await read(server, `${pathOf(file)}/versions/2`)).body
  assert.deepEqual(body.asset_file_version[1], record)
})

test('pages of the list neither skip nor repeat versions while versions are added', async () => {
  const file = await makeVersions('1', '2', '3', '4', '5')
  const seen: number[] = []
  let query = '?length=2'
  for (let page = 0; page < 3; page += 1) {
    const { body } = await server.call('GET', `${pathOf(file)}/versions${query}`)
    seen.push(...body.asset_file_version.map((item: any) => item.version))
    query = `?length=2&cursor=${body.page.next}`
    assert.equal(body.page.next === null, page === 2)
    await save(file, { title: `page ${page}` })
  }
  assert.deepEqual(seen, [5, 4, 3, 2, 1])
})

test('invalid parameters of the list are refused', async () => {
  const file = await makeFile(server)
  const longest = await server.call('GET', `${pathOf(file)}/versions?length=1000`)
  assert.equal(longest.status, 200)
  for (const query of [
    'length=0',
    'length=1001',
    'length=x',
    'cursor=x',
    'cursor=0',
    'start=1',
    'length=1&length=2',
  ]) {
    assertProblem(await server.call('GET', `${pathOf(file)}/versions?${query}`), 'bad-request')
  }
})

test('each version returns the bytes of its save', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x89, 0x50, 0x0d, 0x0a, 0x1a])
  const file = await makeVersions('\ufefft\u00e9xt\r\n', '')
  await uploadFile(server, bytes, { asset_file_id: String(file.asset_file_id) })
  const texts = [await content(file, 1), await content(file, 2), await content(file, 3)]
  assert.deepEqual(
    texts.map((answer) => answer.bytes),
    [Buffer.from('\ufefft\u00e9xt\r\n'), Buffer.from(''), bytes],
  )
  assert.equal(texts[2]?.headers.etag, `"${sha256(bytes)}"`)
})

test('the bytes of a version support ranges, HEAD and If-None-Match', async () => {
  const file = await makeVersions('0123456789')
  const path = `${pathOf(file)}/versions/1/content`
  const part = await server.call('GET', path, { headers: { range: 'bytes=2-4' } })
  assert.deepEqual(
    [part.status, part.text, part.headers['content-range']],
    [206, '234', 'bytes 2-4/10'],
  )
  const head = await server.call('HEAD', path)
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '10'])
  const same = await server.call('GET', path, {
    headers: { 'if-none-match': String(head.headers.etag) },
  })
  assert.deepEqual([same.status, same.text], [304, ''])
})

test('restore saves the content of an older version as a new version that is not live', async () => {
  const file = await makeVersions('one', 'two')
  await save(file, { title: 'T', type: 'txt' })
  await server.call('POST', `${pathOf(file)}/publish`)
  const { status, body } = await server.call('POST', `${pathOf(file)}/versions/1/restore`)
  assert.equal(status, 200)
  assert.deepEqual([body.version, body.live_version, body.staged_version], [4, 3, 3])
  assert.deepEqual(
    [body.pageContent, body.sha256, body.type, body.title],
    ['one', sha256('one'), 'html', null],
  )
  assert.deepEqual([body.name, body.parent_category_id], [file.name, 1])
  assert.equal((await content(file, 4)).text, 'one')
  assert.equal((await server.call('GET', file.url)).text, 'two')
})

test('the difference of two versions is a unified diff', async () => {
  const file = await makeVersions('a\nb\nc\n', 'a\nB\nc\n')
  const forth = await server.call('GET', `${pathOf(file)}/versions/1/diff/2`)
  assert.equal(forth.status, 200)
  assert.equal(forth.headers['content-type'], 'text/x-diff; charset=utf-8')
  assert.match(forth.text, /^@@ -1,3 \+1,3 @@\n a\n-b\n\+B\n c$/m)
  const back = await server.call('GET', `${pathOf(file)}/versions/2/diff/1`)
  assert.match(back.text, /^ a\n-B\n\+b\n c$/m)
  const none = await server.call('GET', `${pathOf(file)}/versions/1/diff/1`)
  assert.doesNotMatch(none.text, /^[-+][^-+]/m)
})

test('binary content has no diff', async () => {
  const file = await makeVersions('text')
  await uploadFile(server, Buffer.from([0xff, 0xfe, 0, 1]), {
    asset_file_id: String(file.asset_file_id),
  })
  assertProblem(await server.call('GET', `${pathOf(file)}/versions/1/diff/2`), 'invalid-content')
})

test('a missing version is not found', async (t) => {
  const file = await makeFile(server)
  for (const number of ['0', '2', '-1', '01', '1.5', 'x', 'latest', '9007199254740993']) {
    await t.test(number, async () => {
      const path = `${pathOf(file)}/versions/${number}`
      assertProblem(await server.call('GET', path), 'not-found')
      assertProblem(await server.call('GET', `${path}/content`), 'not-found')
      assertProblem(await server.call('POST', `${path}/restore`), 'not-found')
      assertProblem(
        await server.call('GET', `${pathOf(file)}/versions/1/diff/${number}`),
        'not-found',
      )
    })
  }
})

test('a version cannot be written or deleted', async () => {
  const file = await makeFile(server)
  for (const path of ['/versions', '/versions/1', '/versions/1/content']) {
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH']) {
      const answer = await server.call(method, `${pathOf(file)}${path}`)
      assertProblem(answer, 'method-not-allowed')
      assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS')
    }
  }
})

test('simultaneous saves get distinct numbers without a gap', async () => {
  const file = await makeFile(server)
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
  const answers = await Promise.all(texts.map((pageContent) => save(file, { pageContent })))
  const numbers = answers.map((answer) => answer.body.version).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    texts.map((_, index) => index + 2),
  )
  for (const { body } of answers)
    assert.equal((await content(file, body.version)).text, body.pageContent)
})

test('versions and pointers survive a restart', async () => {
  const first = await startTestServer()
  const file = await makeFile(first, { pageContent: '1', fileState: 'publish' })
  await first.call('POST', pathOf(file), { json: { pageContent: '2', fileState: 'stage' } })
  const before = (await first.call('GET', `${pathOf(file)}/versions`)).body
  await first.stop()

  const second = await startTestServer({ dataDir: first.dataDir })
  try {
    assert.deepEqual((await second.call('GET', `${pathOf(file)}/versions`)).body, before)
    assert.equal((await second.call('GET', file.url)).text, '1')
    assert.equal((await second.call('GET', `${file.url}?state=stage`)).text, '2')
    assert.equal(
      (await second.call('POST', pathOf(file), { json: { pageContent: '3' } })).body.version,
      3,
    )
  } finally {
    await second.close()
  }
})
