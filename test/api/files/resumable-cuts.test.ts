// Resumable uploads over connections that are cut, with tus-js-client and by hand.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { assertProblem, newName, read } from '../../helpers/content.ts'
import { startCuttingProxy } from '../../helpers/cutting-proxy.ts'
import { sha256 } from '../../helpers/data-directory.ts'
import { oneNode } from '../../helpers/node-pair.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { append, begin, look, uploadWithClient } from '../../helpers/tus.ts'

const FILE = '/api/v2/asset_file'
const MIB = 1024 * 1024
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const named = () => ({ asset_category_id: '1', filename: newName('bin') })

async function begun(length: number): Promise<string> {
  return String((await begin(server, named(), length)).headers.location)
}

const offsetOf = async (path: string): Promise<number> =>
  Number((await look(server, path)).headers['upload-offset'])

for (const chunkSize of [undefined, 3 * MIB])
  test(`tus-js-client completes an upload of 12 MiB after 12 interruptions, in chunks of ${chunkSize ?? 'any size'}`, async (t) => {
    const bytes = randomBytes(12 * MIB)
    const proxy = await startCuttingProxy(server.url, (cuts) =>
      cuts < 12 ? 900_000 + cuts * 1_000 : undefined,
    )
    t.after(() => proxy.close())
    const values = named()
    const of = { url: proxy.url, key: server.key, bytes, values }
    const id = await uploadWithClient({ ...of, ...(chunkSize && { chunkSize }) })
    assert.equal(proxy.cuts(), 12)
    const { body } = await read(server, `${FILE}/${id}`)
    assert.deepEqual(
      [body.name, body.version, body.size, body.sha256],
      [values.filename, 1, bytes.length, sha256(bytes)],
    )
  })

/** Begins a PATCH, and sends the first bytes of its body once the server waits for them. */
async function sendPart(
  path: string,
  part: Buffer,
  { length, headers = [] }: { readonly length: number; readonly headers?: readonly string[] },
) {
  const socket = await openSocket(server.url)
  const lines = [
    `PATCH ${path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${server.key}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    'Upload-Offset: 0',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
    ...headers,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  assert.match(String(first), /^HTTP\/1\.1 100 /)
  socket.write(part)
  return socket
}

test('an interrupted request keeps the received bytes', async () => {
  const bytes = randomBytes(2_000_000)
  const path = await begun(bytes.length)
  const part = bytes.subarray(0, 1_500_000)
  const socket = await sendPart(path, part, { length: bytes.length })
  socket.end()
  await eventually(async () => (await offsetOf(path)) === part.length)
  const last = await append(server, path, part.length, bytes.subarray(part.length))
  const id = Number(last.headers['upload-asset-file-id'])
  assert.equal((await read(server, `${FILE}/${id}`)).body.sha256, sha256(bytes))
})

test(
  'a newer request stops a running one, which gets 409, and its bytes are kept',
  oneNode('arriving'),
  async () => {
    const bytes = randomBytes(300_000)
    const path = await begun(bytes.length)
    const socket = await sendPart(path, bytes.subarray(0, 100_000), { length: bytes.length })
    const answer = once(socket, 'data')
    let newer = await append(server, path, 0, bytes)
    assert.match(String(await answer), /^HTTP\/1\.1 409 /)
    // The bytes of the older request may have arrived first.
    if (newer.status === 409) {
      assertProblem(newer, 'upload-offset')
      const offset = await offsetOf(path)
      assert.equal(newer.headers['upload-offset'], String(offset))
      newer = await append(server, path, offset, bytes.subarray(offset))
    }
    const id = Number(newer.headers['upload-asset-file-id'])
    assert.equal((await read(server, `${FILE}/${id}`)).body.sha256, sha256(bytes))
    socket.destroy()
  },
)

test('one of many simultaneous equal requests creates the file', async () => {
  const bytes = randomBytes(200_000)
  const name = newName('bin')
  const path = String(
    (await begin(server, { asset_category_id: 1, filename: name }, bytes.length)).headers.location,
  )
  const answers = await Promise.all(Array.from({ length: 8 }, () => append(server, path, 0, bytes)))
  const done = answers.filter(({ status }) => status === 204)
  assert.equal(done.length, 1, answers.map(({ status }) => status).join())
  for (const answer of answers.filter(({ status }) => status !== 204))
    assertProblem(answer, 'upload-offset')
  const found = await server.call('GET', `${FILE}?qry={"name":"${name}"}`)
  assert.deepEqual(
    found.body.asset_file.map(({ version, sha256: sum }: any) => [version, sum]),
    [[1, sha256(bytes)]],
  )
})

test('an interrupted request with a checksum keeps nothing', async () => {
  const whole = randomBytes(200_000)
  const path = await begun(whole.length)
  const headers = [`Upload-Checksum: sha1 ${Buffer.alloc(20).toString('base64')}`]
  const socket = await sendPart(path, whole.subarray(0, 100_000), { length: whole.length, headers })
  socket.destroy()
  const last = await append(server, path, 0, whole)
  assert.equal(last.status, 204, last.text)
})
