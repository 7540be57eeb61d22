// Sends the corpus of frames.ts, each frame followed by a good request: no client may get an answer
// to a request that was hidden in another request.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exchange, parseAnswer } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { FRAMES } from './frames.ts'

const NEXT = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

describe('H5, H6, H7, H8, H9, H10, H11, H13, H15: a frame with', () => {
  for (const { row, what, bytes, status, code, after: then } of FRAMES) {
    test(`${what} (${row})`, async () => {
      const request = bytes.replaceAll('SECRET', server.key) + NEXT
      const text = await exchange(server.url, Buffer.from(request, 'latin1'), 10_000)
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, found]) => Number(found))
      const goesOn = then === 'next' || (then === 'either' && statuses.length > 1)
      assert.deepEqual(statuses, goesOn ? [status, 200] : [status], text)
      if (code !== undefined) assert.match(parseAnswer(text).body, new RegExp(`"code":"${code}"`))
    })
  }
})

test('H5: a request line without a version is refused even if nothing follows it', async () => {
  const text = await exchange(server.url, Buffer.from('GET /health\r\n\r\n'), 10_000)
  assert.match(text, /^HTTP\/1\.1 400 /)
})

test('H13: hostile header names leave nothing in the server', async () => {
  assert.equal((await server.call('GET', '/health')).status, 200)
  assert.deepEqual(Object.keys(Object.prototype), [])
})
