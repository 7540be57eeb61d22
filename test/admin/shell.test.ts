// The page of the administration area and the files it loads, as any client receives them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { docs: 'keyed' } })
})
after(() => server.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  server.call('GET', path, { key: null, headers })

/** The addresses that the page loads, resolved like in a browser. */
function loadedBy({ text }: Answer, path: string): readonly string[] {
  const found = [...text.matchAll(/(?:src|href)="((?!data:)[^"]+)"/g)].map(([, url = '']) => url)
  return found.map((url) => new URL(url, `http://x${path}`).pathname)
}

describe('the page', () => {
  for (const path of ['/admin', '/admin/', '/admin/keys', '/admin/keys/5/edit', '/admin/no.such']) {
    test(`is served at ${path}, with everything that it loads`, async () => {
      const answer = await get(path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-store')
      const urls = loadedBy(answer, path)
      assert.ok(urls.length >= 4, urls.join(' '))
      for (const url of urls) assert.equal((await get(url)).status, 200, url)
    })
  }

  test('has a policy that forbids foreign content, and a new nonce each time', async () => {
    const [one, other] = [await get('/admin'), await get('/admin')]
    const policy = String(one.headers['content-security-policy'])
    const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(policy) ?? []
    assert.ok(one.text.includes(`nonce="${nonce}"`))
    assert.notEqual(other.headers['content-security-policy'], policy)
    assert.match(policy, /^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-[^']+';/)
    assert.doesNotMatch(policy, /unsafe|http|\*/)
  })

  test('contains scripts only by address', async () => {
    const { text } = await get('/admin')
    assert.doesNotMatch(text, /<script(?! nonce="[^"]+" (?:type="module" )?src=)|<style| on\w+=/)
  })

  test('contains the texts in the preferred language', async () => {
    for (const [accept, language] of [
      ['de-CH,de;q=0.9,en;q=0.5', 'de'],
      ['en-GB', 'en'],
      ['fr', 'en'],
      ['', 'en'],
    ] as const) {
      const answer = await get('/admin', { 'accept-language': accept })
      const { text, headers } = answer
      assert.match(text, new RegExp(`<html lang="${language}">`))
      const loaded = await Promise.all(loadedBy(answer, '/admin').map((url) => get(url)))
      const says = (word: string): boolean => loaded.some((file) => file.text.includes(word))
      assert.deepEqual([says('Abmelden'), says('Sign out')], [language === 'de', language === 'en'])
      assert.match(String(headers.vary), /Accept-Language/)
    }
  })

  test('redirects from addresses below the API', async () => {
    const { status, headers } = await get('/api/v2/admin/keys')
    assert.deepEqual([status, headers.location], [303, '/admin/keys'])
  })
})

test('the frame of previews has no origin and allows only its own program', async () => {
  const answer = await get('/admin/preview')
  assert.equal(answer.status, 200)
  const policy = String(answer.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[^']+';.*; sandbox allow-scripts$/)
  assert.match(policy, /; frame-ancestors 'self';/)
  assert.doesNotMatch(policy, /connect-src|http|\*|allow-same-origin/)
  const urls = loadedBy(answer, '/admin/preview')
  assert.equal(urls.length, 1)
  for (const url of urls) assert.equal((await get(url)).status, 200, url)
})

describe('a file of the page', () => {
  let url: string
  before(async () => {
    url = loadedBy(await get('/admin'), '/admin').find((path) => path.endsWith('.css')) ?? ''
  })

  test('may be cached for ever', async () => {
    const { headers } = await get(url)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['content-type'], 'text/css; charset=utf-8')
  })

  test('is sent in an accepted encoding', async () => {
    const plain = await get(url)
    assert.equal(plain.headers['content-encoding'], undefined)
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br' })
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
    const gzipped = await get(url, { 'accept-encoding': 'gzip' })
    assert.equal(gzipped.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(gzipped.bytes), plain.bytes)
    for (const { headers } of [plain, brotli, gzipped])
      assert.equal(headers.vary, 'Accept-Encoding')
  })

  test('is not found under another name', async () => {
    for (const name of ['x.js', 'manifest.json', 'a/b.js', '..%2Fmain.js', '%2e%2e'])
      assert.equal((await get(`/admin/assets/${name}`)).status, 404, name)
  })
})

/**
 * Transferred bytes of everything that the first view loads, without texts and code that only one
 * page uses.
 */
const MOST_BYTES = 46_000

test('the first view is small and needs few requests', async () => {
  const codings = { 'accept-encoding': 'br' }
  const page = await get('/admin', codings)
  const urls = loadedBy(await get('/admin'), '/admin')
  const files = await Promise.all(urls.map((url) => get(url, codings)))
  const total = [page, ...files].reduce((sum, { bytes }) => sum + bytes.length, 0)
  assert.ok(total <= MOST_BYTES, `${total} bytes`)
  // One request is for the hundred bytes that esbuild shares between all lazily loaded files.
  assert.ok(urls.length <= 6, urls.join(' '))
})
