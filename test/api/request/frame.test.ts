// Malformed requests that need more than one answer to check. The corpus of single frames is in
// test/rigs/frames.ts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFolder, newName, read } from '../../helpers/content.ts'
import { ask, eventually, exchange, openSocket, parseAnswer } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let key: string

before(async () => {
  server = await startTestServer()
  key = `Authorization: Bearer ${server.key}`
})
after(() => server.close())

const GET = 'GET /api/v2/asset_category HTTP/1.1'
const HOST = 'Host: cms.example.org'

/** Lines that the parser refuses, and the detail of the answer. */
const UNREADABLE: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a method of its own', ['GOT / HTTP/1.1', HOST], /not an HTTP method/],
  ['a control character in the target', ['GET /\u0001 HTTP/1.1', HOST], /percent-encoded/],
  ['a space in the target', ['GET /a b HTTP/1.1', HOST], /spaces as %20/],
  ['another version', ['GET / HTTP/3.7', HOST], /version must be HTTP\/1\.1/],
  ['a space before the colon', ['GET / HTTP/1.1', HOST, 'X : a'], /colon directly after/],
  ['a length that is no number', ['POST / HTTP/1.1', HOST, 'Content-Length: x'], /whole number/],
  ['no Host header', ['GET / HTTP/1.1'], /one Host header/],
  ['CONNECT', ['CONNECT a:443 HTTP/1.1', HOST], /not a proxy/],
]

test('H5: bytes that are not a request get a problem document that names the cause', async (t) => {
  const ids = new Set<string>()
  for (const [what, request, says] of UNREADABLE) {
    await t.test(what, async () => {
      const answer = await ask(server.url, request)
      const problem = JSON.parse(answer.body)
      assert.equal(answer.status, what === 'CONNECT' ? 501 : 400)
      assert.match(problem.detail, says)
      assert.match(answer.head, /^content-type: application\/problem\+json$/im)
      assert.match(answer.head, /^connection: close$/im)
      assert.equal(/^x-request-id: (.*)$/im.exec(answer.head)?.[1], problem.request_id)
      assert.match(problem.request_id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      ids.add(problem.request_id)
    })
  }
  assert.equal(ids.size, UNREADABLE.length)
})

test('H5: bytes after an invalid frame do not keep the response from the client', async () => {
  const socket = await openSocket(server.url)
  let text = ''
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      resolve()
    })
  })
  socket.write(`GET /a b HTTP/1.1\r\n${HOST}\r\n\r\n`)
  socket.write('x'.repeat(100_000))
  await answered
  socket.write('GET / HTTP/1.1\r\n\r\n')
  socket.end()
  await new Promise((resolve) => socket.once('close', resolve))
  assert.equal(text.split('HTTP/1.1 ').length, 2, text)
  assert.equal(parseAnswer(text).status, 400)
})

test('H10: the host of an absolute target takes precedence over the Host header', async () => {
  const request = 'GET http://real:81/public/api/system/swagger.json HTTP/1.1'
  const { body } = await ask(server.url, [request, HOST])
  assert.equal(JSON.parse(body).servers[0].url, 'http://real:81/api/v2')
})

const UPLOAD = [
  'POST /upload HTTP/1.1',
  HOST,
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Length: 1000000',
]

test('H11: a caller without the grant is refused before the body is requested', async (t) => {
  const viewer = await server.makeKey({ name: 'viewer', grants: 'view' })
  const cases: readonly (readonly [string, readonly string[], number])[] = [
    ['no key', [], 401],
    ['a wrong key', ['Authorization: Bearer cms_x'], 401],
    ['a key that may only view', [`Authorization: Bearer ${viewer}`], 403],
  ]
  for (const [what, headers, status] of cases) {
    await t.test(`${what}: ${status}`, async () => {
      const request = [...UPLOAD, ...headers, 'Expect: 100-continue'].join('\r\n')
      const text = await exchange(server.url, `${request}\r\n\r\n`, 2_000)
      assert.equal(parseAnswer(text).status, status)
      assert.doesNotMatch(text, /100 Continue/)
      assert.match(text, /\r\nConnection: close\r\n/i)
    })
  }
})

