// Downloads with reused buffers: each client gets its own bytes, even if clients read slowly or disconnect.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { assertProblem, uploadFile } from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const DAMAGE = oneServer('damage')
const MIB = 1024 * 1024
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Returns the response after its head. The body is not read yet. */
function begin(url: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${server.key}` }
  return new Promise((resolve, reject) => {
    request(server.url + url, { headers, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

interface Saved {
  readonly url: string
  readonly sha256: string
  readonly id: number
}

async function save(sizeBytes: number, fill: number): Promise<Saved> {
  const bytes = Buffer.alloc(sizeBytes, fill)
  const { url, asset_file_id: id } = await uploadFile(server, bytes, { fileState: 'publish' })
  return { url, id, sha256: sha256(bytes) }
}

/** Small files are read at once, large files in chunks. The largest exceeds the buffers of a socket. */
for (const sizeBytes of [300_000, MIB, 12 * MIB]) {
  test(`slow, fast and disconnecting clients get their own bytes: ${sizeBytes}`, async () => {
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map((fill) => save(sizeBytes, fill)))
    for (const { url } of files) await read(await begin(url))

    for (let round = 0; round < 3; round += 1) {
      const slow = await Promise.all(files.map(({ url }) => begin(url)))
      const leaving = await Promise.all(files.map(({ url }) => begin(url)))
      for (const answer of leaving) answer.destroy()
      for (const file of files) assert.equal(sha256(await read(await begin(file.url))), file.sha256)
      const bytes = await Promise.all(slow.map(read))
      assert.deepEqual(
        bytes.map(sha256),
        files.map((file) => file.sha256),
      )
    }
  })
}

const TIMES = 16

/** Requests TIMES answers on one connection without reading: more than the buffers of the socket hold. */
async function beginMany(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const lines = `GET ${url} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n`
  const last = `${lines}Connection: close\r\n\r\n`
  socket.write(`${`${lines}\r\n`.repeat(TIMES - 1)}${last}`)
  return socket
}

test('a client that pauses gets its own bytes', async () => {
  const files = await Promise.all([1, 2, 3, 4].map((fill) => save(MIB, fill)))
  const sockets = await Promise.all(files.map(({ url }) => beginMany(url)))
  for (let round = 0; round < 5; round += 1)
    for (const file of files) assert.equal(sha256(await read(await begin(file.url))), file.sha256)

  for (const [at, socket] of sockets.entries()) {
    const counts = new Map<number, number>()
    for await (const chunk of socket)
      for (const byte of chunk as Buffer) counts.set(byte, (counts.get(byte) ?? 0) + 1)
    // Heads contain no bytes as small as the fill bytes.
    const found = [1, 2, 3, 4].map((fill) => counts.get(fill) ?? 0)
    assert.deepEqual(
      found,
      [1, 2, 3, 4].map((fill) => (fill === at + 1 ? TIMES * MIB : 0)),
    )
  }
})

function pathOfBytes(dataDir: string, id: number): string {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
  return join(
    dataDir,
    names.find((name) => name.split('/')[1]?.startsWith(`${id}.`) === true) ?? '',
  )
}

for (const sizeBytes of [300_000, 3 * MIB]) {
  test(`bytes are verified again after the interval: ${sizeBytes}`, DAMAGE, async (t) => {
    const brief = await startTestServer({ limits: { verifyEveryMs: 1 } })
    t.after(() => brief.close())
    const bytes = Buffer.alloc(sizeBytes, 1)
    const file = await uploadFile(brief, bytes, { fileState: 'publish' })
    const path = pathOfBytes(brief.dataDir, file.asset_file_id)
    const whole = readFileSync(path)
    assert.equal((await brief.call('GET', file.url)).status, 200)

    whole[sizeBytes - 1] = 2
    writeFileSync(path, whole)
    const refused = async (): Promise<boolean> =>
      (await brief.call('GET', file.url).catch(() => undefined))?.status !== 200
    while (!(await refused()));
  })
}

test('a file whose size changed after verification is rejected', DAMAGE, async () => {
  const { url, id, sha256: sum } = await save(300_000, 7)
  assert.equal(sha256((await server.call('GET', url)).bytes), sum)
  const path = pathOfBytes(server.dataDir, id)
  writeFileSync(path, readFileSync(path).subarray(1))
  assertProblem(await server.call('GET', url), 'content-damaged')
})
