// Uploads whose clients disconnect while a worker thread handles the bytes, beside other uploads.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileOf, newName, partsOf } from '../helpers/content.ts'
import { contentsIn } from '../helpers/data-directory.ts'
import { eventually, openSocket } from '../helpers/raw.ts'
import { buildForm, startTestServer, type TestServer } from '../helpers/server.ts'

const MIB = 1024 * 1024
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

test('S35: a client that disconnects during a task does not affect other tasks', async () => {
  const upload = (name: string) =>
    buildForm([...partsOf({ asset_category_id: '1' }), fileOf(Buffer.alloc(2 * MIB, 0x61), name)])
  const kept = Array.from({ length: 4 }, () => newName('bin'))

  async function giveUp(): Promise<void> {
    const { contentType, body } = upload(newName('bin'))
    const socket = await openSocket(server.url)
    socket.on('error', () => undefined)
    const head = ['POST /upload HTTP/1.1', 'Host: x', `Authorization: Bearer ${server.key}`]
    const rest = [`Content-Type: ${contentType}`, `Content-Length: ${body.length}`]
    socket.write(`${[...head, ...rest].join('\r\n')}\r\n\r\n`)
    await new Promise<void>((resolve) => socket.write(body, () => resolve()))
    socket.destroy()
  }

  const answers = await Promise.all(
    kept.flatMap((name) => [
      server.call('POST', '/upload', {
        body: upload(name).body,
        headers: { 'content-type': upload(name).contentType },
      }),
      giveUp(),
    ]),
  )
  assert.deepEqual(
    answers.flatMap((answer) => (answer === undefined ? [] : [answer.status])),
    kept.map(() => 201),
  )
  assert.ok(await eventually(() => readdirSync(join(server.dataDir, '.tmp')).length === 0))
  for (const name of kept)
    assert.equal((await server.call('GET', `/file/1/${name}?version=1`)).bytes.length, 2 * MIB)
  // A client that disconnected too late has made its file. Each file has its bytes, and no other
  // bytes remain.
  const isWhole = async () => {
    const { body } = await server.call('GET', '/api/v2/asset_file?count=exact')
    return contentsIn(server.dataDir).length === body.page.total
  }
  assert.ok(await eventually(isWhole))
})
