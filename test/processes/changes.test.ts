// Writes that reach a reading process: the process hands the request to the writing process, and
// the client sees no difference.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { openProcessClients, type ProcessClient } from '../helpers/process-clients.ts'
import { openSocket, parseAnswer } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { trustLoopback } from '../helpers/trust-loopback.ts'

const PROCESSES = 3
const BY_PROXY = { proxies: trustLoopback() }

let server: TestServer
let clients: readonly ProcessClient[]
before(async () => {
  server = await startTestServer({ config: { processes: PROCESSES, ...BY_PROXY } })
  clients = await openProcessClients(server, process.pid, PROCESSES)
})
after(async () => {
  for (const client of clients) client.close()
  await server.close()
})

/**
 * Sends the bytes on new connections to each process in turn and returns the status codes. An
 * answer may come before all bytes are sent.
 */
async function sendRaw(bytes: string, more?: string): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let at = 0; at < PROCESSES * 2; at += 1) {
    const socket = await openSocket(server.url)
    const answered = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (text.startsWith('HTTP/1.1 100')) {
          text = ''
          if (more !== undefined) socket.write(more)
        } else if (text.includes('\r\n\r\n')) resolve(text)
      })
      socket.on('close', () => resolve(text))
      socket.on('error', () => resolve(text))
    })
    socket.write(bytes)
    statuses.push(parseAnswer(await answered).status)
    socket.destroy()
  }
  return statuses
}

function head(lines: readonly string[]): string {
  const own = [
    'POST /api/v2/asset_category HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${server.key}`,
  ]
  return `${[...own, 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`
}

