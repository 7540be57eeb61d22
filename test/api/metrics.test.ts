// The contents of /metrics, and the callers that may read them.

import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { after, before, describe, test } from 'node:test'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { readMetrics, valueOf } from '../helpers/metrics.ts'
import { openSocket } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { oneNode } from '../helpers/node-pair.ts'
import { begin } from '../helpers/tus.ts'

const SECONDS = 'cms_http_request_duration_seconds_count'
const GC_SECONDS = 'nodejs_gc_duration_seconds'

let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

function create(object: string, json: object) {
  return server.call('POST', `/api/v2/${object}`, { json })
}

describe('metrics of requests', oneNode('counts'), () => {
  test('durations are counted by method, route pattern and status, without addresses', async () => {
    await create('asset_category', { name: 'confidential' })
    await server.call('GET', '/api/v2/asset_category/1')
    await server.call('HEAD', '/api/v2/asset_category/1')
    await server.call('GET', '/api/v2/asset_category/999999')
    await server.call('GET', '/no/such/address/confidential')

    const { text, headers } = await server.call('GET', '/metrics')
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    assert.ok(!text.includes('confidential'))

    const samples = await readMetrics(server.call)
    const route = '/api/v2/asset_category/:id'
    const count = (labels: Readonly<Record<string, string>>) => valueOf(samples, SECONDS, labels)
    assert.equal(count({ method: 'GET', route, status: '200' }), 1)
    assert.equal(count({ method: 'HEAD', route, status: '200' }), 1)
    assert.equal(count({ method: 'GET', route, status: '404' }), 1)
    assert.equal(count({ method: 'GET', route: 'none', status: '404' }), 1)
  })

  test('the buckets of a histogram are cumulative and end at the count', async () => {
    const { status } = await server.call('GET', '/api/v2/asset_file/999999')
    assert.equal(status, 404)
    const samples = (await readMetrics(server.call)).filter(
      ({ labels }) => labels['route'] === '/api/v2/asset_file/:id' && labels['status'] === '404',
    )
    const buckets = samples.filter(({ name }) => name.endsWith('_bucket'))
    assert.equal(buckets.length, 17)
    assert.equal(buckets.at(-1)?.labels['le'], '+Inf')
    for (const [at, { value }] of buckets.entries())
      assert.ok(value >= (buckets[at - 1]?.value ?? 0), `bucket ${at}`)
    assert.equal(buckets.at(-1)?.value, valueOf(samples, SECONDS))
    assert.equal(valueOf(samples, SECONDS), 1)
    const sum = valueOf(samples, 'cms_http_request_duration_seconds_sum')
    assert.ok(sum !== undefined && sum > 0 && sum < 60, `${sum} s`)
  })

  test('an upload is in progress until it is answered', async () => {
    const labels = { method: 'POST', route: '/upload' }
    const inProgress = async () =>
      valueOf(await readMetrics(server.call), 'cms_http_requests_in_progress', labels)
    const socket = await openSocket(server.url)
    const head = [
      'POST /upload HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${server.key}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000',
      'Expect: 100-continue',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    assert.equal(await inProgress(), 1)

    socket.write('-'.repeat(1000))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    assert.equal(await inProgress(), 0)
  })
})

test(
  'commits are counted with their waiting time, and none stays in the queue',
  oneNode('counts'),
  async () => {
    const before = await readMetrics(server.call)
    await create('asset_category', { name: 'one' })
    await create('asset_category', { name: 'two' })
    const after = await readMetrics(server.call)
    for (const name of ['cms_commit_duration_seconds_count', 'cms_commit_queue_seconds_count'])
      assert.ok(Number(valueOf(after, name)) - Number(valueOf(before, name)) >= 2, name)
    assert.equal(valueOf(after, 'cms_commits_waiting'), 0)
    assert.equal(valueOf(after, 'cms_commit_oldest_seconds'), 0)
  },
)

test('only counters have names that end in _total', async () => {
  const { text } = await server.call('GET', '/metrics')
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type])
  assert.ok(types.length > 20)
  assert.deepEqual(
    types.filter(([name, type]) => name?.endsWith('_total') !== (type === 'counter')),
    [],
  )
})

test('garbage collections are counted from the start of the process, not from the first scrape', async (t) => {
  const own = await startTestServer()
  t.after(() => own.close())
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const samples = await readMetrics(own.call)
  for (const kind of ['major', 'minor', 'incremental', 'weakcb'])
    assert.equal(
      samples.filter(({ name, labels }) => name.startsWith(GC_SECONDS) && labels['kind'] === kind)
        .length,
      9,
      kind,
    )
  assert.ok(Number(valueOf(samples, `${GC_SECONDS}_count`, { kind: 'major' })) >= 1)
  assert.ok(Number(valueOf(samples, `${GC_SECONDS}_sum`, { kind: 'major' })) > 0)
})