test('H11: a body with too large a Content-Length is refused before it is requested', async () => {
  const head = ['POST /api/v2/asset_category HTTP/1.1', HOST, key, 'Content-Type: application/json']
  const request = [...head, 'Content-Length: 99999999', 'Expect: 100-continue'].join('\r\n')
  const text = await exchange(server.url, `${request}\r\n\r\n`, 2_000)
  assert.equal(parseAnswer(text.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).status, 413)
  assert.doesNotMatch(text, /100 Continue/)
})

test('H11: a caller with the grant gets 100 Continue and then the response', async () => {
  const body = '{"name":"continued"}'
  const head = [
    'POST /api/v2/asset_category HTTP/1.1',
    HOST,
    key,
    'Content-Type: application/json',
    'Connection: close',
  ]
  const socket = await openSocket(server.url)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
  })
  socket.write(
    `${[...head, `Content-Length: ${body.length}`, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('close', resolve))
  assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
  assert.match(text, /\r\nConnection: close\r\n/)
})

test('H12: pipelined requests are answered in order', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const request = (line: string, body = '') => {
    const head = [
      line,
      HOST,
      key,
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }
  const path = `/api/v2/asset_category/${id}`
  const titles = ['one', 'two', 'three', 'four']
  const writes = titles.map((title) => request(`POST ${path} HTTP/1.1`, JSON.stringify({ title })))
  const last = `GET ${path} HTTP/1.1\r\n${HOST}\r\n${key}\r\nConnection: close\r\n\r\n`
  const text = await exchange(server.url, writes.join('') + last)
  const bodies = [...text.matchAll(/\{"asset_category_id".*?\}/g)].map(
    ([body]) => JSON.parse(body).title,
  )
  assert.deepEqual(bodies, [...titles, 'four'])
  assert.equal((await read(server, path)).body.title, 'four')
})

test('H15: the body of a refused request is not read as the next request', async () => {
  const smuggled = `DELETE /api/v2/asset_category/13 HTTP/1.1\r\n${HOST}\r\n${key}\r\n\r\n`
  const { asset_category_id: id } = await makeFolder(server)
  const hidden = smuggled.replace('13', String(id))
  const head = `POST /nowhere HTTP/1.1\r\n${HOST}\r\nContent-Length: ${hidden.length}\r\n\r\n`
  const text = await exchange(
    server.url,
    `${head}${hidden}${GET}\r\n${HOST}\r\n${key}\r\nConnection: close\r\n\r\n`,
  )
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
  assert.deepEqual(statuses, ['404', '200'])
  await read(server, `/api/v2/asset_category/${id}`)
})

test('H10: CONNECT and an upgrade open no tunnel', async () => {
  const connect = await exchange(server.url, `CONNECT other:443 HTTP/1.1\r\n${HOST}\r\n\r\n`, 2_000)
  assert.doesNotMatch(connect, /^HTTP\/1\.1 [12]/)
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: eA==',
  ]
  const text = await exchange(
    server.url,
    `${[GET, HOST, key, ...upgrade].join('\r\n')}\r\n\r\n`,
    2_000,
  )
  assert.doesNotMatch(text, /HTTP\/1\.1 101/)
})

test('H4: a complete request is carried out even if the client disconnects, and the ETag shows it', async () => {
  const path = '/api/v2/asset_category'
  const names = Array.from({ length: 20 }, () => newName('folder'))
  const { etag } = await read(server, `${path}/12`)
  for (const name of names) {
    const body = JSON.stringify({ name })
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const socket = await openSocket(server.url)
    socket.on('error', () => undefined)
    const request = `${[`POST ${path} HTTP/1.1`, HOST, key, ...type].join('\r\n')}\r\n\r\n${body}`
    await new Promise<void>((resolve) => socket.write(request, () => resolve()))
    socket.destroy()
  }
  const isThere = async (name: string) =>
    (await server.call('GET', `${path}?qry=${JSON.stringify({ name })}`)).body.asset_category.length
  for (const name of names) assert.ok(await eventually(async () => (await isThere(name)) === 1))

  const change = { json: { title: 'changed' }, headers: { 'if-match': etag } }
  assert.equal((await server.call('POST', `${path}/12`, change)).status, 200)
  // A client that did not get the answer repeats the request with the same ETag and learns that the change
  // was made.
  assert.equal((await server.call('POST', `${path}/12`, change)).status, 412)
})
