import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readForm } from '../../lib/http/multipart.ts'
import { ALLOWED, BOUNDARY, FORM, hashAll, LIMITS, part, type Received } from './form-server.ts'

const MIB = 1024 * 1024
const FILE_BYTES = 50 * MIB
const HEAD =
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="Filedata"; filename="big.bin"\r\n` +
  'Content-Type: application/octet-stream\r\n\r\n'
const TAIL = `\r\n${part('asset_category_id', '12')}--${BOUNDARY}--\r\n`

// No two blocks are equal, so a lost or doubled block changes the hash.
function* fileBlocks(): Generator<Buffer> {
  for (let block = 0; block < FILE_BYTES / MIB; block += 1) {
    const bytes = Buffer.alloc(MIB)
    for (let at = 0; at < MIB; at += 4) bytes.writeUInt32LE(block * MIB + at, at)
    yield bytes
  }
}

function* formBlocks(): Generator<Buffer> {
  yield Buffer.from(HEAD)
  yield* fileBlocks()
  yield Buffer.from(TAIL)
}

function fileHash(): string {
  const hash = createHash('sha256')
  for (const block of fileBlocks()) hash.update(block)
  return hash.digest('hex')
}

type Receive = (stream: Readable, request: IncomingMessage) => Promise<Received>

async function upload(t: TestContext, receive: Receive): Promise<unknown> {
  const server = createServer(async (request, response) => {
    const form = await readForm(request, ALLOWED, LIMITS, {
      file: (stream) => receive(stream, request),
      drop: async () => assert.fail('dropped'),
    })
    response.end(JSON.stringify({ ...form, fields: Object.fromEntries(form.fields) }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())

  const { port } = server.address() as AddressInfo
  const headers = { 'content-type': FORM }
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
  Readable.from(formBlocks()).pipe(sent)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return JSON.parse(Buffer.concat(await answer.toArray()).toString())
}

test('a file of 50 MB arrives byte for byte, and the field after it', async (t) => {
  assert.deepEqual(await upload(t, (stream) => hashAll(stream)), {
    fields: { asset_category_id: '12' },
    file: { sizeBytes: FILE_BYTES, sha256: fileHash() },
    fileName: 'big.bin',
  })
})

interface Collection {
  readonly detail: { readonly kind: number }
}

test('the memory of chunks is freed by collections of the young generation', async (t) => {
  let collections = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as readonly Collection[])
      if (entry.detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) collections += 1
  })
  observer.observe({ entryTypes: ['gc'] })
  t.after(() => observer.disconnect())

  await upload(t, (stream) => hashAll(stream))
  await wait(0)
  assert.ok(collections >= 12, `50 MB caused ${collections} collections`)
})

test('a slow receiver applies back-pressure to the client, and nothing is lost', async (t) => {
  let heldBytes = 0
  const answer = await upload(t, async (stream, request) => {
    await once(stream, 'readable')
    heldBytes = await bytesWhenStill(request)
    return hashAll(stream)
  })

  assert.ok(heldBytes < MIB, `${heldBytes} bytes were read while nobody took them`)
  assert.deepEqual((answer as { file: Received }).file, {
    sizeBytes: FILE_BYTES,
    sha256: fileHash(),
  })
})

// Returns the number of bytes that the server has read, once the number stops growing.
async function bytesWhenStill({ socket }: IncomingMessage): Promise<number> {
  let before = -1
  while (socket.bytesRead !== before) {
    before = socket.bytesRead
    await wait(100)
  }
  return before
}
