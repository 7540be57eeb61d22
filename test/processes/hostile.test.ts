// Clients that disconnect, pipeline, stall or speak old HTTP versions while processes are killed or
// frozen.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import {
  openProcessClients,
  type ProcessClient,
  readersOf,
  doAllServe,
} from '../helpers/process-clients.ts'
import { eventually, openSocket, parseAnswer } from '../helpers/raw.ts'
import { temporaryDirectory } from '../helpers/server.ts'

const PROCESSES = 3
const FLAGS = ['--processes', String(PROCESSES), '--min-free-mb', '0', '--min-free-percent', '0']

let dataDir: string
let server: ChildServer
let key: string
before(async () => {
  dataDir = join(temporaryDirectory(), 'data')
  server = await startChild(dataDir, FLAGS)
  key = await makeKey(dataDir)
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
})
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Opens a connection and collects all bytes that arrive until the connection is closed. */
async function open(): Promise<{ readonly socket: Socket; readonly all: Promise<string> }> {
  const socket = await openSocket(server.url)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  const all = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  return { socket, all }
}

/** Sends the same bytes on two connections to each process. */
function sendToAll(bytes: string): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: PROCESSES * 2 }, async () => {
      const { socket, all } = await open()
      socket.write(bytes)
      return all
    }),
  )
}

const statusesOf = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