test('bodies arrive complete: with a length, in chunks, late, and large', async () => {
  let number = 0
  const body = (): string => {
    number += 1
    return JSON.stringify({ name: `folder ${number}`, parent_category_id: 1 })
  }
  for (const client of clients) {
    const made = await client.call('POST', '/api/v2/asset_category', {
      body: body(),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(made.status, 201, made.text)
    const chunked = await client.call('POST', '/upload', {
      headers: {
        'transfer-encoding': 'chunked',
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: formOf(`file${number}.bin`, 'x'.repeat(3_000_000)),
    })
    assert.equal(chunked.status, 201, chunked.text)
    const { bytes } = await client.call(
      'GET',
      `/file/${chunked.body.asset_file_id}/file${number}.bin?version=1`,
    )
    assert.equal(bytes.length, 3_000_000)
  }
})

function formOf(name: string, content: string): string {
  const lines = [
    '--b',
    'Content-Disposition: form-data; name="asset_category_id"',
    '',
    '1',
    '--b',
    `Content-Disposition: form-data; name="Filedata"; filename="${name}"`,
    '',
    content,
    '--b--',
    '',
  ]
  return lines.join('\r\n')
}

test('a client that expects 100 Continue gets it, or is refused before', async () => {
  const text = JSON.stringify({ name: 'never', parent_category_id: 999_999 })
  const asking = head([`Content-Length: ${text.length}`, 'Expect: 100-continue'])
  assert.deepEqual(new Set(await sendRaw(asking, text)), new Set([422]))
  const tooLong = head(['Content-Length: 999999999', 'Expect: 100-continue'])
  assert.deepEqual(new Set(await sendRaw(tooLong)), new Set([413]))
})

test('a body with too large a Content-Length is refused before it arrives', async () => {
  assert.deepEqual(new Set(await sendRaw(head(['Content-Length: 999999999']))), new Set([413]))
})

test('an invalid body gets its error, and an incomplete body changes nothing', async () => {
  assert.deepEqual(new Set(await sendRaw(`${head(['Content-Length: 5'])}{"a":`)), new Set([400]))
  const bad = `${head(['Transfer-Encoding: chunked'])}zz\r\n`
  assert.deepEqual(new Set(await sendRaw(bad)), new Set([400]))

  for (let times = 0; times < PROCESSES * 2; times += 1) {
    const socket = await openSocket(server.url)
    socket.on('error', () => undefined)
    socket.write(`${head(['Content-Length: 60'])}{"name":"cut","parent_`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
  }
  const found = await server.call(
    'GET',
    `/api/v2/asset_category?qry=${encodeURIComponent('{"name":"cut"}')}`,
  )
  assert.equal(found.body.page.total, 0)
})

test('conditions, retries, PATCH and unknown methods work as with one process', async () => {
  for (const [at, client] of clients.entries()) {
    const json = { name: `once ${at}`, parent_category_id: 1 }
    const headers = { 'idempotency-key': `key-${at}` }
    const made = await client.call('POST', '/api/v2/asset_category', { json, headers })
    const id = made.body.asset_category_id
    for (const other of clients) {
      const again = await other.call('POST', '/api/v2/asset_category', { json, headers })
      assert.deepEqual([again.status, again.body.asset_category_id], [201, id])
    }
    const path = `/api/v2/asset_category/${id}`
    const wrong = await client.call('PATCH', path, {
      json: { title: 'a' },
      headers: { 'if-match': '"x"' },
    })
    assert.equal(wrong.status, 412)
    assert.equal((await client.call('PATCH', path, { json: { title: 'a' } })).status, 200)
    assert.equal((await client.call('PUT', path, { json: {} })).status, 405)
    assert.equal((await client.call('OPTIONS', path)).status, 204)
    assert.equal((await client.call('DELETE', path)).status, 204)
  }
})

test('the audit trail contains the origin of a change, which clients cannot forge', async () => {
  for (const [at, client] of clients.entries()) {
    const headers = { 'x-forwarded-for': `192.0.2.${at + 1}`, 'x-cms-peer': '198.51.100.7' }
    const json = { name: `from ${at}`, parent_category_id: 1 }
    const made = await client.call('POST', '/api/v2/asset_category', { json, headers })
    assert.equal(made.status, 201, made.text)
    const { body } = await client.call('GET', '/api/v2/audit?length=1&orderDir=desc')
    assert.equal(body.audit[0].address, `192.0.2.${at + 1}`)
  }
})

test('invalid keys are counted once across processes', async () => {
  const guess = (at: number) => ({
    key: `cms_${String(at).padStart(40, 'x')}`,
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  const statuses: number[] = []
  for (let at = 0; at < 60; at += 1) {
    const client = clients[at % PROCESSES] as ProcessClient
    statuses.push((await client.call('GET', '/api/v2/user', guess(at))).status)
  }
  const alone = await startTestServer({ config: { processes: 1, ...BY_PROXY } })
  const expected: number[] = []
  for (let at = 0; at < 60; at += 1)
    expected.push((await alone.call('GET', '/api/v2/user', guess(at))).status)
  await alone.close()
  assert.deepEqual(statuses, expected)
  assert.ok(expected.includes(401) && expected.includes(429))

  // A blocked address is refused even a valid key, unless the key was used from there before. Other
  // addresses may use the key.
  const made = await server.makeKey({ user: 'admin' })
  for (const client of clients) {
    const from = (address: string) => ({ key: made, headers: { 'x-forwarded-for': address } })
    assert.equal((await client.call('GET', '/api/v2/user', from('203.0.113.9'))).status, 429)
    assert.equal((await client.call('GET', '/api/v2/user', from('203.0.113.10'))).status, 200)
  }
})

test('requests of a key per second are counted once across processes', async () => {
  const most = 20
  const limited = await startTestServer({ config: { processes: PROCESSES, rateLimit: most } })
  const each = await openProcessClients(limited, process.pid, PROCESSES)
  try {
    const key = await limited.makeKey({ user: 'admin' })
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 3 * most }, (_, at) =>
        (each[at % PROCESSES] as ProcessClient).call('GET', '/api/v2/user', { key }),
      ),
    )
    const seconds = (performance.now() - began) / 1_000
    const served = answers.filter(({ status }) => status === 200).length
    assert.ok(served >= most, `${served}`)
    // The rate limit refills by `most` tokens in each second.
    assert.ok(served <= most + Math.ceil(seconds * most), `${served} in ${seconds} s`)
    assert.ok(answers.every(({ status }) => status === 200 || status === 429))
  } finally {
    for (const client of each) client.close()
    await limited.close()
  }
})

test('connections are counted once across processes, and a closed connection frees its place', async () => {
  const small = await startTestServer({ config: { processes: PROCESSES, maxConnections: 5 } })
  try {
    const sockets = []
    for (let at = 0; at < 5; at += 1) {
      const socket = await openSocket(small.url)
      // A connection is counted when a process accepts it, which an answer proves.
      const answered = once(socket, 'data')
      socket.write(`GET /health HTTP/1.1\r\nHost: ${new URL(small.url).host}\r\n\r\n`)
      await answered
      sockets.push(socket)
    }
    const refused = await small.call('GET', '/health', { headers: { connection: 'close' } })
    assert.equal(refused.status, 503)
    for (const socket of sockets) socket.destroy()
    for (let tries = 0; ; tries += 1) {
      const { status } = await small.call('GET', '/health', { headers: { connection: 'close' } })
      if (status === 200) break
      assert.ok(tries < 500)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  } finally {
    await small.close()
  }
})
