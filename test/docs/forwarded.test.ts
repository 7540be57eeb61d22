// The server address in the documents behind a proxy that terminates TLS. X-Forwarded-Proto and
// X-Forwarded-Host count only if they come from a proxy of the operator.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { trustLoopback } from '../helpers/trust-loopback.ts'

const DOCUMENTS = ['/public/api/system/swagger.json', '/public/api/module/swagger.json']

type Headers = Readonly<Record<string, string>>

/** The sent headers and the server address in the documents. */
const TOLD: readonly (readonly [string, Headers, string])[] = [
  ['scheme', { 'x-forwarded-proto': 'https' }, 'https://inner.example'],
  ['scheme in capitals', { 'x-forwarded-proto': 'HTTPS' }, 'https://inner.example'],
  ['scheme that is none', { 'x-forwarded-proto': 'gopher' }, 'http://inner.example'],
  ['empty scheme', { 'x-forwarded-proto': '' }, 'http://inner.example'],
  ['host', { 'x-forwarded-host': 'cms.example.org' }, 'http://cms.example.org'],
  [
    'both, with a port',
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cms.example.org:8443' },
    'https://cms.example.org:8443',
  ],
  [
    'IPv6',
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': '[2001:db8::1]:8443' },
    'https://[2001:db8::1]:8443',
  ],
  // The client wrote the earlier values, and the proxy of the operator appended its own.
  [
    'of which the client wrote some',
    {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'https, http',
      'x-forwarded-host': 'evil.example, cms.example.org',
    },
    'http://cms.example.org',
  ],
  [
    'by two proxies of the operator',
    {
      'x-forwarded-for': '192.0.2.1, 127.0.0.2',
      'x-forwarded-proto': 'http, https, http',
      'x-forwarded-host': 'evil.example, cms.example.org, inner.example',
    },
    'https://cms.example.org',
  ],
  [
    'by the first of two, the second adds nothing',
    { 'x-forwarded-for': '192.0.2.1, 127.0.0.2', 'x-forwarded-proto': 'https' },
    'https://inner.example',
  ],
]

describe('behind a trusted proxy', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ config: { proxies: trustLoopback() } })
  })
  after(() => server.close())

  for (const [name, headers, address] of TOLD) {
    test(`the documents contain its ${name}`, async () => {
      for (const path of DOCUMENTS) {
        const all = { host: 'inner.example', ...headers }
        const { status, body } = await server.call('GET', path, { headers: all, key: null })
        assert.equal(status, 200)
        assert.equal(body.servers[0].url, `${address}/api/v2`)
      }
    })
  }

  test('an invalid host is rejected and not repeated in the response', async () => {
    for (const host of ['a b', 'a/b', 'user@host', '"><script>', 'host:99999', 'a?b', '[::1']) {
      const headers = { 'x-forwarded-host': host }
      for (const path of DOCUMENTS) {
        const { status, body, text } = await server.call('GET', path, { headers, key: null })
        assert.equal(status, 400, host)
        assert.equal(body.code, 'bad-request')
        assert.ok(!text.includes('script'))
      }
    }
  })

  test('each host gets its own document, and Vary tells caches', async () => {
    for (const path of DOCUMENTS) {
      const of = (host: string, more: Headers = {}) =>
        server.call('GET', path, {
          headers: { 'x-forwarded-host': host, 'x-forwarded-proto': 'https', ...more },
          key: null,
        })
      const [one, other, again] = [
        await of('one.example'),
        await of('other.example'),
        await of('one.example'),
      ]
      assert.equal(one.text, again.text)
      assert.equal(one.headers.etag, again.headers.etag)
      assert.notEqual(one.headers.etag, other.headers.etag)
      assert.ok(!other.text.includes('one.example'))
      const vary = String(one.headers.vary)
      for (const name of ['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto'])
        assert.match(vary, new RegExp(`\\b${name}\\b`))

      const etag = String(one.headers.etag)
      assert.equal((await of('one.example', { 'if-none-match': etag })).status, 304)
      assert.equal((await of('other.example', { 'if-none-match': etag })).status, 200)
      assert.equal(
        (await of('one.example', { 'if-none-match': etag, 'x-forwarded-proto': 'http' })).status,
        200,
      )
    }
  })

  test('other responses ignore forwarded headers', async () => {
    const plain = await server.call('GET', '/api/v2/asset_category')
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/evil',
      'x-forwarded-port': '1',
    }
    const told = await server.call('GET', '/api/v2/asset_category', { headers })
    assert.equal(told.text, plain.text)
    const problem = await server.call('GET', '/nowhere', { headers })
    assert.equal(problem.body.type, '/problems/not-found')
    assert.ok(!problem.text.includes('evil'))
  })
})

test('forwarded headers of untrusted clients are ignored', async (t) => {
  const server = await startTestServer()
  t.after(() => server.close())
  const headers = {
    host: 'inner.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
  }
  for (const path of DOCUMENTS) {
    const { body, text } = await server.call('GET', path, { headers, key: null })
    assert.equal(body.servers[0].url, 'http://inner.example/api/v2')
    assert.ok(!text.includes('evil.example'))
  }
})

test('--base-url takes precedence over forwarded headers', async (t) => {
  const config = { proxies: trustLoopback(), baseUrl: 'https://www.example.org/cms' }
  const server = await startTestServer({ config })
  t.after(() => server.close())
  const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
  for (const path of DOCUMENTS) {
    const { body } = await server.call('GET', path, { headers, key: null })
    assert.equal(body.servers[0].url, 'https://www.example.org/cms/api/v2')
  }
})
