// Bytes after a request that accepts no body.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSocket } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const DRAIN_BYTES = 10_000

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { drainBytes: DRAIN_BYTES } })
})
after(() => server.close())

test('H15: an unwanted body is read up to a limit, and then the next request', async () => {
  const head = (length: number): string =>
    `POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`
  const next = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const statuses = async (length: number): Promise<readonly (string | undefined)[]> => {
    const socket = await openSocket(server.url)
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(head(length))
    // The server drops only bytes that arrive after the answer.
    await new Promise((resolve) => socket.once('data', resolve))
    socket.write('x'.repeat(length) + next)
    await closed
    return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  }
  assert.deepEqual(await statuses(DRAIN_BYTES), ['404', '200'])
  assert.deepEqual(await statuses(DRAIN_BYTES + 1), ['404'])
})
