// How many connections one address, and all together, may have open.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, afterEach, test } from 'node:test'
import type { Config } from '../../lib/config.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { NO_OUTER_ADDRESS, OUTER_ADDRESS } from '../helpers/outer-address.ts'
import { openSocket } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { trustLoopback } from '../helpers/trust-loopback.ts'

const sockets: Socket[] = []
const servers: TestServer[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.stop()
})
after(removeDataDirectories)

async function start(config: Partial<Config>): Promise<TestServer> {
  const server = await startTestServer({ dataDir: newDataDirectory(), config })
  servers.push(server)
  return server
}

/** True when the server answers on a new connection, which stays open. */
async function isServed(url: string): Promise<boolean> {
  const socket = await openSocket(url)
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  return new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString().startsWith('HTTP/1.1 200 ')))
    socket.once('close', () => resolve(false))
  })
}

async function serve(url: string, count: number): Promise<readonly boolean[]> {
  const served: boolean[] = []
  for (let index = 0; index < count; index += 1) served.push(await isServed(url))
  return served
}

test('H12: one address may have so many connections, and more when some are closed', {
  skip: NO_OUTER_ADDRESS,
}, async () => {
  const server = await start({ host: '0.0.0.0', maxConnectionsPerAddress: 3 })
  const url = server.url.replace('0.0.0.0', OUTER_ADDRESS ?? '')
  assert.deepEqual(await serve(url, 5), [true, true, true, false, false])
  assert.ok(await isServed(server.url), 'another address is served')

  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve))
  sockets[0]?.end()
  await closed
  assert.deepEqual(await serve(url, 2), [true, false])
})

test('H12: this machine, a trusted proxy, and all when it is 0 may have any number', {
  skip: NO_OUTER_ADDRESS,
}, async () => {
  const local = await start({ maxConnectionsPerAddress: 1 })
  assert.deepEqual(await serve(local.url, 3), [true, true, true])

  const proxies = trustLoopback()
  proxies.addAddress(OUTER_ADDRESS ?? '')
  for (const config of [
    { maxConnectionsPerAddress: 1, proxies },
    { maxConnectionsPerAddress: 0 },
  ]) {
    const server = await start({ host: '0.0.0.0', ...config })
    const url = server.url.replace('0.0.0.0', OUTER_ADDRESS ?? '')
    assert.deepEqual(await serve(url, 3), [true, true, true])
  }
})

test('H12: past --max-connections a new connection is closed, and those that are open go on', async () => {
  const server = await start({ maxConnections: 2 })
  assert.deepEqual(await serve(server.url, 3), [true, true, false])
  const [first] = sockets
  const answered = new Promise<string>((resolve) =>
    first?.once('data', (chunk) => resolve(chunk.toString())),
  )
  first?.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.match(await answered, /^HTTP\/1\.1 200 /)
})

test('H12: a thousand requests that are sent at once are answered in turn', async () => {
  const server = await start({})
  const socket = await openSocket(server.url)
  sockets.push(socket)
  const paths = Array.from({ length: 1_000 }, (_, index) => `/problems/none-${index}`)
  let text = ''
  const done = new Promise((resolve) => socket.once('close', resolve))
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const last = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('') + last)
  await done
  const ids = [...text.matchAll(/"request_id":"\w+-(\w+)"/g)].map(([, id]) =>
    Number.parseInt(id ?? '', 36),
  )
  assert.equal(ids.length, 1_000)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.match(text, /HTTP\/1\.1 200 OK(?![\s\S]*HTTP\/1\.1 )/)
})
