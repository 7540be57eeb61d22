// The syntax of an Idempotency-Key, its owner, and its lifetime.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { idempotencyCount, idempotencyRow } from '../../../lib/schema/server-records.ts'
import type { Reader } from '../../../lib/storage/port.ts'
import {
  assertProblem,
  fileOf,
  make,
  makeFile,
  makeFolder,
  newName,
  partsOf,
} from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { listAll, makeTable } from '../../helpers/modules.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import {
  type Answer,
  buildForm,
  type Call,
  startTestServer,
  type TestServer,
} from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { placesHolding, unfinishedIn } from '../../helpers/stored.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const FOLDERS = '/api/v2/asset_category'
const HOUR_MS = 3_600_000

let server: TestServer
let secret: string
let aheadMs = 0
const now = (): Date => new Date(Date.now() + aheadMs)
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory(), now })
  secret = server.key
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

let count = 0
function newKey(): string {
  count += 1
  return `key-${count}`
}

function post(path: string, key: string, call: Call = {}): Promise<Answer> {
  const headers = { 'idempotency-key': key, ...call.headers }
  return server.call('POST', path, { key: secret, ...call, headers })
}

function isReplayed({ headers }: Answer): boolean {
  return headers['idempotency-replayed'] === 'true'
}

async function countNamed(name: string): Promise<number> {
  const qry = encodeURIComponent(JSON.stringify({ name }))
  const { body } = await server.call('GET', `${FOLDERS}?qry=${qry}`)
  return body.asset_category.length
}

describe('the header', () => {
  const wrong = ['', '""', 'a b', 'a, b', '"a', '"a"b"', 'ä', 'x'.repeat(256)]
  for (const value of wrong) {
    test(`with ${JSON.stringify(value).slice(0, 20)} is refused and creates nothing`, async () => {
      const name = newName()
      const answer = await post(FOLDERS, Buffer.from(value).toString('latin1'), { json: { name } })
      assertProblem(answer, 'bad-request')
      assert.equal(await countNamed(name), 0)
    })
  }

  test('names the same key with and without quotes', async () => {
    for (const [bare, quoted] of [
      ['a-b', '"a-b"'],
      ['a"b\\c', '"a\\"b\\\\c"'],
    ] as const) {
      const json = { name: newName() }
      assert.equal((await post(FOLDERS, bare, { json })).status, 201)
      assert.ok(isReplayed(await post(FOLDERS, quoted, { json })))
    }
  })

  test('has a key of up to 255 characters', async () => {
    const [json, key] = [{ name: newName() }, newKey().padEnd(255, 'x')]
    assert.equal((await post(FOLDERS, key, { json })).status, 201)
    assert.ok(isReplayed(await post(FOLDERS, key, { json })))
  })

  test('is ignored on GET and DELETE', async () => {
    const [{ asset_file_id: id }, { asset_category_id: folderId }] = [
      await makeFile(server),
      await makeFolder(server),
    ]
    const headers = { 'idempotency-key': newKey() }
    for (const [method, path, status] of [
      ['GET', `/api/v2/asset_file/${id}/publish`, 200],
      ['DELETE', `${FOLDERS}/${folderId}`, 204],
      ['DELETE', `${FOLDERS}/${folderId}`, 404],
    ] as const) {
      const answer = await server.call(method, path, { headers })
      assert.deepEqual([answer.status, isReplayed(answer)], [status, false])
    }
  })
})

