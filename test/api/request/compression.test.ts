// Compressed texts: the same content under a different ETag, which works wherever the ETag of the plain text
// works.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { make, makeFile, newName, uploadFile } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const WORDS = 'lorem ipsum dolor sit amet '
const KIB = 1024

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const get = (path: string, coding?: string, headers: object = {}, method = 'GET') =>
  server.call(method, path, {
    headers: { ...(coding !== undefined && { 'accept-encoding': coding }), ...headers },
  })

function decoded({ headers, bytes }: Answer): string {
  const coding = headers['content-encoding']
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

const page = (sizeBytes: number) => ({
  name: newName('html'),
  type: 'html',
  parent_category_id: 1,
  pageContent: WORDS.repeat(Math.ceil(sizeBytes / WORDS.length)),
  fileState: 'publish',
})

async function pathOfPage(sizeBytes = 4 * KIB): Promise<string> {
  return `/api/v2/asset_file/${(await make(server, 'asset_file', page(sizeBytes))).asset_file_id}`
}

/** Accept-Encoding of a client, and Content-Encoding of the answer. */
const CODINGS: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['identity;q=0', undefined],
  [`gzip, ${'x'.repeat(300)}`, 'gzip'],
]

test('a client gets its preferred coding, brotli among equals, and no coding without Accept-Encoding', async (t) => {
  const path = await pathOfPage()
  const plain = await get(path)
  for (const [sent, expected] of CODINGS) {
    await t.test(`${sent?.slice(0, 40)}: ${expected}`, async () => {
      // The second and third answers may come from the cache.
      for (let time = 0; time < 3; time += 1) {
        const answer = await get(path, sent)
        assert.equal(answer.headers['content-encoding'], expected)
        assert.equal(decoded(answer), plain.text)
        assert.equal(answer.headers['content-length'], String(answer.bytes.length))
        assert.equal(answer.headers.vary, 'Accept-Encoding')
        if (expected !== undefined) assert.ok(answer.bytes.length < plain.bytes.length / 2)
      }
      const head = await get(path, sent, {}, 'HEAD')
      const whole = await get(path, sent)
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type'])
        assert.equal(head.headers[name], whole.headers[name], name)
      assert.equal(head.bytes.length, 0)
    })
  }
})

const ALL_CODINGS = [undefined, 'gzip', 'br'] as const

describe('the ETag of one encoding', () => {
  test('differs from the ETags of the other encodings', async () => {
    const path = await pathOfPage()
    const etags = await Promise.all(
      ALL_CODINGS.map(async (coding) => (await get(path, coding)).headers.etag),
    )
    assert.equal(new Set(etags).size, 3)
  })

  test('gives 304 to a client that accepts its coding, until the record changes', async () => {
    const path = await pathOfPage()
    for (const had of ALL_CODINGS) {
      const { etag = '' } = (await get(path, had)).headers
      for (const coding of ALL_CODINGS) {
        for (const sent of [etag, `W/${etag}`, `"x", ${etag}`]) {
          const answer = await get(path, coding, { 'if-none-match': sent })
          if (had !== undefined && had !== coding) {
            assert.equal(answer.status, 200, `${had} for ${coding}`)
            continue
          }
          assert.deepEqual([answer.status, answer.headers.etag, answer.text], [304, etag, ''])
          assert.equal(answer.headers['content-encoding'], undefined)
        }
        assert.equal((await get(path, coding, { 'if-none-match': '"r1.0-br"' })).status, 200)
      }
    }
    const { etag = '' } = (await get(path, 'br')).headers
    await server.call('POST', path, { json: { title: 'other' } })
    assert.equal((await get(path, 'br', { 'if-none-match': etag })).status, 200)
  })

  test('is a precondition for one change', async () => {
    const path = await pathOfPage()
    for (const coding of ALL_CODINGS) {
      const { etag = '' } = (await get(path, coding)).headers
      const change = (title: string) =>
        server.call('POST', path, { json: { title }, headers: { 'if-match': etag } })
      assert.equal((await change(`${coding}`)).status, 200)
      assert.equal((await change(`${coding} again`)).status, 412)
    }
  })
})