function folder(
  name: string,
  version = 'HTTP/1.1',
  lines: readonly string[] = ['Host: a'],
): string {
  const body = JSON.stringify({ name, parent_category_id: 1 })
  const head = [
    `POST /api/v2/asset_category ${version}`,
    ...lines,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

async function openAll(): Promise<readonly ProcessClient[]> {
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
  return openProcessClients({ url: server.url, key }, server.pid, PROCESSES)
}

async function running(): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
  const line =
    /cms_http_requests_in_progress\{method="POST",route="\/api\/v2\/asset_category"\} (\d+)/
  return line.exec(text)?.[1] ?? '0'
}

test('a process that is killed during a body fails only that request', async () => {
  const clients = await openAll()
  const begun = await Promise.all(
    Array.from({ length: PROCESSES * 2 }, async (_, at) => {
      const connection = await open()
      const text = folder(`half ${at}`)
      connection.socket.write(text.slice(0, -10))
      return { ...connection, rest: text.slice(-10) }
    }),
  )
  assert.ok(await eventually(async () => (await running()) === String(begun.length)))
  const [first] = clients as readonly [ProcessClient]
  process.kill(first.pid, 'SIGKILL')
  assert.ok(await eventually(async () => Number(await running()) <= begun.length - 2))
  for (const { socket, rest } of begun) if (socket.writable) socket.write(rest)
  for (const { socket, all } of begun) {
    setTimeout(() => socket.end(), 1_000).unref()
    const status = statusesOf(await all)
    assert.ok(status.length === 0 || status[0] === 201, String(status))
  }
  assert.ok(await eventually(async () => (await running()) === '0'))
  for (const client of clients) client.close()
})

test('each of many connections is answered or closed while a process dies', async () => {
  const clients = await openAll()
  for (const client of clients) client.close()
  const [victim] = readersOf(server.pid) as readonly [number]
  const count = 900
  const asked = Array.from({ length: count }, async (_, at) => {
    if (at === 300) process.kill(victim, 'SIGKILL')
    const { socket, all } = await open()
    const lines = ['GET /api/v2/user HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`]
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    return statusesOf(await all)[0]
  })
  const statuses = await Promise.all(asked)
  assert.deepEqual(new Set(statuses.filter((status) => status !== undefined)), new Set([200]))
  assert.ok(statuses.filter((status) => status === 200).length >= count / 2)
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
})

test('pipelined requests are answered in order, forwarded or not', async () => {
  const lines = ['GET /api/v2/user HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`]
  const get = (more: readonly string[] = []) => `${[...lines, ...more].join('\r\n')}\r\n\r\n`
  const texts = await Promise.all(
    Array.from({ length: PROCESSES * 2 }, async (_, at) => {
      const { socket, all } = await open()
      socket.write(`${get()}${folder(`piped ${at}`)}${get()}${folder(`piped ${at}`)}`)
      socket.write(get(['Connection: close']))
      return all
    }),
  )
  for (const text of texts) assert.deepEqual(statusesOf(text), [200, 201, 200, 409, 200])
})

test('HTTP/1.0, Upgrade and unknown expectations are handled as with one process', async () => {
  let number = 0
  const each = async (make: (name: string) => string) => {
    const texts: string[] = []
    for (let at = 0; at < PROCESSES * 2; at += 1) {
      number += 1
      const { socket, all } = await open()
      socket.write(make(`old ${number}`))
      texts.push(await all)
    }
    return new Set(texts.flatMap(statusesOf))
  }
  assert.deepEqual(await each((name) => folder(name, 'HTTP/1.0', [])), new Set([201]))
  const upgrade = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket']
  assert.deepEqual(await each((name) => folder(name, 'HTTP/1.1', upgrade)), new Set([201]))
  const expecting = ['Host: a', 'Expect: 200-ok', 'Connection: close']
  assert.deepEqual(await each((name) => folder(name, 'HTTP/1.1', expecting)), new Set([400]))
  const ask = `GET /api/v2/user HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`
  for (const text of await sendToAll(ask)) assert.deepEqual(statusesOf(text), [200])
})

test('an incomplete request head and an idle connection time out', async () => {
  const [half, idle] = await Promise.all([
    sendToAll('GET /api/v2/user HTT'),
    sendToAll('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'),
  ])
  for (const text of half) assert.deepEqual(statusesOf(text), [408])
  for (const text of idle) assert.deepEqual(statusesOf(text), [200])
})

test('while a process is frozen only its clients wait, and /ready reports it', async () => {
  const clients = await openAll()
  const [frozen, ...others] = clients as readonly [ProcessClient, ...ProcessClient[]]
  process.kill(frozen.pid, 'SIGSTOP')
  try {
    let isAnswered = false
    const late = frozen.call('GET', '/api/v2/user').then((answer) => {
      isAnswered = true
      return answer
    })
    for (const other of others) {
      assert.equal((await other.call('GET', '/api/v2/user')).status, 200)
      const json = { name: `beside ${other.pid}`, parent_category_id: 1 }
      assert.equal((await other.call('POST', '/api/v2/asset_category', { json })).status, 201)
    }
    const [other] = others as [ProcessClient]
    const isTold = async (): Promise<boolean> =>
      (await other.call('GET', '/ready', { key: null })).text.includes('few-processes')
    assert.ok(await eventually(isTold))
    // The frozen process receives no more connections.
    for (let at = 0; at < PROCESSES * 3; at += 1)
      assert.equal(
        (await fetch(`${server.url}/health`, { headers: { connection: 'close' } })).status,
        200,
      )
    assert.equal(isAnswered, false)
    process.kill(frozen.pid, 'SIGCONT')
    assert.equal((await late).status, 200)
    assert.ok(await eventually(() => doAllServe(server)))
  } finally {
    process.kill(frozen.pid, 'SIGCONT')
    for (const client of clients) client.close()
  }
})

test('every process completes its running responses at a stop', async () => {
  const size = 24 * 1024 * 1024
  const form = new FormData()
  form.set('asset_category_id', '1')
  form.set('fileState', 'publish')
  form.set('Filedata', new Blob([Buffer.alloc(size, 'y')]), 'large.bin')
  const headers = { authorization: `Bearer ${key}` }
  const sent = await fetch(`${server.url}/upload`, { method: 'POST', headers, body: form })
  assert.equal(sent.status, 201)
  const { asset_file_id: id } = (await sent.json()) as { asset_file_id: number }

  const begun = await Promise.all(
    Array.from({ length: PROCESSES * 2 }, async () => {
      const socket = await openSocket(server.url)
      const lines = [
        `GET /file/${id}/large.bin HTTP/1.1`,
        'Host: a',
        `Authorization: Bearer ${key}`,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      const chunks: Buffer[] = []
      const all = new Promise<Buffer>((resolve) => {
        socket.on('close', () => resolve(Buffer.concat(chunks)))
      })
      const first = new Promise<void>((resolve) => {
        socket.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (chunks.length === 1) socket.pause()
          resolve()
        })
      })
      await first
      return { socket, all }
    }),
  )
  const ended = server.kill('SIGTERM')
  assert.ok(
    await eventually(() =>
      fetch(`${server.url}/health`).then(
        () => false,
        () => true,
      ),
    ),
  )
  for (const { socket } of begun) socket.resume()
  for (const { all } of begun) {
    const bytes = await all
    assert.equal(parseAnswer(bytes.toString('latin1', 0, 2_000)).status, 200)
    assert.equal(bytes.length - bytes.indexOf('\r\n\r\n') - 4, size)
  }
  assert.equal((await ended).code, 0)
  server = await startChild(dataDir, FLAGS)
})