describe('a key stands for one request:', () => {
  const others: readonly (readonly [string, string, object])[] = [
    ['body', `${FOLDERS}/1`, { title: 'b' }],
    ['address', `${FOLDERS}/12`, { title: 'a' }],
  ]
  for (const [what, path, json] of others) {
    test(`a request with another ${what} is refused`, async () => {
      const key = newKey()
      assert.equal((await post(`${FOLDERS}/1`, key, { json: { title: 'a' } })).status, 200)
      const answer = await post(path, key, { json })
      assertProblem(answer, 'idempotency-key-reused')
    })
  }

  test('another version in the query is another request', async () => {
    const { asset_file_id: id } = await makeFile(server)
    const path = `/api/v2/asset_file/${id}/publish`
    assert.equal((await post(path, 'published')).status, 200)
    assertProblem(await post(`${path}?version=1`, 'published'), 'idempotency-key-reused')
  })

  test('the same text with another API key is another key', async () => {
    const key = newKey()
    const mine = await server.makeKey({ name: 'other' })
    const first = await post(FOLDERS, key, { json: { name: newName() } })
    const other = await post(FOLDERS, key, { json: { name: newName() }, key: mine })
    assert.deepEqual([first.status, other.status, isReplayed(other)], [201, 201, false])
  })

  test('a refused request can be corrected and sent again with the same key', async () => {
    const key = newKey()
    const { name } = await makeFolder(server)
    const free = newName()
    assertProblem(await post(FOLDERS, key, { json: { nmae: 'x' } }), 'invalid-content')
    assertProblem(await post(FOLDERS, key, { json: { name } }), 'name-taken')
    const stale = { json: { title: 'x' }, headers: { 'if-match': '"r0"' } }
    assertProblem(await post(`${FOLDERS}/12`, key, stale), 'precondition-failed')
    assert.equal((await post(FOLDERS, key, { json: { name: free } })).status, 201)
    assert.ok(isReplayed(await post(FOLDERS, key, { json: { name: free } })))
    assert.equal(await countNamed(free), 1)
  })

  test('a request that changed nothing is also repeated', async () => {
    const { asset_category_id: id, title } = await makeFolder(server)
    const key = newKey()
    const first = await post(`${FOLDERS}/${id}`, key, { json: { title } })
    await server.call('POST', `${FOLDERS}/${id}`, { json: { title: 'meanwhile' } })
    const again = await post(`${FOLDERS}/${id}`, key, { json: { title } })
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true])
  })
})

describe('no response is repeated for', () => {
  test('a key that was revoked or has lost its grant', async () => {
    const role = { name: newName('user'), role: 'editor' }
    const { user_id: userId } = await make(server, 'user', role)
    const fields = { name: newName('key'), user_id: userId }
    const { api_key_id: id, secret: mine } = await make(server, 'api_key', fields)
    const [key, json] = [newKey(), { name: newName() }]
    assert.equal((await post(FOLDERS, key, { json, key: mine })).status, 201)
    assert.ok(isReplayed(await post(FOLDERS, key, { json, key: mine })))

    await server.call('POST', `/api/v2/user/${userId}`, { json: { role: 'viewer' } })
    assertProblem(await post(FOLDERS, key, { json, key: mine }), 'grant-missing')
    await server.call('POST', `/api/v2/api_key/${id}`, { json: { status: 'inactive' } })
    assertProblem(await post(FOLDERS, key, { json, key: mine }), 'key-invalid')
  })
})

describe('simultaneous requests', () => {
  test('make the change once, and all successful responses describe it', async () => {
    for (let round = 0; round < 10; round++) {
      const [key, json] = [newKey(), { name: newName(), asset_file_ids: [] }]
      const twins = Array.from({ length: 8 }, () => post('/api/v2/file_group', key, { json }))
      const answers = await Promise.all(twins)
      const good = answers.filter(({ status }) => status === 201)
      assert.ok(good.length > 0)
      assert.equal(new Set(good.map(({ text }) => text)).size, 1)
      assert.equal(good.filter((answer) => !isReplayed(answer)).length, 1)
      for (const answer of answers.filter((item) => !good.includes(item))) {
        assertProblem(answer, 'idempotency-key-in-use')
        assert.equal(answer.headers['retry-after'], '1')
      }
      const qry = encodeURIComponent(JSON.stringify({ name: json.name }))
      const { body } = await server.call('GET', `/api/v2/file_group?qry=${qry}`)
      assert.equal(body.file_group.length, 1)
    }
  })

  test(
    'a key is in use while its first request arrives, and free after the request was canceled',
    oneNode('arriving'),
    async () => {
      const [key, json] = [newKey(), { name: newName() }]
      const socket = await openSocket(server.url)
      const head = [
        `POST ${FOLDERS} HTTP/1.1`,
        'Host: a',
        `Authorization: Bearer ${secret}`,
        `Idempotency-Key: ${key}`,
        'Content-Type: application/json',
        'Content-Length: 100',
        'Expect: 100-continue',
      ]
      const asked = new Promise((resolve) => socket.once('data', resolve))
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      assert.match(String(await asked), /^HTTP\/1\.1 100 /)
      assertProblem(await post(FOLDERS, key, { json }), 'idempotency-key-in-use')

      socket.destroy()
      assert.ok(await eventually(async () => (await post(FOLDERS, key, { json })).status === 201))
      assert.equal(await countNamed(json.name), 1)
    },
  )
})

