// How many connections one address, and all addresses together, may have open.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, afterEach, test } from 'node:test'
import type { Config } from '../../lib/config/config.ts'
import { type ErrorCode } from '../../lib/base/errors.ts'
import { PROBLEMS } from '../../lib/base/problem-table.ts'
import type { Limits } from '../../lib/config/limits.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { NO_OUTER_ADDRESS, OUTER_ADDRESS } from '../helpers/outer-address.ts'
import { eventually, openSocket, parseAnswer } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { trustLoopback } from '../helpers/trust-loopback.ts'
import { oneNode } from '../helpers/node-pair.ts'

const sockets: Socket[] = []
const servers: TestServer[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.stop()
})
after(removeDataDirectories)

async function start(config: Partial<Config>, limits: Partial<Limits> = {}): Promise<TestServer> {
  const server = await startTestServer({ dataDir: newDataDirectory(), config, limits })
  servers.push(server)
  return server
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'

interface Opened {
  readonly socket: Socket
  /** Everything that arrived until the server closed the connection. */
  readonly text: Promise<string>
}

async function open(url: string): Promise<Opened> {
  const socket = await openSocket(url)
  sockets.push(socket)
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return { socket, text: new Promise((resolve) => socket.once('close', () => resolve(text))) }
}

/**
 * Returns the status on a new connection, or undefined without an answer. The connection stays open after
 * 200.
 */
async function ask(url: string): Promise<number | undefined> {
  const { socket, text } = await open(url)
  const first = new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(`${chunk}`)),
  )
  socket.write(HEALTH)
  const status = /^HTTP\/1\.1 (\d+) /.exec(await Promise.race([first, text]))?.[1]
  return status === undefined ? undefined : Number(status)
}

async function askTimes(url: string, count: number): Promise<readonly (number | undefined)[]> {
  const statuses: (number | undefined)[] = []
  for (let index = 0; index < count; index += 1) statuses.push(await ask(url))
  return statuses
}

function assertRefusal(text: string, code: ErrorCode): void {
  const { head, body } = parseAnswer(text)
  const { status } = PROBLEMS[code]
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
  assert.match(head, /\r\nretry-after: 1\r\n/)
  assert.match(head, /\r\nconnection: close\r\n/)
  assert.equal(JSON.parse(body).code, code)
}

test('H12: connections of one address are limited, and closed connections make room', {
  skip: NO_OUTER_ADDRESS,
}, async () => {
  const server = await start({ host: '0.0.0.0', maxConnectionsPerAddress: 3 })
  const url = server.url.replace('0.0.0.0', OUTER_ADDRESS ?? '')
  assert.deepEqual(await askTimes(url, 5), [200, 200, 200, 429, 429])
  assert.equal(await ask(server.url), 200, 'another address is served')
  const { socket, text } = await open(url)
  socket.write(HEALTH)
  assertRefusal(await text, 'too-many-requests')

  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve))
  sockets[0]?.end()
  await closed
  assert.deepEqual(await askTimes(url, 2), [200, 429])
})

test('H12: loopback, trusted proxies, and all addresses with a limit of 0 are not limited', {
  skip: NO_OUTER_ADDRESS,
}, async () => {
  const local = await start({ maxConnectionsPerAddress: 1 })
  assert.deepEqual(await askTimes(local.url, 3), [200, 200, 200])

  const proxies = trustLoopback()
  proxies.addAddress(OUTER_ADDRESS ?? '')
  for (const config of [
    { maxConnectionsPerAddress: 1, proxies },
    { maxConnectionsPerAddress: 0 },
  ]) {
    const server = await start({ host: '0.0.0.0', ...config })
    const url = server.url.replace('0.0.0.0', OUTER_ADDRESS ?? '')
    assert.deepEqual(await askTimes(url, 3), [200, 200, 200])
  }
})

test(
  'H12: connections above --max-connections are refused, and open ones continue',
  oneNode('running'),
  async () => {
    const server = await start({ maxConnections: 2 })
    assert.deepEqual(await askTimes(server.url, 2), [200, 200])
    const { socket, text } = await open(server.url)
    socket.write(HEALTH)
    assertRefusal(await text, 'unavailable')

    const [first] = sockets
    const answered = new Promise<string>((resolve) =>
      first?.once('data', (chunk) => resolve(`${chunk}`)),
    )
    first?.write(HEALTH)
    assert.match(await answered, /^HTTP\/1\.1 200 /)
    const closed = new Promise((resolve) => first?.once('close', resolve))
    first?.end()
    await closed
    assert.deepEqual(await askTimes(server.url, 2), [200, 503])
  },
)

test(
  'H12: a client that sends a body on a connection above the limit gets exactly one response',
  oneNode('running'),
  async () => {
    const server = await start({ maxConnections: 1 })
    assert.equal(await ask(server.url), 200)
    const { socket, text } = await open(server.url)
    socket.write(
      `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n${'x'.repeat(500_000)}`,
    )
    socket.write(HEALTH.repeat(10))
    assertRefusal(await text, 'unavailable')
    assert.equal((await text).match(/HTTP\/1\.1 /g)?.length, 1)
  },
)

test(
  'H12: a connection above the limit that sends nothing, or does not end, is closed',
  oneNode('running'),
  async () => {
    const server = await start({ maxConnections: 1 }, { refusalTimeoutMs: 100 })
    assert.equal(await ask(server.url), 200)
    const silent = await open(server.url)
    assert.equal(await silent.text, '')

    const endless = await open(server.url)
    const timer = setInterval(() => endless.socket.write('x'), 5)
    assertRefusal(await endless.text, 'unavailable')
    clearInterval(timer)
  },
)

test(
  'H12: a limited number of connections wait for their refusal, and others are closed without a response',
  oneNode('running'),
  async () => {
    const server = await start(
      { maxConnections: 1 },
      { maxRefusedConnections: 2, refusalTimeoutMs: 60_000 },
    )
    assert.equal(await ask(server.url), 200)
    const [first, second] = [await open(server.url), await open(server.url)]
    assert.equal(await (await open(server.url)).text, '')

    first.socket.write(HEALTH)
    assertRefusal(await first.text, 'unavailable')
    assert.ok(
      await eventually(async () => (await ask(server.url)) === 503),
      'the place is free again',
    )
    second.socket.destroy()
  },
)

test('H12: a thousand pipelined requests are answered in order', async () => {
  const server = await start({})
  const socket = await openSocket(server.url)
  sockets.push(socket)
  const paths = Array.from({ length: 1_000 }, (_, index) => `/metrics?none${index}`)
  let text = ''
  const done = new Promise((resolve) => socket.once('close', resolve))
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const last = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const rest = `HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n\r\n`
  socket.write(paths.map((path) => `GET ${path} ${rest}`).join('') + last)
  await done
  const told = [...text.matchAll(/query parameter \\"none(\d+)\\" is not known/g)]
  assert.deepEqual(
    told.map(([, index]) => Number(index)),
    paths.map((_, index) => index),
  )
  assert.match(text, /HTTP\/1\.1 200 OK(?![\s\S]*HTTP\/1\.1 )/)
})