test(
  'there are metrics of records, sizes, tasks, disks and the event loop',
  oneNode('soon'),
  async () => {
    const table = { name: 'numbers', parent_category_id: 12, table_schema: 'title C(9)' }
    const { body } = await create('datatable', table)
    for (const title of ['a', 'b', 'c'])
      await server.call('POST', body.module_url, { json: { title } })

    const upload = { asset_category_id: 1, filename: 'a.bin' }
    assert.equal((await begin(server, upload, 5)).status, 201)

    const samples = await readMetrics(server.call)
    assert.equal(valueOf(samples, 'cms_records', { type: 'partial_upload' }), 1)
    assert.equal(valueOf(samples, 'cms_records', { type: 'datatable' }), 1)
    assert.equal(valueOf(samples, 'cms_records', { type: 'datatable_entry' }), 3)
    for (const disk of ['contents', 'records']) {
      const size = Number(valueOf(samples, 'cms_disk_size_bytes', { disk }))
      const free = Number(valueOf(samples, 'cms_disk_free_bytes', { disk }))
      assert.ok(free > 0 && free < size, `${disk}: ${free} of ${size}`)
    }
    assert.ok(Number(valueOf(samples, 'cms_records_file_bytes')) > 0)
    assert.equal(valueOf(samples, 'cms_tasks_waiting'), 0)
    assert.equal(valueOf(samples, 'cms_tasks_running'), 0)
    assert.ok(Number(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')) >= 0)
  },
)

test('contents and their bytes are counted after a start, shared contents once', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const file = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: '12345' }
  const { body } = await first.call('POST', '/api/v2/asset_file', { json: file })
  const path = `/api/v2/asset_file/${body.asset_file_id}`
  await first.call('POST', path, { json: { title: 'shares its bytes' } })
  await first.call('POST', path, { json: { pageContent: '1234567' } })
  await first.stop()

  const second = await startTestServer({ dataDir })
  try {
    const deadline = performance.now() + 10_000
    let samples = await readMetrics(second.call)
    while (Number.isNaN(valueOf(samples, 'cms_contents')) && performance.now() < deadline)
      samples = await readMetrics(second.call)
    assert.equal(valueOf(samples, 'cms_contents'), 2)
    assert.equal(valueOf(samples, 'cms_contents_bytes'), 12)
    assert.equal(valueOf(samples, 'cms_versions_damaged'), 0)
    assert.equal(valueOf(samples, 'cms_trash_bytes'), 0)
    assert.equal(valueOf(samples, 'cms_records', { type: 'asset_file_version' }), 3)
  } finally {
    await second.stop()
  }
})

test(
  'a key with only admin reads the metrics but no content, and a key of a folder cannot read them',
  oneNode('soon'),
  async () => {
    const { body } = await create('asset_category', { name: 'monitoring' })
    const inFolder = await server.makeKey({ grants: 'admin', category: body.asset_category_id })
    assert.equal((await server.call('GET', '/metrics', { key: inFolder })).status, 403)

    const key = await server.makeKey({ grants: 'admin' })
    const status = async (path: string) => (await server.call('GET', path, { key })).status
    assert.equal(await status('/metrics'), 200)
    assert.equal(await status('/api/v2/backup'), 403)
    assert.equal(await status('/api/v2/asset_file'), 403)
    assert.equal(await status('/api/v2/asset_category/13'), 403)
    await create('user', { name: 'mia', role: 'editor' })
    const { body: users } = await server.call('GET', '/api/v2/user?fields=name', { key })
    assert.deepEqual(users.user, [{ name: 'admin' }])
    const made = await server.call('POST', '/api/v2/user', {
      key,
      json: { name: 'x', role: 'viewer' },
    })
    assert.equal(made.status, 422)
  },
)

test('processor time counts from the start of the process and increases', async () => {
  const before = process.cpuUsage()
  const first = await readMetrics(server.call)
  const timeOf = (kind: string) => valueOf(first, `process_cpu_${kind}seconds_total`) ?? 0
  assert.ok(timeOf('user_') >= before.user / 1e6, `${timeOf('user_')} s`)
  assert.ok(timeOf('system_') >= before.system / 1e6, `${timeOf('system_')} s`)
  assert.ok(Math.abs(timeOf('') - timeOf('user_') - timeOf('system_')) < 1e-6)

  const next = valueOf(await readMetrics(server.call), 'process_cpu_seconds_total') ?? 0
  assert.ok(next > timeOf('') && next <= cpuSeconds(), `${next} after ${timeOf('')}`)
})

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