describe('an upload', () => {
  const formOf = (bytes: Uint8Array, name: string, boundary: string, isFileFirst: boolean) => {
    const parts = [...partsOf({ asset_category_id: '1', title: 'A' }), fileOf(bytes, name)]
    const { contentType, body } = buildForm(isFileFirst ? parts.toReversed() : parts)
    const change = (text: string): string => text.replaceAll('cms-test-boundary', boundary)
    return {
      body: Buffer.from(change(body.toString('latin1')), 'latin1'),
      headers: { 'content-type': change(contentType) },
    }
  }

  for (const size of [10, 3_000_000]) {
    test(`of ${size} bytes is the same request with another boundary and order of parts`, async () => {
      const [key, name, bytes] = [newKey(), newName('bin'), randomBytes(size)]
      const first = await post('/upload', key, formOf(bytes, name, 'one', true))
      assert.equal(first.status, 201, first.text)
      const again = await post('/upload', key, formOf(bytes, name, 'two', false))
      assert.deepEqual([again.text, isReplayed(again)], [first.text, true])
      assert.deepEqual(unfinishedIn(server.dataDir), [])

      const others = [
        formOf(Buffer.concat([bytes.subarray(1), Buffer.from('x')]), name, 'one', true),
        formOf(bytes, newName('bin'), 'one', true),
      ]
      for (const other of others)
        assertProblem(await post('/upload', key, other), 'idempotency-key-reused')
      assert.deepEqual(unfinishedIn(server.dataDir), [])
    })
  }
})

describe('a response of more than 64 KiB', () => {
  const pageContent = `<p>${'x'.repeat(70_000)}</p>`

  test('is rebuilt from the current file, or reports that the file is gone', async () => {
    const key = newKey()
    const json = { name: newName(), type: 'html', parent_category_id: 1, pageContent }
    const first = await post('/api/v2/asset_file', key, { json })
    const again = await post('/api/v2/asset_file', key, { json })
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true])

    const { asset_file_id: id } = first.body
    await server.call('POST', `/api/v2/asset_file/${id}`, { json: { title: 'later' } })
    const later = await post('/api/v2/asset_file', key, { json })
    assert.deepEqual([later.status, later.body.title, later.body.version], [201, 'later', 2])
    assert.equal(later.headers.location, first.headers.location)

    await server.call('DELETE', `/api/v2/asset_file/${id}`)
    const { made, detail } = assertProblem(
      await post('/api/v2/asset_file', key, { json }),
      'answer-lost',
    )
    assert.deepEqual(made, { asset_file: [id] })
    assert.match(detail, new RegExp(`asset_file ${id}`))
  })

  test('has at least 65,537 bytes', async () => {
    const path = '/api/v2/asset_file'
    const page = (bytes: number) => {
      const name = newName().padEnd(40, 'x')
      return { name, type: 'html', parent_category_id: 1, pageContent: 'x'.repeat(bytes) }
    }
    const others = (await post(path, newKey(), { json: page(10_000) })).bytes.length - 10_000
    const titleAfter = async (bytes: number): Promise<unknown> => {
      const [key, json] = [newKey(), page(bytes - others)]
      const first = await post(path, key, { json })
      assert.equal(first.bytes.length, bytes)
      const change = { json: { title: 'later' } }
      await server.call('POST', `${path}/${first.body.asset_file_id}`, change)
      return (await post(path, key, { json })).body.title
    }
    assert.equal(await titleAfter(65_536), null)
    assert.equal(await titleAfter(65_537), 'later')
  })

  test('of a bulk request lists every entry once', async () => {
    const { url } = await makeTable(server, 'title C(255)')
    const [key, json] = [
      newKey(),
      Array.from({ length: 500 }, (_, at) => ({ title: `${at} ${'x'.repeat(199)}` })),
    ]
    const first = await post(url, key, { json })
    const again = await post(url, key, { json })
    assert.ok(first.bytes.length > 65_536)
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true])
    assert.equal((await listAll(server, url)).length, 500)
  })
})

