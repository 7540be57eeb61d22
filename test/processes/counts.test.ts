// Limits of a server with several processes count across all processes.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { newName } from '../helpers/content.ts'
import { openProcessClients, readersOf } from '../helpers/process-clients.ts'
import { eventually, openSocket } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const PROCESSES = 3

/** Uploads a file that is larger than any buffer of the system and returns its address. */
async function uploadLarge(server: TestServer): Promise<string> {
  const made = await server.upload([
    { name: 'asset_category_id', value: '1' },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: 'large.bin', bytes: Buffer.alloc(32 * 1024 * 1024, 'x') },
  ])
  assert.equal(made.status, 201, made.text)
  return `/file/${made.body.asset_file_id}/large.bin`
}

/** Requests the file on a new connection and reads no more than the status. */
async function beginDownload({ url, key }: TestServer, path: string) {
  const socket = await openSocket(url)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const status = await new Promise<number>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(Number(chunk.toString('latin1', 9, 12)))
    })
    socket.once('close', () => resolve(0))
  })
  return { socket, status }
}

async function beginDownloads(server: TestServer, path: string, count: number) {
  const begun: { socket: Socket; status: number }[] = []
  for (let at = 0; at < count; at += 1) begun.push(await beginDownload(server, path))
  return begun
}

test('running requests of a key are counted once, and no longer after their process ended', async () => {
  // A quarter of the connections is available to a single key.
  const config = { processes: PROCESSES, maxConnections: 48 }
  const server = await startTestServer({ config })
  const most = 12
  try {
    const path = await uploadLarge(server)
    const begun = await beginDownloads(server, path, 20)
    const served = begun.filter(({ status }) => status === 200)
    assert.ok(begun.every(({ status }) => status === 200 || status === 429))
    assert.ok(served.length <= most && served.length >= most - PROCESSES, `${served.length}`)
    // No process has a free slot.
    assert.equal((await beginDownload(server, path)).status, 429)

    for (const pid of readersOf(process.pid)) process.kill(pid, 'SIGKILL')
    const hasPlaces = async (): Promise<boolean> => {
      const again = await beginDownload(server, path)
      served.push(again)
      return again.status === 200
    }
    assert.ok(await eventually(hasPlaces))
    for (const { socket } of [...begun, ...served]) socket.destroy()
    // All slots are free again, and their number has not grown.
    const isFree = async (): Promise<boolean> => {
      const next = await beginDownloads(server, path, 20)
      for (const { socket } of next) socket.destroy()
      const count = next.filter(({ status }) => status === 200).length
      assert.ok(count <= most, `${count}`)
      return count >= most - PROCESSES
    }
    assert.ok(await eventually(isFree))
  } finally {
    await server.close()
  }
})

test('a forwarded request counts once for the rate limit of its key', async () => {
  // The limit is so low that no token is refilled meanwhile.
  const most = 3
  const server = await startTestServer({ config: { processes: PROCESSES, rateLimit: most } })
  const clients = await openProcessClients(server, process.pid, PROCESSES)
  try {
    // A text of this size is encoded in a thread, and only the writing process has such threads.
    const pageContent = 'x'.repeat(400_000)
    const json = { name: 'large.html', type: 'page', parent_category_id: 1, pageContent }
    const made = await server.call('POST', '/api/v2/asset_file', { json })
    assert.equal(made.status, 201, made.text)
    const path = `/api/v2/asset_file/${made.body.asset_file_id}`
    for (const client of clients) {
      // All keys of a user share a limit.
      const user = newName()
      await server.command({ command: 'user.create', name: user, role: 'editor' })
      const key = await server.makeKey({ user })
      const answers = await Promise.all(
        Array.from({ length: most }, () => client.call('GET', path, { key })),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(answers[0]?.body.pageContent.length, 400_000)
    }
  } finally {
    for (const client of clients) client.close()
    await server.close()
  }
})
