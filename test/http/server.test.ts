// The exact limits of request framing, and how the server ends a connection that does not speak HTTP. What
// clients see: test/api/request/frame.test.ts and test/rigs/frames.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { CmsError } from '../../lib/base/errors.ts'
import { buildServer, checkFrame } from '../../lib/http/server.ts'
import { ask, openSocket } from '../helpers/raw.ts'

const LIMITS = {
  headerBytes: 16_384,
  headerCount: 4,
  uriBytes: 20,
  drainBytes: 1_000,
  dropTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 60_000,
  connectionsCheckMs: 60_000,
}

interface Opened {
  readonly server: Server
  readonly url: string
  /** Refusals of input that is not an HTTP request. */
  readonly refused: readonly string[]
}

/** Answers each request with the fault of its framing. */
async function withServer(use: (opened: Opened) => Promise<void>): Promise<void> {
  const refused: string[] = []
  const server = buildServer(LIMITS, {
    handle: (request, response, { end }) => {
      try {
        checkFrame(request, LIMITS)
        response.end('fine')
      } catch (error) {
        assert.ok(error instanceof CmsError)
        response.end(error.code)
      }
      end()
    },
    refuse: ({ code }, socket) => {
      refused.push(code)
      socket.write('refused')
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    await use({ server, url: `http://127.0.0.1:${port}`, refused })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const HOST = 'Host: a'
/** As many header lines as are allowed in addition to Host and Connection. */
const MOST_LINES = ['A: 1', 'B: 2']

const FRAMES: readonly (readonly [lines: readonly string[], outcome: string])[] = [
  [[`GET /${'x'.repeat(19)} HTTP/1.1`, HOST], 'fine'],
  [[`GET /${'x'.repeat(20)} HTTP/1.1`, HOST], 'uri-too-long'],
  [['GET / HTTP/1.1', HOST, ...MOST_LINES], 'fine'],
  [['GET / HTTP/1.1', HOST, ...MOST_LINES, 'C: 3'], 'headers-too-large'],
  [['GET / HTTP/1.0', HOST], 'fine'],
  [['GET / HTTP/1.0'], 'fine'],
  [['GET / HTTP/1.1'], 'bad-request'],
  [['GET / HTTP/1.1', 'Host:'], 'fine'],
  [['GET / HTTP/1.1', HOST, HOST], 'bad-request'],
  [['POST / HTTP/1.1', HOST, 'Expect: tea'], 'bad-request'],
]

test('a frame is accepted up to its limits and no further', () =>
  withServer(async ({ url }) => {
    for (const [lines, outcome] of FRAMES)
      assert.equal((await ask(url, lines)).body, outcome, lines.join(', '))
  }))

test('a connection reset by its client is not a refused request', () =>
  withServer(async ({ server, url, refused }) => {
    const connected = once(server, 'connection') as Promise<[Socket]>
    const client = await openSocket(url)
    const [socket] = await connected
    // once() would reject because of the preceding error event.
    const closed = new Promise((resolve) => socket.on('close', resolve))
    client.resetAndDestroy()
    await closed
    assert.deepEqual(refused, [])
  }))

test('closing all connections includes connections that requested a tunnel', () =>
  withServer(async ({ server, url, refused }) => {
    const client = await openSocket(url)
    const connected = once(server, 'connect') as Promise<[unknown, Socket]>
    client.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
    const [, socket] = await connected
    await once(client, 'data')
    assert.deepEqual([refused, socket.destroyed], [['not-implemented'], false])
    server.closeAllConnections()
    assert.equal(socket.destroyed, true)
    client.destroy()
  }))