describe('a response with a secret', () => {
  test('is stored encrypted for its receiver', async () => {
    const mine = await make(server, 'api_key', { name: newName('key') })
    const [key, call] = [newKey(), { json: { name: newName('key') }, key: mine.secret }]
    const first = await post('/api/v2/api_key', key, call)
    const again = await post('/api/v2/api_key', key, call)
    assert.deepEqual([again.body.secret, isReplayed(again)], [first.body.secret, true])

    const rotated = await server.call('POST', `/api/v2/api_key/${mine.api_key_id}/rotate`)
    const lost = await post('/api/v2/api_key', key, { ...call, key: rotated.body.secret })
    assert.deepEqual(assertProblem(lost, 'answer-lost').made.api_key, [first.body.api_key_id])

    await restart()
    assert.deepEqual(await placesHolding(server.dataDir, first.body.secret), [])
    const { status } = await server.call('GET', '/api/v2/api_key', { key: first.body.secret })
    assert.equal(status, 200)
  })
})

describe('a key is stored', () => {
  test('for 24 hours, across a restart, and is then removed', async () => {
    const { url } = await makeTable(server, 'title C(255)')
    const [key, json] = [newKey(), { title: 'once' }]
    const first = await post(url, key, { json })
    await restart()
    const again = await post(url, key, { json })
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true])

    aheadMs = 24 * HOUR_MS - 60_000
    assert.ok(isReplayed(await post(url, key, { json })))
    aheadMs = 24 * HOUR_MS + 60_000
    assert.equal(isReplayed(await post(url, key, { json })), false)
    assert.equal((await listAll(server, url)).length, 2)

    await restart()
    assert.ok(
      await eventually(async () => (await readRows()).length === 1),
      'what has expired stays',
    )
    aheadMs = 0
  })

  test('until its API key reaches the storage limit', async () => {
    const { api_key_id: id, secret: mine } = await make(server, 'api_key', { name: newName('key') })
    await server.stop()
    await tamper(server.dataDir, (_, records) =>
      records.commit((unit) => unit.put(idempotencyCount, [id], { rows: 99_999 })),
    )
    server = await startTestServer({ dataDir: server.dataDir, now })

    const [key, json, name] = [newKey(), { name: newName() }, newName()]
    assert.equal((await post(FOLDERS, key, { json, key: mine })).status, 201)
    const refused = await post(FOLDERS, newKey(), { json: { name }, key: mine })
    assertProblem(refused, 'too-many-requests')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal(await countNamed(name), 0)
    assert.ok(isReplayed(await post(FOLDERS, key, { json, key: mine })))
    assert.equal((await server.call('POST', FOLDERS, { json: { name }, key: mine })).status, 201)
  })
})

async function restart(): Promise<void> {
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir, now })
}

/** Stops the server and returns the stored rows. */
async function readRows(): Promise<ReturnType<Reader['list']>> {
  let rows: ReturnType<Reader['list']> = []
  await server.stop()
  await tamper(server.dataDir, async (_, records) => {
    rows = records.list(idempotencyRow, [])
  })
  server = await startTestServer({ dataDir: server.dataDir, now })
  return rows
}
