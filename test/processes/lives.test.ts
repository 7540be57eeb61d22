// Processes that end: a reading process, the writing process, and all processes on a stop.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
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
  await untilReady(server)
})
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function untilReady({ url }: Pick<ChildServer, 'url'>): Promise<void> {
  assert.ok(await eventually(() => doAllServe({ url })), server.stderr())
}

function openAll(): Promise<readonly ProcessClient[]> {
  return openProcessClients({ url: server.url, key }, server.pid, PROCESSES)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a killed reader process is replaced, and the others continue', async () => {
  const clients = await openAll()
  const [first, ...others] = clients as readonly [ProcessClient, ...ProcessClient[]]
  process.kill(first.pid, 'SIGKILL')
  await assert.rejects(first.call('GET', '/api/v2/user').then(() => first.call('GET', '/health')))
  for (const other of others) assert.equal((await other.call('GET', '/api/v2/user')).status, 200)
  await untilReady(server)
  const pids = (await openAll()).map((client) => {
    client.close()
    return client.pid
  })
  assert.equal(new Set(pids).size, PROCESSES)
  assert.ok(!pids.includes(first.pid))
  assert.match(server.stderr(), /reader process ended; starting another/)
  for (const client of clients) client.close()
})

test('signals to all processes do not end the reader processes', async () => {
  const readers = readersOf(server.pid)
  for (const pid of readers)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'])
      process.kill(pid, signal)
  const clients = await openAll()
  for (const client of clients) assert.equal((await client.call('GET', '/api/v2/user')).status, 200)
  assert.deepEqual([...readersOf(server.pid)], [...readers])
  for (const client of clients) client.close()
})

test('a change that runs during a stop is made and answered', async () => {
  const body = JSON.stringify({ name: 'last', parent_category_id: 1 })
  const begun = []
  for (let at = 0; at < PROCESSES * 2; at += 1) {
    const socket = await openSocket(server.url)
    const text = new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk: Buffer) => {
        all += chunk.toString('latin1')
      })
      socket.on('close', () => resolve(all))
    })
    const named = body.replace('last', `last ${at}`)
    const lines = [
      'POST /api/v2/asset_category HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${key}`,
    ]
    const head = [...lines, 'Content-Type: application/json', `Content-Length: ${named.length}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n${named.slice(0, 10)}`)
    begun.push({ socket, text, rest: named.slice(10) })
  }
  const running = async (): Promise<boolean> => {
    const answer = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const text = await answer.text()
    return text.includes(
      `cms_http_requests_in_progress{method="POST",route="/api/v2/asset_category"} ${begun.length}`,
    )
  }
  assert.ok(await eventually(running))
  const ended = server.kill('SIGTERM')
  await assert.rejects(
    eventually(async () => {
      await fetch(`${server.url}/health`)
      return false
    }),
  )
  for (const { socket, rest } of begun) socket.write(rest)
  for (const { text } of begun) assert.equal(parseAnswer(await text).status, 201)
  assert.equal((await ended).code, 0)

  server = await startChild(dataDir, FLAGS)
  await untilReady(server)
  const [client] = await openAll()
  const found = await client?.call(
    'GET',
    '/api/v2/asset_category?qry=%7B%22name%22%3A%7B%22%24startsWith%22%3A%22last%22%7D%7D',
  )
  assert.equal(found?.body.page.total, begun.length, found?.text)
})

test('all processes end with a killed writer process, and the next start recovers as usual', async () => {
  const readers = readersOf(server.pid)
  assert.equal(readers.length, PROCESSES - 1)
  await server.kill('SIGKILL')
  assert.ok(await eventually(() => readers.every((pid) => !isAlive(pid))))
  server = await startChild(dataDir, FLAGS)
  await untilReady(server)
  const [client] = await openAll()
  assert.equal((await client?.call('GET', '/api/v2/user'))?.status, 200)
})

test('the command of a reader process can be used only by a server', async () => {
  const { code, stderr } = await runCli(['read-beside', '--data', dataDir])
  assert.equal(code, 2)
  assert.match(stderr, /is for internal use by "cms-server start"/)
})

test('a read-only server can have several processes, which all refuse changes', async () => {
  assert.equal((await server.kill('SIGTERM')).code, 0)
  server = await startChild(dataDir, [...FLAGS, '--read-only'])
  await untilReady(server)
  for (const client of await openAll()) {
    assert.equal((await client.call('GET', '/api/v2/user')).status, 200)
    const json = { name: 'no', parent_category_id: 1 }
    assert.equal((await client.call('POST', '/api/v2/asset_category', { json })).status, 503)
    client.close()
  }
})
