// A server of three processes: a write through one process is visible on all processes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openProcessClients, type ProcessClient, readersOf } from '../helpers/process-clients.ts'
import { readMetrics } from '../helpers/metrics.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const PROCESSES = 3

let server: TestServer
let clients: readonly ProcessClient[]
let url: string
before(async () => {
  server = await startTestServer({ config: { processes: PROCESSES } })
  clients = await openProcessClients(server, process.pid, PROCESSES)
  const made = await server.call('POST', '/api/v2/datatable', {
    json: { name: 'books', title_field: 'title', table_schema: 'title C(50), pages I' },
  })
  url = made.body.module_url
})
after(async () => {
  for (const client of clients) client.close()
  await server.close()
})

/** Creates an entry and returns its path. */
async function makeEntry(client: Pick<ProcessClient, 'call'>, json: object): Promise<string> {
  const made = await client.call('POST', url, { json })
  assert.equal(made.status, 201, made.text)
  const { body } = await client.call('GET', `${url}?length=1&orderDir=desc`)
  return `${url}/${body.datatable_entry[0].datatable_entry_id}`
}

/** Asks all processes at the same time and returns their answers. */
function askAll(path: string): Promise<readonly any[]> {
  return Promise.all(clients.map((client) => client.call('GET', path)))
}

test('each process accepts connections, including the writer process', () => {
  const pids = clients.map(({ pid }) => pid)
  assert.equal(new Set(pids).size, PROCESSES)
  assert.equal(pids.at(-1), process.pid)
  assert.deepEqual(pids.slice(0, -1).toSorted(), [...readersOf(process.pid)].toSorted())
})

test('a changed entry is visible in all processes at once', async () => {
  const path = await makeEntry(server, { title: 'one', pages: 0 })
  const list = `${url}?qry=${encodeURIComponent('{"title":"one"}')}`
  for (let pages = 1; pages <= 60; pages += 1) {
    const writer = clients[pages % PROCESSES] as ProcessClient
    const { status } = await writer.call('POST', path, { json: { pages } })
    assert.equal(status, 200)
    for (const answer of await askAll(`${path}?fields=*`)) assert.equal(answer.body.pages, pages)
    for (const answer of await askAll(list))
      assert.equal(answer.body.datatable_entry[0].pages, pages)
    for (const answer of await askAll(`${url}?length=1&orderDir=desc`))
      assert.equal(answer.body.datatable_entry[0].pages, pages)
  }
})

// LMDB gives a process a newer state by itself, but only at its next timer.
test('a reader process between two other reads shows a change at once', async () => {
  const path = await makeEntry(server, { title: 'busy', pages: 0 })
  const [reader] = clients
  const sets = await Promise.all(
    [1, 2, 3].map(() => openProcessClients(server, process.pid, PROCESSES)),
  )
  const others = sets.flat()
  const busy = others.filter(({ pid }) => pid === reader?.pid)
  let isOver = false
  const reading = busy.map(async (client) => {
    while (!isOver) await client.call('GET', `${path}?fields=pages`)
  })
  try {
    for (let pages = 1; pages <= 300; pages += 1) {
      await server.call('POST', path, { json: { pages } })
      const answer = await reader?.call('GET', `${path}?fields=pages`)
      assert.equal(answer?.body.pages, pages)
    }
  } finally {
    isOver = true
    await Promise.all(reading)
    for (const client of others) client.close()
  }
})

test('a removed record disappears from all processes at once', async () => {
  for (const client of clients) {
    const path = await makeEntry(client, { title: 'gone' })
    for (const { status } of await askAll(path)) assert.equal(status, 200)
    assert.equal((await client.call('DELETE', path)).status, 204)
    for (const { status } of await askAll(path)) assert.equal(status, 404)
  }
})

test('a table is created, changed and deleted in all processes at once', async () => {
  for (const [at, client] of clients.entries()) {
    const made = await client.call('POST', '/api/v2/datatable', {
      json: { name: `t${at}`, table_schema: 'a C(5)' },
    })
    const { datatable_id: id, module_url: own } = made.body
    for (const { status } of await askAll(own)) assert.equal(status, 200)
    await client.call('POST', `/api/v2/datatable/${id}`, { json: { table_schema: 'a C(5), b I' } })
    await client.call('POST', own, { json: { b: 7 } })
    for (const { body } of await askAll(own)) assert.equal(body.datatable_entry[0].b, 7)
    assert.equal((await client.call('DELETE', `/api/v2/datatable/${id}`)).status, 204)
    for (const { status } of await askAll(own)) assert.equal(status, 404)
  }
})

