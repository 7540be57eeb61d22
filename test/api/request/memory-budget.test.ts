// The memory for bodies and the uploads that all requests may hold together. A request at the limit is
// accepted, and a request beyond the limit is told to retry. A request that ends in any way releases its
// share. The shares of one key, user and address: quotas.test.ts.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { assertProblem, fileOf, newName } from '../../helpers/content.ts'
import { eventually, openSocket, parseAnswer } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const MEMORY = 1_000_000
const INLINE = 1_000
/** Larger than the socket buffers of a client that does not read. */
const ANSWERS = 12_000_000
const TYPE = 'multipart/form-data; boundary=x'

let server: TestServer
let other: string
before(async () => {
  const limits = {
    bodyMemoryBytes: MEMORY,
    answerMemoryBytes: ANSWERS,
    inlineUploadBytes: INLINE,
    maxUploads: 3,
    smallBodyMemoryBytes: 0,
    keyShare: 2 / 3,
    // These tests do not reach the following limits.
    userShare: 2,
    addressShare: 2,
    bodyTimeoutMs: 500,
  }
  server = await startTestServer({ limits })
  other = await server.makeKey({})
})
after(() => server.close())

const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  // All of the memory and all uploads become available again, whatever a test has left running.
  const isFree = await eventually(async () => (await page(MEMORY)).status === 201)
  assert.ok(isFree, 'memory is still held')
  const opened: Socket[] = []
  for (const key of [server.key, server.key, other]) {
    const ok = await eventually(async () => {
      const { status, socket } = await beginUpload(key)
      opened.push(socket)
      return status === 100
    })
    assert.ok(ok, 'an upload is still counted')
  }
  for (const socket of [...opened, ...sockets.splice(0)]) socket.destroy()
  await eventually(async () => (await upload(INLINE * 2)).status === 201)
})

interface Begun {
  readonly status: number
  readonly text: string
  readonly socket: Socket
}

/** Sends the head of a request and waits for the response: 100 or a refusal. */
async function begin(head: readonly string[], key = server.key): Promise<Begun> {
  const socket = await openSocket(server.url)
  sockets.push(socket)
  socket.on('error', () => undefined)
  const lines = [...head, 'Host: a', `Authorization: Bearer ${key}`, 'Expect: 100-continue']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const text = await new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(`${chunk}`)),
  )
  return { status: parseAnswer(text).status, text, socket }
}

function beginUpload(key: string, bytes = INLINE + 1): Promise<Begun> {
  return begin(['POST /upload HTTP/1.1', `Content-Type: ${TYPE}`, `Content-Length: ${bytes}`], key)
}

const PAGE = ['POST /api/v2/asset_file HTTP/1.1', 'Content-Type: application/json'] as const

/** Returns the body of a page with exactly this many bytes. */
function pageOf(bytes: number): string {
  const json = { name: newName(), type: 'txt', parent_category_id: 1, pageContent: '' }
  const pageContent = 'x'.repeat(bytes - JSON.stringify(json).length)
  return JSON.stringify({ ...json, pageContent })
}

function page(bytes: number): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return server.call('POST', '/api/v2/asset_file', { body: pageOf(bytes), headers })
}

/** Uploads about this many bytes. */
function upload(bytes: number): Promise<Answer> {
  const folder = { name: 'asset_category_id', value: '1' }
  return server.upload([folder, fileOf('x'.repeat(bytes), newName())])
}

test('a body may use all of the memory for bodies, and one byte more gets a retry', async () => {
  assert.equal((await page(MEMORY)).status, 201)
  const refused = await page(MEMORY + 1)
  assertProblem(refused, 'unavailable')
  assert.equal(refused.headers['retry-after'], '1')
})

test('a body without a length is rejected when it exceeds the memory', async () => {
  const answerTo = async (bytes: number): Promise<number> => {
    const { socket } = await begin([...PAGE, 'Transfer-Encoding: chunked'])
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(`${chunk}`)),
    )
    const body = pageOf(bytes)
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    return parseAnswer(await answer).status
  }
  assert.equal(await answerTo(MEMORY), 201)
  assert.equal(await answerTo(MEMORY + 1), 503)
})

