// Compressed forms of the files of a site: made once for each version, and kept on the disk.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { makeFile, makeFolder, uploadFile } from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'
const OPTIONS = {
  config: { sites: [{ origin: `https://${HOST}`, folder: '/Main/website' }], trashDays: 0 },
}
/** The client waits until the form is made. */
const AWAITED = 'br, identity;q=0'

let server: TestServer
let root: number
before(async () => {
  server = await startTestServer(OPTIONS)
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
})
after(() => server.close())

async function restart(): Promise<void> {
  await server.stop()
  server = await startTestServer({ ...OPTIONS, dataDir: server.dataDir })
}

function visit(path: string, encoding?: string, more: Record<string, string> = {}, method = 'GET') {
  const headers = { host: HOST, ...(encoding && { 'accept-encoding': encoding }), ...more }
  return server.call(method, path, { key: null, headers })
}

async function visitUntil(path: string, encoding: string, wanted: string): Promise<Answer> {
  for (let tries = 0; tries < 500; tries += 1) {
    const answer = await visit(path, encoding)
    if (answer.headers['content-encoding'] === wanted) return answer
    await sleep(20)
  }
  throw new Error(`${path} is never sent as ${wanted}.`)
}

const publish = (name: string, pageContent: string): Promise<any> =>
  makeFile(server, {
    ...{ name, type: name.split('.').at(-1), parent_category_id: root },
    ...{ pageContent, fileState: 'publish' },
  })

/** Text that compresses neither completely nor not at all. */
const textOf = (words: number): string =>
  Array.from({ length: words }, (_, at) => `word${(at * 7919) % 1009}`).join(' ')

const formsOf = (): readonly string[] => {
  const directory = join(server.dataDir, '.forms')
  return existsSync(directory)
    ? readdirSync(directory, { recursive: true })
        .map(String)
        .filter((name) => name.includes('.'))
    : []
}

const codingOf = ({ headers }: Answer): unknown => headers['content-encoding']

test('a text is sent uncompressed until its compressed form exists, which has its own ETag', async () => {
  const text = textOf(4_000)
  await publish('page.html', text)
  const plain = await visit('/page.html')
  const first = await visit('/page.html', 'br')
  assert.equal(first.headers.vary, 'Accept-Encoding')
  const br = await visitUntil('/page.html', 'br, gzip', 'br')
  const gzip = await visitUntil('/page.html', 'gzip', 'gzip')
  assert.equal(brotliDecompressSync(br.bytes).toString(), text)
  assert.equal(gunzipSync(gzip.bytes).toString(), text)
  const quick = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  assert.ok(br.bytes.length < quick.length, 'the form is not made with a high level')
  assert.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3)
  for (const { headers } of [plain, br, gzip]) assert.equal(headers.vary, 'Accept-Encoding')

  const head = await visit('/page.html', 'br', {}, 'HEAD')
  assert.deepEqual([head.headers.etag, codingOf(head)], [br.headers.etag, 'br'])
  assert.equal(head.headers['content-length'], String(br.bytes.length))
  for (const { headers } of [br, plain]) {
    const again = await visit('/page.html', 'br', { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.headers.etag], [304, headers.etag])
  }
  const other = await visit('/page.html', 'gzip', { 'if-none-match': String(br.headers.etag) })
  assert.equal(other.status, 200, 'the client does not accept what it has')
  const part = await visit('/page.html', 'br', { range: 'bytes=0-3' })
  assert.deepEqual([part.status, codingOf(part), part.text], [206, undefined, text.slice(0, 4)])
  const stale = { range: 'bytes=0-3', 'if-range': String(br.headers.etag) }
  assert.equal((await visit('/page.html', 'br', stale)).status, 200)
  assert.deepEqual(
    formsOf()
      .map((name) => name.split('.').at(-1))
      .toSorted(),
    ['br', 'gzip'],
  )
})

test('the coding follows the weights of Accept-Encoding', async () => {
  await publish('weights.css', textOf(1_000))
  // Two nodes take turns, and each makes its own forms.
  for (let node = 1; node <= 2; node += 1) {
    for (const [header, wanted] of [
      [AWAITED, 'br'],
      [AWAITED, 'br'],
      ['gzip, *;q=0', 'gzip'],
    ] as const)
      assert.equal(codingOf(await visit('/weights.css', header)), wanted)
  }
  for (const [header, wanted] of [
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['identity, br;q=0.5', undefined],
    ['', undefined],
  ] as const)
    assert.equal(codingOf(await visit('/weights.css', header)), wanted, header)
})

test('a large text has a form, unlike a short text and a text that does not become smaller', async () => {
  const large = textOf(300_000)
  const fields = { fileName: 'large.txt', asset_category_id: String(root), fileState: 'publish' }
  await uploadFile(server, large, fields)
  const sent = await visitUntil('/large.txt', 'br', 'br')
  assert.equal(brotliDecompressSync(sent.bytes).toString(), large)
  await publish('short.txt', 'x'.repeat(1023))
  assert.equal(codingOf(await visit('/short.txt', AWAITED)), undefined)
  const random = Buffer.from(Array.from({ length: 4_000 }, () => 32 + Math.random() * 95))
  await publish('random.txt', random.toString())
  for (let times = 0; times < 2; times += 1)
    assert.equal((await visit('/random.txt', 'gzip')).text, random.toString())
})

test('a form that is missing or damaged is made again', oneServer('damage'), async () => {
  const text = textOf(2_000)
  await publish('repair.html', text)
  for (const damage of [
    (path: string) => writeFileSync(path, readFileSync(path).fill(0, 40, 50)),
    (path: string) => writeFileSync(path, ''),
    (path: string) => rmSync(path),
  ]) {
    const good = await visitUntil('/repair.html', 'br', 'br')
    await server.stop()
    for (const name of formsOf()) damage(join(server.dataDir, '.forms', name))
    server = await startTestServer({ ...OPTIONS, dataDir: server.dataDir })
    assert.equal((await visit('/repair.html', 'br')).text, text)
    assert.deepEqual((await visitUntil('/repair.html', 'br', 'br')).bytes, good.bytes)
  }
})

test(
  'forms are removed with their version, and are in no backup',
  oneServer('backup'),
  async () => {
    const before = formsOf()
    const file = await publish('gone.html', textOf(1_000))
    await visit('/gone.html', AWAITED)
    assert.equal(formsOf().length, before.length + 1)
    const { bytes } = await server.call('GET', '/api/v2/backup')
    assert.equal(bytes.includes('.forms'), false)
    await server.call('DELETE', `/api/v2/asset_file/${file.asset_file_id}`)
    for (let tries = 0; tries < 500 && formsOf().length > before.length; tries += 1) await sleep(20)
    assert.deepEqual(formsOf(), before)
  },
)

test(
  'visitors get the uncompressed text while no form can be written',
  oneServer('damage'),
  async () => {
    const directory = join(server.dataDir, '.forms')
    rmSync(directory, { recursive: true })
    writeFileSync(directory, '')
    const text = textOf(1_500)
    await publish('blocked.html', text)
    for (let times = 0; times < 2; times += 1) {
      const answer = await visit('/blocked.html', AWAITED)
      assert.deepEqual([answer.status, answer.text], [200, text])
    }
    rmSync(directory)
    await restart()
    assert.equal(codingOf(await visit('/blocked.html', AWAITED)), 'br')
  },
)