test('small responses, secrets, ranges and binary data are not compressed', async () => {
  const accepts = { 'accept-encoding': 'br, gzip' }
  const key = { name: newName('key') }
  const answers = {
    short: await get('/api/v2/asset_category/1', 'br'),
    secret: await server.call('POST', '/api/v2/api_key', { json: key, headers: accepts }),
    binary: await get((await upload(Buffer.alloc(8 * KIB, 1), 'a.bin')).url, 'br'),
    part: await get((await makeFile(server, page(8 * KIB))).url, 'br', { range: 'bytes=0-4999' }),
  }
  for (const [what, { status, headers }] of Object.entries(answers)) {
    assert.ok(status < 300, `${what}: ${status}`)
    assert.equal(headers['content-encoding'], undefined, what)
  }
})

test('the response to a change is compressed like a read', async () => {
  const path = await pathOfPage()
  const answer = await server.call('POST', path, {
    json: { title: 'other' },
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.equal(answer.headers['content-encoding'], 'gzip')
  const record = JSON.parse(decoded(answer))
  assert.equal(record.title, 'other')
  const { etag = '' } = answer.headers
  assert.match(etag, /-gzip"$/)
  const again = await server.call('POST', path, {
    json: { title: 'third' },
    headers: { 'if-match': etag },
  })
  assert.equal(again.status, 200)
})

function upload(bytes: Uint8Array | string, name: string): Promise<any> {
  return uploadFile(server, bytes, { fileState: 'publish', fileName: name })
}

/** Kept in memory; compressed in a reused buffer; larger than the limit for compression. */
for (const sizeBytes of [8 * KIB, 600 * KIB, 1100 * KIB]) {
  test(`a text of the site of ${sizeBytes} bytes`, async () => {
    const text = WORDS.repeat(sizeBytes / WORDS.length)
    const { url } = await upload(text, newName('txt'))
    const isCoded = sizeBytes <= 1024 * KIB
    const plain = await get(url)
    assert.equal(plain.text, text)
    assert.equal(plain.headers['accept-ranges'], 'bytes')

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => get(url, at % 2 === 0 ? 'br' : 'gzip')),
    )
    for (const [at, answer] of answers.entries()) {
      assert.equal(answer.headers['content-encoding'], isCoded ? ['br', 'gzip'][at % 2] : undefined)
      assert.equal(decoded(answer), text)
      assert.equal(answer.headers['content-length'], String(answer.bytes.length))
      if (!isCoded) continue
      assert.equal(answer.headers['accept-ranges'], undefined)
      const { etag = '' } = answer.headers
      const headers = { 'if-none-match': etag }
      const unchanged = await get(url, 'br, gzip', headers)
      assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, etag])
      assert.match(String(unchanged.headers.vary), /accept-encoding/i)
      // Bytes of the plain text cannot complete a partial compressed text.
      const range = { range: 'bytes=5-9', 'if-range': etag }
      assert.equal((await get(url, undefined, range)).status, 200)
    }
    assert.equal((await get(url, 'br', { range: 'bytes=5-9' })).text, text.slice(5, 10))
  })
}

test('a text that does not become smaller is sent uncompressed with its own ETag', async () => {
  const bytes = randomBytes(4 * KIB)
  const { url } = await upload(bytes, newName('svg'))
  const plain = await get(url)
  assert.match(String(plain.headers['content-type']), /svg/)
  for (let time = 0; time < 2; time += 1) {
    const answer = await get(url, 'gzip')
    assert.ok(answer.bytes.equals(bytes))
    assert.equal(answer.headers['content-encoding'], undefined)
    assert.equal(answer.headers.etag, plain.headers.etag)
  }
})
