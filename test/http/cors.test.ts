// Pages of other origins may read answers only if the operator configured their origin.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const servers: TestServer[] = []
after(async () => {
  for (const server of servers) await server.stop()
  removeDataDirectories()
})

async function start(corsOrigins: readonly string[]): Promise<TestServer> {
  const server = await startTestServer({ dataDir: newDataDirectory(), config: { corsOrigins } })
  servers.push(server)
  return server
}

const PROBES = [
  'https://evil.example',
  'https://site.example.evil.example',
  'https://evil.example/https://site.example',
  'http://site.example',
  'https://site.example:8443',
  'https://SITE.example',
  'null',
  '*',
  '',
]

test('X4: without --cors-origin no response has CORS headers', async () => {
  const server = await start([])
  for (const origin of [...PROBES, 'https://site.example']) {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const { headers } = await server.call(method, '/api/v2/user', { headers: { origin } })
      assert.ok(!Object.keys(headers).some((name) => name.startsWith('access-control-')), origin)
    }
  }
})

test('X4: only a configured origin may read, without cookies, and Vary includes Origin', async () => {
  const server = await start(['https://site.example'])
  const ask = (method: string, origin: string, key?: null) =>
    server.call(method, '/api/v2/user', { headers: { origin }, ...(key === null && { key }) })

  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await ask(method, 'https://site.example')
    assert.equal(headers['access-control-allow-origin'], 'https://site.example')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.match(String(headers.vary), /Origin/)
    for (const origin of PROBES) {
      const probed = await ask(method, origin)
      assert.equal(probed.headers['access-control-allow-origin'], undefined, origin)
      assert.match(String(probed.headers.vary), /Origin/)
    }
  }
  assert.equal((await ask('GET', 'https://site.example', null)).status, 401)
})

test('X4: a preflight response has the readable and accepted headers and its lifetime', async () => {
  const server = await start(['https://site.example'])
  const ask = async (method: string) => {
    const { headers } = await server.call(method, '/api/v2/user', {
      headers: { origin: 'https://site.example' },
    })
    return Object.fromEntries(
      Object.entries(headers).filter(([name]) => /^(access-control-|vary$|allow$)/.test(name)),
    )
  }
  const read = {
    'access-control-allow-origin': 'https://site.example',
    'access-control-expose-headers':
      'Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, Retry-After, Server-Timing, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Asset-File-Id, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, WWW-Authenticate, X-Request-Id, X-Total',
    vary: 'Origin, Authorization',
  }
  assert.deepEqual(await ask('GET'), read)
  assert.deepEqual(await ask('OPTIONS'), {
    ...read,
    allow: 'GET, HEAD, POST, OPTIONS',
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
    'access-control-allow-headers':
      'Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Last-Event-ID, Prefer, Range, Tus-Resumable, Upload-Checksum, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset',
    'access-control-max-age': '600',
  })
})