test('a revoked key and changed grants take effect in all processes at once', async () => {
  for (const client of clients) {
    const made = await client.call('POST', '/api/v2/api_key', {
      json: { name: 'short', user_id: 1, grants: ['view'] },
    })
    const { secret, api_key_id: id } = made.body
    const ask = () => Promise.all(clients.map((other) => other.call('GET', url, { key: secret })))
    for (const { status } of await ask()) assert.equal(status, 200)
    const path = `/api/v2/api_key/${id}`
    assert.equal((await client.call('POST', path, { json: { status: 'inactive' } })).status, 200)
    for (const { status } of await ask()) assert.equal(status, 401)
    assert.equal((await client.call('POST', path, { json: { status: 'active' } })).status, 200)
    for (const { status } of await ask()) assert.equal(status, 200)
    assert.equal((await client.call('DELETE', path)).status, 204)
    for (const { status } of await ask()) assert.equal(status, 401)
  }
})

test('a file is the same in all processes: whole, in ranges, by HEAD, and in its new version', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'abcdefg')
  const form = (content: Buffer, fields: object) => [
    ...Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
    { name: 'Filedata', fileName: 'large.bin', bytes: content },
  ]
  const made = await server.upload(form(bytes, { asset_category_id: 1, fileState: 'publish' }))
  assert.equal(made.status, 201, made.text)
  const id = made.body.asset_file_id
  const path = `/file/${id}/large.bin`
  for (const client of clients) {
    assert.ok((await client.call('GET', path)).bytes.equals(bytes))
    const head = await client.call('HEAD', path)
    assert.equal(head.headers['content-length'], String(bytes.length))
    const part = await client.call('GET', path, { headers: { range: 'bytes=5-11' } })
    assert.deepEqual([part.status, part.text], [206, 'fgabcde'])
    const etag = String(head.headers.etag)
    const same = await client.call('GET', path, { headers: { 'if-none-match': etag } })
    assert.equal(same.status, 304)
  }
  for (const size of [10, 100_000, 2_000_000]) {
    const next = Buffer.alloc(size, `${size}`)
    const sent = await server.upload(form(next, { asset_file_id: id, fileState: 'publish' }))
    assert.ok(sent.status < 300, sent.text)
    for (const client of clients) assert.ok((await client.call('GET', path)).bytes.equals(next))
  }
})

test('each process returns the metrics of the whole server', async () => {
  const counted = async (): Promise<number> => {
    const samples = await readMetrics((method, path) => server.call(method, path))
    return samples
      .filter(
        ({ name, labels }) =>
          name === 'cms_http_request_duration_seconds_count' && labels['route'] === '/api/v2/user',
      )
      .reduce((sum, { value }) => sum + value, 0)
  }
  const before = await counted()
  for (const client of clients)
    for (let times = 0; times < 5; times += 1) await client.call('GET', '/api/v2/user')
  assert.equal((await counted()) - before, 5 * PROCESSES)
  const samples = await readMetrics((method, path) => server.call(method, path))
  const named = samples.filter(({ name }) => name === 'cms_process_resident_memory_bytes')
  assert.deepEqual(
    named.map(({ labels }) => labels['process']),
    ['0', '1', '2'],
  )
  for (const { value } of named) assert.ok(value > 1_000_000)
  // A request counts once, no matter which process answers it.
  const active = samples.filter(({ name }) => name === 'cms_http_requests_in_progress')
  assert.deepEqual(
    active.filter(({ value }) => value !== 0).map(({ labels, value }) => [labels['route'], value]),
    [['/metrics', 1]],
  )
})

test('requests of one connection are answered in order by whichever process', async () => {
  for (const client of clients) {
    const path = await makeEntry(client, { title: 'order', pages: 1 })
    const answers = await Promise.all([
      client.call('GET', `${path}?fields=*`),
      client.call('POST', path, { json: { pages: 2 } }),
      client.call('GET', `${path}?fields=*`),
      client.call('GET', '/nowhere'),
    ])
    assert.deepEqual(
      answers.map(({ status, body: told }) => [status, told.pages ?? told.datatable_entry?.pages]),
      [
        [200, 1],
        [200, 2],
        [200, 2],
        [404, undefined],
      ],
    )
  }
})
