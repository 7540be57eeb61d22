// The connection limits on their own, with this machine counted like any other address. Through a whole
// server: connections.test.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { type ConnectionOptions, limitConnections } from '../../lib/http/connections.ts'
import { eventually, openSocket } from '../helpers/raw.ts'

const servers: Server[] = []
const sockets: Socket[] = []
after(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

async function start(limits: Partial<ConnectionOptions>) {
  const server = createServer((_, response) => response.end('served'))
  servers.push(server)
  const dropped: string[] = []
  limitConnections(server, {
    all: 100,
    perAddress: 0,
    refused: 2,
    refusalTimeoutMs: 60_000,
    isShared: () => false,
    refuse: (error, socket) => socket.end(error.code),
    onDrop: (address) => dropped.push(address),
    ...limits,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** A connection and everything that arrives on it. */
  async function open() {
    const socket = await openSocket(url)
    sockets.push(socket)
    const connection = { socket, text: '', isClosed: false }
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      connection.text += chunk.toString()
    })
    socket.once('close', () => {
      connection.isClosed = true
    })
    return connection
  }

  /** Sends a request on a new connection, which stays open, and returns the answer. */
  async function ask(): Promise<string> {
    const connection = await open()
    connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => connection.text !== '' || connection.isClosed)
    return /served|too-many-requests|unavailable|$/.exec(connection.text)?.[0] ?? ''
  }
  return { open, ask, dropped }
}

test('connections of one address are served up to the limit, then refused, then closed without a response', async () => {
  const { open, ask, dropped } = await start({ perAddress: 2 })
  assert.deepEqual(
    [await ask(), await ask(), await ask()],
    ['served', 'served', 'too-many-requests'],
  )
  const waiting = [await open(), await open()]
  assert.equal(await ask(), '')
  assert.deepEqual(dropped, ['127.0.0.1'])

  for (const { socket } of waiting) socket.destroy()
  assert.ok(await eventually(async () => (await ask()) === 'too-many-requests'))
})

test('each closed connection makes room for another of its address', async () => {
  const { ask } = await start({ perAddress: 2 })
  const from = sockets.length
  assert.deepEqual([await ask(), await ask()], ['served', 'served'])
  for (const round of [0, 1]) {
    sockets[from + round]?.destroy()
    assert.ok(await eventually(async () => (await ask()) === 'served'))
    assert.equal(await ask(), 'too-many-requests')
  }
})

test('shared addresses, and all addresses without a limit, are not limited', async () => {
  for (const limits of [{ perAddress: 1, isShared: () => true }, { perAddress: 0 }]) {
    const { ask } = await start(limits)
    assert.deepEqual([await ask(), await ask(), await ask()], ['served', 'served', 'served'])
  }
})

test('connections are served up to the total limit, and a request on a further one is refused', async () => {
  const { open, ask, dropped } = await start({ all: 1 })
  assert.equal(await ask(), 'served')
  const silent = await open()
  assert.equal(await ask(), 'unavailable')
  assert.equal(silent.text, '')
  await open()
  assert.equal(await ask(), '')
  assert.deepEqual(dropped, ['127.0.0.1'])
})

test('a connection that is to be refused is closed after a timeout or if it ends', async () => {
  const { open, ask } = await start({ all: 0, refusalTimeoutMs: 200 })
  const silent = await open()
  assert.ok(await eventually(() => silent.isClosed))
  const ending = await open()
  ending.socket.end()
  assert.ok(await eventually(() => ending.isClosed))
  assert.equal(await ask(), 'unavailable')
})
