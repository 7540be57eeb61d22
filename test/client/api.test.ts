// Servers that behave unlike ours: busy, broken, hostile, or not a content server.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { openApi } from '../../lib/client/api.ts'
import { exportTree } from '../../lib/client/export.ts'
import { importTree } from '../../lib/client/import.ts'
import { readTree, temporaryDirectory, writeTree } from './tree.ts'

/** Self-signed, only for this test. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUGShVzZNyFy3xCBMxm/Y4Oghi750wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIyMzQ0N1oYDzIxMjYxMDI5
MjIzNDQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR11Z3Lb4CEjmhPFUYrcUg/Fy4I3JpBWQPFyZ1im70Rrq7ggW2CHMZh
Xgw0N9xITR6WHXGw+8QamD8kS8b6+8qvo1MwUTAdBgNVHQ4EFgQUHqP86LA9qQwc
e8Dwzxhjl9GmkXQwHwYDVR0jBBgwFoAUHqP86LA9qQwce8Dwzxhjl9GmkXQwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAqnJ2/JfPl8NYxLD0ounFF
S4YjeeUIXOnQ1IgAhERRKwIhAI/xAO/JXQpBSh+wgox9zBc4JY7X1g3PSktc9ftU
FHjb
-----END CERTIFICATE-----`
const CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOfI+8DUxXBMsJiTc
Q/dnIeaE0EJ/WtlbjJkvF5+P4HWhRANCAAR11Z3Lb4CEjmhPFUYrcUg/Fy4I3JpB
WQPFyZ1im70Rrq7ggW2CHMZhXgw0N9xITR6WHXGw+8QamD8kS8b6+8qv
-----END PRIVATE KEY-----`

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

async function listen(t: TestContext, answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function sendJson(reply: ServerResponse, value: unknown): void {
  reply.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}

function sendProblem(
  reply: ServerResponse,
  status: number,
  members: Record<string, unknown>,
): void {
  reply
    .writeHead(status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify(members))
}

const SHA_OF_TEXT = '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1'

/** A server whose root folder lists these names. All its files contain "text". */
function contentServer(
  listed: { files?: readonly string[]; folders?: readonly string[] },
  etag = SHA_OF_TEXT,
): Answer {
  const page = { next: null }
  return ({ url = '' }, reply) => {
    if (url.startsWith('/api/v2/asset_category/'))
      return sendJson(reply, { asset_category_id: 1, date_added: '2026-01-01T00:00:00.000Z' })
    if (url.startsWith('/api/v2/file_group')) return sendJson(reply, { file_group: [], page })
    const isRoot = decodeURIComponent(url).includes('"parent_category_id":1}')
    if (url.startsWith('/api/v2/asset_category')) {
      const folders = isRoot ? (listed.folders ?? []) : []
      return sendJson(reply, {
        asset_category: folders.map((name, at) => ({
          asset_category_id: at + 2,
          name,
          title: null,
          description: null,
        })),
        page,
      })
    }
    if (url.startsWith('/api/v2/asset_file')) {
      const state = {
        ...{ sha256: SHA_OF_TEXT, version: 1, live_version: 1, staged_version: 1 },
        ...{ type: 'txt', title: null, description: null, alt_text: null, focus: null },
      }
      const files = isRoot ? (listed.files ?? []) : []
      return sendJson(reply, {
        asset_file: files.map((name, at) => {
          const id = at + 1
          return { asset_file_id: id, name, url: `/file/${id}/${encodeName(name)}`, ...state }
        }),
        page,
      })
    }
    reply.writeHead(200, { etag: `"${etag}"`, 'content-length': 4 }).end('text')
  }
}

/** A lone surrogate has no UTF-8 encoding and is sent unchanged. */
function encodeName(name: string): string {
  return name.isWellFormed() ? encodeURIComponent(name) : name
}

