// Detecting a client disconnect while work is running, on real connections. The effect on requests:
// test/api/request/slow-clients.test.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { whilePresent } from '../../lib/http/client-disconnect.ts'

const EVENTS = ['close', 'end'] as const

const listenersOf = (socket: Socket): readonly number[] =>
  EVENTS.map((event) => socket.listenerCount(event))

/** The two ends of a connection. */
async function withConnection(
  use: (server: Socket, client: Socket) => Promise<void>,
): Promise<void> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  const connected = once(server, 'connection') as Promise<[Socket]>
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = await connected
  try {
    await use(socket, client)
  } finally {
    client.destroy()
    socket.destroy()
    server.close()
  }
}

test('no listener stays on a connection after its work ended in any way', () =>
  withConnection(async (socket) => {
    const before = listenersOf(socket)
    const client = { socket, probe: () => undefined }
    await whilePresent(client, async () => {
      assert.notDeepEqual(listenersOf(socket), before)
    })
    assert.deepEqual(listenersOf(socket), before)

    const fault = new Error('the work failed')
    await assert.rejects(
      whilePresent(client, () => Promise.reject(fault)),
      fault,
    )
    assert.deepEqual(listenersOf(socket), before)
  }))

test('work is notified of a client that disconnects or has disconnected', () =>
  withConnection(async (socket, client) => {
    const untilGone = (signal: AbortSignal): Promise<unknown> =>
      signal.aborted ? Promise.resolve() : once(signal, 'abort')
    await whilePresent({ socket, probe: () => undefined }, (signal) => {
      assert.equal(signal.aborted, false)
      client.resetAndDestroy()
      socket.on('error', () => undefined).resume()
      return untilGone(signal)
    })
    await whilePresent({ socket, probe: () => undefined }, async (signal) => {
      assert.equal(signal.aborted, true)
    })
  }))

test('a half-closed client is probed at once and then periodically', () =>
  withConnection(async (socket, client) => {
    client.end()
    socket.resume()
    await once(socket, 'end')
    let asked = 0
    let askedEnough = (): void => undefined
    const thrice = new Promise<void>((resolve) => {
      askedEnough = resolve
    })
    const probe = (): void => {
      asked += 1
      if (asked === 3) askedEnough()
    }
    await whilePresent({ socket, probe }, async (signal) => {
      assert.equal(asked, 1)
      await thrice
      assert.equal(signal.aborted, false)
    })
  }))
