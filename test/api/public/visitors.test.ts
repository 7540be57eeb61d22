// Readers without a key cannot use up what people with a key need: each address counts as one key, and all of them as one
// user.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { makeFolder } from '../../helpers/content.ts'
import { oneNode } from '../../helpers/node-pair.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'

const [FIRST, SECOND, THIRD] = ['198.51.100.1', '198.51.100.2', '198.51.100.3'] as const

/** Publishes a file that is larger than any buffer of the system. */
async function publishLarge(server: TestServer): Promise<string> {
  const { asset_category_id: folder } = await makeFolder(server, { public: true })
  const made = await server.upload([
    { name: 'asset_category_id', value: String(folder) },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: 'large.bin', bytes: Buffer.alloc(32 * 1024 * 1024, 'x') },
  ])
  assert.equal(made.status, 201, made.text)
  return `/file/${folder}/large.bin`
}

/** The same file by a link, for which its folder need not be public. */
async function linkLarge(server: TestServer): Promise<string> {
  const path = await publishLarge(server)
  const folder = `/api/v2/asset_category/${path.split('/')[2]}`
  await server.call('POST', folder, { json: { public: false } })
  const { body } = await server.call('GET', '/api/v2/asset_file?qry={"name":"large.bin"}')
  const links = `/api/v2/asset_file/${body.asset_file[0].asset_file_id}/link`
  return (await server.call('POST', links, { json: {} })).body.url
}

interface Begun {
  readonly socket: Socket
  readonly status: number
  readonly text: string
}

/** Requests the file without a key on a new connection, and reads no more than the beginning. */
async function begin({ url }: TestServer, path: string, address: string): Promise<Begun> {
  const socket = await openSocket(url)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`)
  const text = await new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(chunk.toString('latin1', 0, 2_000))
    })
    socket.once('close', () => resolve(''))
  })
  return { socket, status: Number(text.slice(9, 12)), text }
}

for (const [way, publish] of Object.entries({
  'without a key': publishLarge,
  'by a link': linkLarge,
}))
  test(`slow downloads ${way} get the share of a key for each address, and of a user together`, async () => {
    // A quarter of the connections for one key, and three eighths for one user.
    const [ofKey, ofUser] = [12, 18]
    const config = { maxConnections: 48, maxConnectionsPerAddress: 40, proxies: trustLoopback() }
    const server = await startTestServer({ config })
    const sockets: Socket[] = []
    const withKey = async (address: string): Promise<number> =>
      (await server.call('GET', '/api/v2/me', { headers: { 'x-forwarded-for': address } })).status
    try {
      const path = await publish(server)
      const take = async (count: number, address: string): Promise<readonly Begun[]> => {
        const begun: Begun[] = []
        for (let at = 0; at < count; at += 1) begun.push(await begin(server, path, address))
        sockets.push(...begun.map(({ socket }) => socket))
        return begun
      }
      const statuses = (begun: readonly Begun[]): readonly number[] =>
        begun.map(({ status }) => status)

      const first = await take(ofKey + 2, FIRST)
      assert.deepEqual(statuses(first), [...Array.from({ length: ofKey }, () => 200), 429, 429])
      assert.match(
        first.at(-1)?.text ?? '',
        /retry-after: 1\r\n.*The address has 12 running requests/is,
      )
      assert.equal(await withKey(FIRST), 200)
      const left = ofUser - ofKey
      const second = await take(left + 1, SECOND)
      assert.deepEqual(statuses(second), [...Array.from({ length: left }, () => 200), 429])
      assert.match(second.at(-1)?.text ?? '', /The group of all readers without a key has 18/)
      assert.deepEqual(statuses(await take(1, THIRD)), [429])
      for (const address of [FIRST, SECOND, THIRD]) assert.equal(await withKey(address), 200)

      for (const socket of sockets.splice(0)) socket.destroy()
      const isFree = async (): Promise<boolean> => statuses(await take(1, THIRD))[0] === 200
      assert.ok(await eventually(isFree))
    } finally {
      for (const socket of sockets) socket.destroy()
      await server.close()
    }
  })

test('an address without a key gets one share, whichever processes answer it', async () => {
  const processes = 3
  const server = await startTestServer({
    config: { processes, maxConnections: 48, maxConnectionsPerAddress: 40 },
  })
  const sockets: Socket[] = []
  try {
    const path = await publishLarge(server)
    const statuses: number[] = []
    for (let at = 0; at < 20; at += 1) {
      const { socket, status } = await begin(server, path, FIRST)
      sockets.push(socket)
      statuses.push(status)
    }
    const served = statuses.filter((status) => status === 200).length
    assert.ok(statuses.every((status) => status === 200 || status === 429))
    // The last places may belong to another process.
    assert.ok(served <= 12 && served >= 12 - processes, `${served}`)
    assert.equal((await server.call('GET', '/api/v2/me')).status, 200)
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.close()
  }
})

test(
  '--rate-limit applies to each address without a key, and not to the keys behind it',
  oneNode('rates'),
  async () => {
    const server = await startTestServer({ config: { rateLimit: 2, proxies: trustLoopback() } })
    try {
      const { asset_category_id: folder } = await makeFolder(server, { public: true })
      const ask = (address: string, key: string | null): Promise<Answer> =>
        server.call('GET', `/file/${folder}/none.html`, {
          key,
          headers: { 'x-forwarded-for': address },
        })
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 30 }, () => ask(FIRST, null)))
      const seconds = (performance.now() - began) / 1_000
      const refused = answers.filter(({ status }) => status === 429)
      assert.ok(answers.every(({ status }) => status === 404 || status === 429))
      assert.ok(answers.length - refused.length <= 2 + 2 * seconds)
      assert.ok(refused.length > 0)
      for (const { body, headers } of refused) {
        assert.match(body.detail, /^Without a key, an address may send 2 requests per second\./)
        assert.equal(headers['retry-after'], '1')
      }
      assert.equal((await ask(SECOND, null)).status, 404)
      const key = await server.makeKey({ name: 'reader', grants: 'view' })
      assert.equal((await ask(FIRST, key)).status, 404)
      assert.ok(await eventually(async () => (await ask(FIRST, null)).status === 404))
    } finally {
      await server.close()
    }
  },
)