describe('the client', () => {
  it('repeats a request that a busy server refused, no earlier than Retry-After', async (t) => {
    const seenMs: number[] = []
    const url = await listen(t, (request, reply) => {
      seenMs.push(performance.now())
      assert.equal(request.url, '/below/api/v2/x')
      assert.equal(request.headers.authorization, 'Bearer secret')
      if (seenMs.length === 1) return reply.writeHead(429, { 'retry-after': '1' }).end()
      if (seenMs.length === 2) return reply.destroy()
      if (seenMs.length === 3) return reply.writeHead(502).end('<h1>Bad gateway</h1>')
      return sendJson(reply, { done: true })
    })
    const { signal } = new AbortController()
    const api = openApi({ url: `${url}/below/`, key: 'secret', concurrency: 1, signal })
    t.after(() => api.close())

    const answer = await api.retrying(() => api.sendJson({ method: 'GET', path: '/api/v2/x' }))
    assert.deepEqual(answer, { done: true })
    assert.equal(seenMs.length, 4)
    assert.ok((seenMs[1] ?? 0) - (seenMs[0] ?? 0) >= 1000)
  })

  it('shows the problem document of an error, or the response of a proxy', async (t) => {
    const url = await listen(t, (request, reply) => {
      if (request.url === '/proxy') return reply.writeHead(500).end('<h1>Sorry</h1>\n')
      if (request.url === '/moved')
        return reply.writeHead(301, { location: 'https://x.test/' }).end()
      return sendProblem(reply, 422, {
        code: 'invalid-content',
        detail: 'The body is not valid.',
        errors: [{ pointer: '/name', detail: 'must not be empty' }],
      })
    })
    const api = openApi({
      url,
      key: 'secret',
      concurrency: 1,
      signal: new AbortController().signal,
    })
    t.after(() => api.close())
    const get = (path: string) => api.sendJson({ method: 'GET', path })

    await assert.rejects(get('/problem'), {
      code: 'invalid-content',
      status: 422,
      message: 'The body is not valid. (name must not be empty)',
    })
    await assert.rejects(get('/proxy'), {
      status: 500,
      message: 'The server answered 500: <h1>Sorry</h1>',
    })
    await assert.rejects(get('/moved'), /redirects to another address: https:\/\/x\.test\//)
  })

  it('fails at once if the server is not a content server', async (t) => {
    const url = await listen(t, (_, reply) => reply.end('<html>'))
    const source = await writeTree(t, { 'a.txt': 'a' })

    const running = importTree({ source, url, key: 'k', categoryId: 1, publish: true })
    await assert.rejects(running, { code: 'not-a-content-server' })
  })

  it('explains how to trust a self-signed certificate', async (t) => {
    const server = createSecureServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const url = `https://localhost:${(server.address() as AddressInfo).port}`
    const source = await writeTree(t, { 'a.txt': 'a' })

    const running = importTree({ source, url, key: 'k', categoryId: 1, publish: true })
    await assert.rejects(running, {
      code: 'connection',
      message: /set NODE_EXTRA_CA_CERTS to the file/,
    })
  })

  it('fails after ten seconds without any response', async (t) => {
    const source = await writeTree(t, { 'a.txt': 'a' })
    const startedMs = performance.now()
    const url = 'http://127.0.0.1:9'

    const running = importTree({ source, url, key: 'k', categoryId: 1, publish: true })
    await assert.rejects(running, { code: 'unreachable', message: /ECONNREFUSED.*--url/ })
    assert.ok(performance.now() - startedMs >= 10_000)
  })
})

describe('an export from a hostile server', () => {
  it('refuses names that lead out of the target', async (t) => {
    const files = ['../a', '..', '.', '', 'x/../../b', 'nul\0', '/etc/c', '\ud800', 'good']
    const url = await listen(t, contentServer({ files, folders: ['..', '../outside', 'in'] }))
    const outer = await temporaryDirectory(t)

    const summary = await exportTree({ url, key: 'k', target: `${outer}/target`, state: 'live' })
    assert.deepEqual(await readTree(outer), {
      'target/': '',
      'target/good': 'text',
      'target/in/': '',
    })
    assert.equal(summary.written, 1)
    assert.equal(summary.failed, 10)
  })

  it('keeps the old file if the new bytes differ from their announced hash', async (t) => {
    const url = await listen(t, contentServer({ files: ['a.txt'] }, 'f'.repeat(64)))
    const target = await writeTree(t, { 'a.txt': 'old' })

    const { failures, bytes } = await exportTree({ url, key: 'k', target, state: 'live' })
    assert.equal(failures[0]?.path, 'a.txt')
    assert.match(failures[0]?.detail ?? '', /do not match the size and hash/)
    assert.equal(bytes, 0)
    assert.deepEqual(await readTree(target), { 'a.txt': 'old' })
  })
})
