// Errors: every code has a page, every answer has its request id, and no answer reveals details of the
// machine.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ErrorCode } from '../../../lib/base/errors.ts'
import { PROBLEMS } from '../../../lib/base/problem-table.ts'
import { assertProblem, makeFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

for (const [code, { status, title, explanation }] of Object.entries(PROBLEMS)) {
  test(`/problems/${code} explains it to anybody`, async () => {
    const page = await server.call('GET', `/problems/${code}`, { key: null })
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    for (const text of [title, code, String(status)]) assert.ok(page.text.includes(text), text)
    const plain = page.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    assert.ok(plain.includes(explanation))
  })
}

test('/problems lists every code', async () => {
  const page = await server.call('GET', '/problems', { key: null })
  for (const code of Object.keys(PROBLEMS))
    assert.ok(page.text.includes(`href="problems/${code}"`), code)
})

test('an unknown code has no page', async () => {
  for (const code of ['x', '__proto__', 'toString', 'constructor', '%3Cscript%3E']) {
    const body = assertProblem(
      await server.call('GET', `/problems/${code}`, { key: null }),
      'not-found',
    )
    assert.doesNotMatch(JSON.stringify(body), /script/)
  }
})

const REQUESTS: readonly (readonly [string, string, ErrorCode])[] = [
  ['GET', '/docs/', 'not-found'],
  ['GET', '/api/v2', 'not-found'],
  ['GET', '/api/v2/__proto__', 'not-found'],
  ['GET', '/api/v2/asset_folder', 'not-found'],
  ['GET', '/api/v2/asset_file/', 'not-found'],
  ['GET', '/api/v2/asset_file//', 'not-found'],
  ['GET', '/API/v2/asset_file', 'not-found'],
  ['GET', '//api/v2/asset_file', 'not-found'],
  ['GET', '/api/v1/asset_file', 'not-found'],
  ['GET', '/api/v2/asset_file;x=1', 'not-found'],
  ['GET', '/api/v2/asset_file/1/nothing', 'not-found'],
  ['GET', '/upload', 'method-not-allowed'],
  ['PUT', '/api/v2/asset_file/1', 'method-not-allowed'],
  ['PUT', '/api/v2/asset_file/1', 'method-not-allowed'],
  ['DELETE', '/api/v2/asset_file', 'method-not-allowed'],
  ['POST', '/file/1/x', 'method-not-allowed'],
  ['TRACE', '/api/v2/asset_file', 'not-implemented'],
  ['PROPFIND', '/api/v2/asset_file', 'not-implemented'],
  ['POST', '/api/v2/asset_file?dry_run=true', 'bad-request'],
  ['DELETE', '/api/v2/asset_file/1?recursive=true', 'bad-request'],
  ['DELETE', '/api/v2/asset_category/1?recursive=maybe', 'bad-request'],
  ['DELETE', '/api/v2/asset_category/1?recursive', 'bad-request'],
  ['DELETE', '/api/v2/asset_category/1?recursive=', 'bad-request'],
  ['DELETE', '/api/v2/asset_category/1?recursive=1', 'bad-request'],
  ['POST', '/api/v2/datatable/1?dry_run=', 'bad-request'],
  ['GET', '/api/v2/asset_file?%ff', 'bad-request'],
  ['GET', '/api/v2/asset_file?qry=%ff', 'bad-request'],
  ['GET', '/api/v2/asset_file?table_filter=%C3', 'bad-request'],
  ['GET', '/file/1/%ff', 'bad-request'],
]

test('N5, H10: wrong addresses, methods and parameters get errors of their own', async (t) => {
  for (const [method, path, code] of REQUESTS) {
    await t.test(`${method} ${path}: ${code}`, async () => {
      assertProblem(await server.call(method, path), code)
    })
  }
})

test('405 and OPTIONS list the methods of an address', async () => {
  for (const [path, allow] of [
    ['/api/v2/asset_file', 'GET, HEAD, POST, OPTIONS'],
    ['/api/v2/asset_file/1', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'],
    ['/upload', 'POST, OPTIONS'],
    ['/file/1/x', 'GET, HEAD, OPTIONS'],
  ] as const) {
    assert.equal((await server.call('PUT', path)).headers.allow, allow)
    const options = await server.call('OPTIONS', path, { key: null })
    assert.deepEqual([options.status, options.text, options.headers.allow], [204, '', allow])
  }
})

test('the page of an unknown method lists all methods', async () => {
  const { headers } = await server.call('OPTIONS', '/api/v2/asset_file/1', { key: null })
  const page = await server.call('GET', '/problems/not-implemented', { key: null })
  for (const method of String(headers.allow).split(', '))
    assert.match(page.text, new RegExp(`\\b${method}\\b`))
})

test('every response has a unique request id, also without an error', async () => {
  const answers = []
  for (const path of ['/api/v2/asset_file', '/nowhere', '/health', '/api/v2/asset_file']) {
    answers.push(await server.call('GET', path, { headers: { 'x-request-id': 'mine' } }))
  }
  const ids = answers.map((answer) => String(answer.headers['x-request-id']))
  assert.equal(new Set(ids).size, 4)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('E4: every API response is private to its caller', async () => {
  const file = await makeFile(server)
  for (const path of [
    '/api/v2/asset_file',
    `/api/v2/asset_file/${file.asset_file_id}`,
    '/nowhere',
  ]) {
    const { headers } = await server.call('GET', path)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    )
    assert.equal(headers['access-control-allow-origin'], undefined)
    assert.equal(headers['x-powered-by'], undefined)
  }
})

test('H18: HEAD returns the headers of GET without a body', async (t) => {
  const file = await makeFile(server, { fileState: 'publish' })
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const paths = [
    '/api/v2/asset_file',
    path,
    `${path}/versions`,
    `${path}/versions/1`,
    file.url,
    '/health',
    '/problems',
    '/nowhere',
  ]
  for (const at of paths) {
    await t.test(at, async () => {
      const get = await server.call('GET', at)
      const head = await server.call('HEAD', at)
      const shown = (answer: any) => [
        answer.status,
        answer.headers['content-length'],
        answer.headers['content-type'],
        answer.headers.etag,
      ]
      assert.deepEqual(shown(head), shown(get))
      assert.equal(head.bytes.length, 0)
    })
  }
})
