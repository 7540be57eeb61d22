// The quotas of one key, one user and one address in the limits for all. Whatever one caller does within its
// quota, the requests of other callers succeed. The limits are the real ones, except the times.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import {
  assertProblem,
  fileOf,
  makeFile,
  makeFolder,
  newName,
  partsOf,
} from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { eventually, openSocket, parseAnswer } from '../../helpers/raw.ts'
import { type Answer, buildForm, startTestServer, type TestServer } from '../../helpers/server.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const MIB = 1024 * 1024
const FILE = '/api/v2/asset_file'
const FORM = 'multipart/form-data; boundary=x'
const JSON_TYPE = 'application/json'

let server: TestServer
/** The address of a text of 8 MiB that both users may read. */
let text: string

before(async () => {
  server = await startTestServer({
    dataDir: newDataDirectory(),
    config: { proxies: trustLoopback() },
    limits: { bodyTimeoutMs: 60_000, dropTimeoutMs: 500 },
  })
  for (const name of ['anna', 'bert', 'carl', 'dora'])
    await server.command({ command: 'user.create', name, role: 'editor' })
  const { asset_file_id: id } = await makeFile(server, { pageContent: 'x'.repeat(8 * MIB) })
  text = `${FILE}/${id}?fields=pageContent`
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** A key of a user, and the address from which its requests come. */
interface Client {
  readonly key: string
  readonly address: string
}

const keyOf = (user: string): Promise<string> => server.makeKey({ name: newName(), user })

async function clientOf(user: string, address: string): Promise<Client> {
  return { key: await keyOf(user), address }
}

interface Begun {
  readonly status: number
  readonly body: any
  readonly socket: Socket
}

/** Sends a head and waits for the response: 100 or a refusal. */
async function begin(
  client: Client,
  path: string,
  lines: readonly string[],
  to = server,
): Promise<Begun> {
  const socket = await openSocket(to.url)
  sockets.push(socket)
  socket.on('error', () => undefined)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${client.key}`,
    `X-Forwarded-For: ${client.address}`,
    'Expect: 100-continue',
    ...lines,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = parseAnswer(
    await new Promise((resolve) => socket.once('data', (chunk) => resolve(`${chunk}`))),
  )
  return { ...answer, body: answer.body === '' ? undefined : JSON.parse(answer.body), socket }
}

const beginPage = (client: Client, bytes = 16 * MIB, to = server): Promise<Begun> =>
  begin(client, FILE, [`Content-Type: ${JSON_TYPE}`, `Content-Length: ${bytes}`], to)
const beginUpload = (client: Client): Promise<Begun> =>
  begin(client, '/upload', [`Content-Type: ${FORM}`, `Content-Length: ${MIB}`])

async function beginTimes(
  count: number,
  one: (index: number) => Promise<Begun>,
): Promise<readonly Begun[]> {
  const all: Begun[] = []
  for (let index = 0; index < count; index += 1) all.push(await one(index))
  return all
}

const countOf = (all: readonly Begun[], status: number): number =>
  all.filter((item) => item.status === status).length

interface Sent {
  readonly json?: object
  readonly body?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const call = (client: Client, method: string, path: string, sent: Sent = {}): Promise<Answer> =>
  server.call(method, path, {
    ...sent,
    key: client.key,
    headers: { 'x-forwarded-for': client.address, ...sent.headers },
  })

function save(client: Client, bytes: number): Promise<Answer> {
  const json = { name: newName('txt'), type: 'txt', parent_category_id: 1 }
  return call(client, 'POST', FILE, { json: { ...json, pageContent: 'x'.repeat(bytes) } })
}

function upload(client: Client, bytes: number): Promise<Answer> {
  const parts = [...partsOf({ asset_category_id: '1' }), fileOf(Buffer.alloc(bytes, 1), newName())]
  return server.upload(parts, { key: client.key, headers: { 'x-forwarded-for': client.address } })
}

/** Checks that ordinary requests of the client succeed. */
async function assertServed(client: Client): Promise<void> {
  for (const [what, answer] of [
    ['a small POST', await save(client, 100)],
    ['a POST of 1 MiB', await save(client, MIB)],
    ['a small upload', await upload(client, 1_000)],
    ['a large upload', await upload(client, 2 * MIB)],
  ] as const)
    assert.equal(answer.status, 201, `${what}: ${answer.text}`)
  const read = await call(client, 'GET', text)
  assert.equal(read.status, 200, `a large read: ${read.text.slice(0, 300)}`)
}

/** Checks that the whole share of the client is available again: as many large bodies begin as before. */
async function assertGivenBack(client: Client, most: number): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy()
  const isFree = await eventually(async () => {
    const begun = await beginTimes(most, () => beginPage(client))
    for (const { socket } of begun) socket.destroy()
    return countOf(begun, 100) === most
  })
  assert.ok(isFree, 'something is still held')
  for (const socket of sockets.splice(0)) socket.destroy()
}

/** How many bodies of the declared size a key, a user and an address may hold. */
const LARGE = (LIMITS.bodyMemoryBytes - LIMITS.smallBodyMemoryBytes) / (16 * MIB)
const OF_KEY = Math.floor(LARGE * LIMITS.keyShare)
const OF_USER = Math.floor(LARGE * LIMITS.userShare)
const OF_ADDRESS = Math.floor(LARGE * LIMITS.addressShare)

describe('incomplete bodies', oneNode('running'), () => {
  test('of one key stop at its quota, and all other callers are served', async () => {
    const anna = await clientOf('anna', '192.0.2.1')
    const begun = await beginTimes(15, () => beginPage(anna))
    assert.deepEqual([countOf(begun, 100), countOf(begun, 429)], [OF_KEY, 15 - OF_KEY])
    assert.match(begun.at(-1)?.body.detail, /^Other requests of this key use all the memory for/)
    await assertServed(await clientOf('bert', '192.0.2.2'))
    await assertServed(await clientOf('bert', '192.0.2.1'))
    // Other keys of the same user are served, and small bodies of this key.
    await assertServed(await clientOf('anna', '192.0.2.3'))
    assert.equal((await save(anna, 10_000)).status, 201)
    await assertGivenBack(anna, OF_KEY)
  })

  test('of many keys of one user stop at the quota of the user', async () => {
    const keys: string[] = []
    for (let count = 0; count < 10; count += 1) keys.push(await keyOf('anna'))
    const clients = keys.map((key, index) => ({ key, address: `192.0.2.${10 + index}` }))
    const at = (index: number): Client => clients[index % clients.length] as Client
    const begun = await beginTimes(50, (index) => beginPage(at(index)))
    assert.deepEqual([countOf(begun, 100), countOf(begun, 429)], [OF_USER, 50 - OF_USER])
    assert.match(begun.at(-1)?.body.detail, /^Other requests of this (key|user) use all the memory/)
    await assertServed(await clientOf('bert', '192.0.2.10'))
    await assertGivenBack(await clientOf('anna', '192.0.2.9'), OF_KEY)
  })

  test('of many users at one address stop at the quota of the address', async () => {
    const clients: Client[] = []
    for (const user of ['anna', 'carl', 'dora']) clients.push(await clientOf(user, '192.0.2.20'))
    const at = (index: number): Client => clients[index % clients.length] as Client
    const begun = await beginTimes(30, (index) => beginPage(at(index)))
    assert.deepEqual([countOf(begun, 100), countOf(begun, 429)], [OF_ADDRESS, 30 - OF_ADDRESS])
    await assertServed(await clientOf('bert', '192.0.2.21'))
    const neighbor = await clientOf('bert', '192.0.2.20')
    assert.equal((await save(neighbor, 10_000)).status, 201)
  })

  test('in chunks count as they arrive', async () => {
    const anna = await clientOf('anna', '192.0.2.30')
    const chunked = [`Content-Type: ${JSON_TYPE}`, 'Transfer-Encoding: chunked']
    const begun = await beginTimes(15, () => begin(anna, FILE, chunked))
    assert.equal(countOf(begun, 100), 15)
    const answers = begun.map(({ socket }) => {
      const first = new Promise<string>((resolve) => socket.once('data', (d) => resolve(`${d}`)))
      socket.write(`${(15 * MIB).toString(16)}\r\n${' '.repeat(15 * MIB)}\r\n`)
      return first
    })
    assert.equal(parseAnswer(await Promise.race(answers)).status, 429)
    await assertServed(await clientOf('bert', '192.0.2.30'))
  })

  test('hundreds of small bodies of one key leave room for small bodies of other keys', async () => {
    const anna = await clientOf('anna', '192.0.2.40')
    const begun = await beginTimes(1_000, () => beginPage(anna, 64 * 1024))
    const most = (LIMITS.bodyMemoryBytes * LIMITS.keyShare) / (64 * 1024)
    // The connections of one address are also limited, and all connections here come from one address.
    assert.ok(countOf(begun, 100) <= Math.min(most, 128))
    await assertServed(await clientOf('bert', '192.0.2.41'))
  })
})

test('incomplete large uploads stop at the same quotas', oneNode('running'), async () => {
  const [anna, other] = [await clientOf('anna', '192.0.2.50'), await clientOf('anna', '192.0.2.51')]
  const begun = await beginTimes(30, () => beginUpload(anna))
  assert.equal(countOf(begun, 100), LIMITS.maxUploads * LIMITS.keyShare)
  assert.match(
    begun.at(-1)?.body.detail,
    /^Other requests of this key use all the places for large/,
  )
  const more = await beginTimes(30, () => beginUpload(other))
  assert.equal(countOf(more, 100), LIMITS.maxUploads * (LIMITS.userShare - LIMITS.keyShare))
  assert.match(more.at(-1)?.body.detail, /^Other requests of this user/)
  await assertServed(await clientOf('bert', '192.0.2.50'))
  assertProblem(await upload(anna, MIB), 'too-many-requests')
})

describe('running requests', oneNode('running'), () => {
  test('are limited for one key, one user, and one address behind a proxy', async () => {
    const few = await startTestServer({
      dataDir: newDataDirectory(),
      config: { proxies: trustLoopback(), maxConnections: 32, maxConnectionsPerAddress: 6 },
    })
    try {
      await few.command({ command: 'user.create', name: 'bert', role: 'editor' })
      const [other, bert] = [await few.makeKey({}), await few.makeKey({ user: 'bert' })]
      const hold = (key: string, at: number): Promise<Begun> =>
        beginPage({ key, address: `192.0.2.${at}` }, 2, few)
      const read = (key: string, at: number): Promise<Answer> =>
        few.call('GET', FILE, { key, headers: { 'x-forwarded-for': `192.0.2.${at}` } })

      assert.equal(countOf(await beginTimes(8, (at) => hold(few.key, at)), 100), 8)
      const refused = await read(few.key, 1)
      assertProblem(refused, 'too-many-requests')
      assert.equal(refused.headers.connection, 'close')
      assert.equal(countOf(await beginTimes(8, (at) => hold(other, at)), 100), 4)
      assert.match((await read(other, 1)).body.detail, /^The user has 12 running requests/)

      assert.equal(countOf(await beginTimes(8, () => hold(bert, 30)), 100), 6)
      assert.match((await read(bert, 30)).body.detail, /^The address has 6 running requests/)
      assert.equal((await read(bert, 31)).status, 200)
      for (const socket of sockets.splice(0)) socket.destroy()
      const all = await eventually(async () => (await read(few.key, 30)).status === 200)
      assert.ok(all, 'a request that is over is still counted')
      assert.equal(countOf(await beginTimes(8, (at) => hold(few.key, at)), 100), 8)
    } finally {
      for (const socket of sockets.splice(0)) socket.destroy()
      await few.stop()
    }
  })

  test('of one key may be as many as under ordinary load', async () => {
    const key = await keyOf('anna')
    const clients = Array.from({ length: 200 }, (_, at) => ({ key, address: `198.51.100.${at}` }))
    const saved = await Promise.all(clients.map((client) => save(client, 50_000)))
    assert.deepEqual([...new Set(saved.map(({ status }) => status))], [201])
  })
})

test('a body sent byte by byte arrives completely, as JSON and as a form', async () => {
  const client = await clientOf('anna', '192.0.2.80')
  const content = Buffer.from(Array.from({ length: 5_000 }, (_, at) => 97 + (at % 26)))
  const json = { name: newName('txt'), type: 'txt', parent_category_id: 1 }
  const page = Buffer.from(JSON.stringify({ ...json, pageContent: `${content}` }))
  const form = buildForm([...partsOf({ asset_category_id: '1' }), fileOf(content, newName('txt'))])
  for (const [path, type, body] of [
    [FILE, JSON_TYPE, page],
    ['/upload', form.contentType, form.body],
  ] as const) {
    const lines = [`Content-Type: ${type}`, 'Transfer-Encoding: chunked']
    const { socket } = await begin(client, path, lines)
    const answer = new Promise<string>((resolve) => socket.once('data', (d) => resolve(`${d}`)))
    const pieces = [...body].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]))
    socket.write(Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]))
    const made = parseAnswer(await answer)
    assert.equal(made.status, 201, made.body)
    const id = JSON.parse(made.body).asset_file_id
    const read = await call(client, 'GET', `${FILE}/${id}/versions/1/content`)
    assert.ok(read.bytes.equals(content), `${path} lost bytes`)
  }
})

describe('unread large responses', () => {
  async function ask(client: Client): Promise<void> {
    const socket = await openSocket(server.url)
    sockets.push(socket)
    socket.on('error', () => undefined)
    const signed = `Authorization: Bearer ${client.key}\r\nX-Forwarded-For: ${client.address}`
    socket.write(`GET ${text} HTTP/1.1\r\nHost: a\r\n${signed}\r\n\r\n`)
    await new Promise((resolve) => socket.once('readable', resolve))
  }

  test('stop at the quota of their key, and other callers read and write', async () => {
    const anna = await clientOf('anna', '192.0.2.60')
    for (let count = 0; count < 40; count += 1) await ask(anna)
    const refused = await call(anna, 'GET', text)
    assertProblem(refused, 'too-many-requests')
    assert.match(refused.body.detail, /^Other requests of this key .* unread responses/)
    await assertServed(await clientOf('bert', '192.0.2.60'))

    // The change is made, and the answer omits the text.
    const [path = ''] = text.split('?')
    const changed = await call(anna, 'POST', path, { json: { title: newName() } })
    assert.deepEqual([changed.status, changed.body.pageContent], [200, null])
  })
})

describe('no body is read for a key without grants', () => {
  const POSTS = [
    '/api/v2/api_key',
    '/api/v2/api_key/1',
    '/api/v2/api_key/1/rotate',
    FILE,
    '/upload',
  ]
  const refusals: readonly (readonly [string, () => Promise<string>])[] = [
    ['without a grant', () => makeKey({ grants: [] })],
    ['in a folder that is gone', inFolderThatIsGone],
    ['of a user without a role', () => ofUser({ role: null })],
    [
      'of a user whose roles are none',
      () => ofUser({ role: null, category_roles: [roleIn(null)] }),
    ],
    ['whose grants are none of the role of its user', () => ofUser({ role: 'viewer' }, 'publish')],
  ]
  for (const [what, make] of refusals) {
    test(what, async () => {
      const key = await make()
      for (const path of POSTS) {
        const type = path === '/upload' ? FORM : JSON_TYPE
        const lines = [`Content-Type: ${type}`, `Content-Length: ${16 * MIB}`]
        const { status, body } = await begin({ key, address: '192.0.2.70' }, path, lines)
        assert.deepEqual([status, body.code], [403, 'grant-missing'], path)
      }
    })
  }

  test('nor for a key that lacks the grant of the route in this folder', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const role = { asset_category_id: id, role: 'viewer' }
    const key = await ofUser({ role: 'editor', category_roles: [role] }, undefined, id)
    const { status, body } = await beginPage({ key, address: '192.0.2.71' })
    assert.deepEqual([status, body.grant], [403, 'create'])
  })

  const roleIn = (role: string | null): object => ({ asset_category_id: 1, role })

  async function makeKey(json: object): Promise<string> {
    const answer = await server.call('POST', '/api/v2/api_key', { json: { name: 'x', ...json } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.secret
  }

  async function inFolderThatIsGone(): Promise<string> {
    const { asset_category_id: id } = await makeFolder(server)
    const key = await makeKey({ asset_category_id: id })
    assert.equal((await server.call('DELETE', `/api/v2/asset_category/${id}`)).status, 204)
    return key
  }

  async function ofUser(fields: object, grants?: string, folder?: number): Promise<string> {
    const json = { name: newName('user'), ...fields }
    const user = await server.call('POST', '/api/v2/user', { json })
    assert.equal(user.status, 201, user.text)
    const { user_id } = user.body
    return makeKey({
      user_id,
      ...(grants && { grants: [grants] }),
      ...(folder && { asset_category_id: folder }),
    })
  }
})