test(
  'bodies in transfer count together, and a disconnected client releases its memory',
  oneNode('running'),
  async () => {
    const { status, socket } = await begin([...PAGE, `Content-Length: ${MEMORY - 400_000}`], other)
    assert.equal(status, 100)
    assert.equal((await page(400_001)).status, 503)
    assert.equal((await page(400_000)).status, 201)
    socket.destroy()
    assert.ok(await eventually(async () => (await page(MEMORY)).status === 201))
  },
)

test('a body that times out releases its memory', async () => {
  const { socket } = await begin([...PAGE, `Content-Length: ${MEMORY}`])
  socket.write('x'.repeat(300_000))
  const answer = await new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(`${chunk}`)),
  )
  assert.equal(parseAnswer(answer).status, 408)
  assert.equal((await page(MEMORY)).status, 201)
})

test(
  'unread large responses have a limit, and a response beyond the limit gets a retry',
  oneNode('running'),
  async () => {
    const textOf = async (bytes: number): Promise<string> => {
      const folder = { name: 'asset_category_id', value: '1' }
      const { body } = await server.upload([folder, fileOf('x'.repeat(bytes), newName('txt'))])
      return `/api/v2/asset_file/${body.asset_file_id}?fields=pageContent`
    }
    const read = (path: string): Promise<Answer> => server.call('GET', path)
    const around = (await read(await textOf(1_000))).bytes.length - 1_000
    const most = await textOf(ANSWERS - around)
    assert.equal((await read(most)).status, 200)
    assertProblem(await read(await textOf(ANSWERS - around + 1)), 'unavailable')

    const socket = await openSocket(server.url)
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(`GET ${most} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${other}\r\n\r\n`)
    await new Promise((resolve) => socket.once('readable', resolve))
    const refused = await read(most)
    assertProblem(refused, 'unavailable')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await read('/api/v2/asset_file?length=10')).status, 200)
    socket.destroy()
    assert.ok(await eventually(async () => (await read(most)).status === 200))
  },
)

test('small uploads count as memory and not as uploads', async () => {
  for (const key of [server.key, server.key, other]) {
    assert.equal((await beginUpload(key)).status, 100)
  }
  assert.equal((await beginUpload(server.key, INLINE)).status, 100)
  assert.equal((await upload(INLINE - 500)).status, 201)
})

test(
  'a key has a limit of concurrent large uploads, and an upload beyond the limit gets a retry',
  oneNode('running'),
  async () => {
    const first = await beginUpload(server.key)
    assert.deepEqual([first.status, (await beginUpload(server.key)).status], [100, 100])
    const refused = await upload(INLINE * 2)
    assertProblem(refused, 'too-many-requests')
    assert.equal(refused.headers['retry-after'], '1')

    first.socket.destroy()
    assert.ok(await eventually(async () => (await upload(INLINE * 2)).status === 201))
  },
)

test(
  'all keys together have a limit of large uploads, and an upload beyond the limit gets a retry',
  oneNode('running'),
  async () => {
    for (const key of [server.key, server.key, other])
      assert.equal((await beginUpload(key)).status, 100)
    const { status, text } = await beginUpload(other)
    assert.equal(status, 503)
    assert.match(text, /\r\nretry-after: 1\r\n/)
    assert.equal(JSON.parse(parseAnswer(text).body).code, 'unavailable')
  },
)

test('an upload without a length counts', oneNode('running'), async () => {
  const head = [
    'POST /upload HTTP/1.1',
    `Content-Type: ${TYPE}`,
    'Transfer-Encoding: chunked',
  ] as const
  assert.equal((await begin(head)).status, 100)
  assert.equal((await begin(head)).status, 100)
  assert.equal((await begin(head)).status, 429)
})

test('completed and failed uploads are no longer counted', async () => {
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await upload(INLINE * 2)).status, 201)
    const bad = await server.upload([fileOf('x'.repeat(INLINE * 2), newName())])
    assertProblem(bad, 'bad-multipart')
  }
})
