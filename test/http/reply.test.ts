// Sending a reply leaves no listeners or signals behind. What clients receive: test/api.

import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { json, send } from '../../lib/http/reply.ts'

const OPTIONS = { stallTimeoutMs: 60_000, extraHeaders: { 'x-extra': 'yes' } }

/** Returns the abort signals that the platform created during the work. */
async function signalsOf(work: () => Promise<void>): Promise<readonly AbortSignal[]> {
  const signals: AbortSignal[] = []
  const { AbortController: Plain } = globalThis
  globalThis.AbortController = class extends Plain {
    constructor() {
      super()
      signals.push(this.signal)
    }
  }
  try {
    await work()
  } finally {
    globalThis.AbortController = Plain
  }
  return signals
}

test('a body of many chunks leaves no listeners behind', async () => {
  const chunk = Buffer.from('x')
  const server = createServer((request, response) => {
    const body = {
      sizeBytes: 500,
      close: () => Promise.resolve(),
      async *chunks() {
        for (let count = 0; count < 500; count += 1) yield chunk
      },
    }
    const sent = send(request, response, { status: 200, headers: {}, body }, OPTIONS)
    void Promise.resolve(sent).then(() => server.emit('sent'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const signals = await signalsOf(async () => {
    const sent = once(server, 'sent')
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    assert.equal((await answer.text()).length, 500)
    await sent
  })
  server.closeAllConnections()
  server.close()

  assert.ok(signals.length > 0)
  for (const signal of signals) assert.ok(getEventListeners(signal, 'abort').length <= 2)
})

test('each chunk of a body is sent after its turn was granted', async () => {
  const waiting: (() => void)[] = []
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const server = createServer((request, response) => {
    const body = {
      sizeBytes: 3,
      close: () => Promise.resolve(),
      async *chunks() {
        for (const text of ['a', 'b', 'c']) yield Buffer.from(text)
      },
    }
    void send(request, response, { status: 200, headers: {}, body }, { ...OPTIONS, turn })
    server.emit('begun')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const begun = once(server, 'begun')
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await begun
  for (let count = 1; count <= 3; count += 1) {
    while (waiting.length < count) await setImmediate()
    assert.equal(waiting.length, count)
    waiting.at(-1)?.()
  }
  assert.equal(await (await answer).text(), 'abc')
  server.closeAllConnections()
  server.close()
})

test('a reply has its own headers, the general headers that it does not replace, and extra ones', async () => {
  const server = createServer((request, response) => {
    void send(request, response, json(200, {}, { 'cache-control': 'no-cache' }), OPTIONS)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.closeAllConnections()
  server.close()

  const names = ['cache-control', 'content-type', 'content-length', 'referrer-policy', 'x-extra']
  assert.deepEqual(
    names.map((name) => headers.get(name)),
    ['no-cache', 'application/json; charset=utf-8', '2', 'no-referrer', 'yes'],
  )
})
