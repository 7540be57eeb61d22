// Bounds of unfinished resumable uploads: number, bytes and time.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, makeFolder, newName } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { readMetrics, valueOf } from '../../helpers/metrics.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer, type TestOptions, type TestServer } from '../../helpers/server.ts'
import { resumableIn } from '../../helpers/stored.ts'
import { append, begin, look, UPLOADS } from '../../helpers/tus.ts'

const MIB = 1024 * 1024

async function start(t: TestContext, options: TestOptions): Promise<TestServer> {
  const server = await startTestServer({ config: { maxUploadBytes: MIB }, ...options })
  t.after(() => server.close())
  return server
}

const named = () => ({ asset_category_id: 1, filename: newName('bin') })

test('the number and bytes of the unfinished uploads of a user are limited', async (t) => {
  const server = await start(t, {
    limits: { resumableUploadsPerUser: 2, resumableSizesPerUser: 1 },
  })
  const first = await begin(server, named(), MIB - 1)
  assert.equal(first.status, 201, first.text)
  assertProblem(await begin(server, named(), 2), 'too-many-requests')
  assert.equal((await begin(server, named(), 1)).status, 201)
  assertProblem(await begin(server, named(), 0), 'too-many-requests')

  await server.call('DELETE', String(first.headers.location), {
    headers: { 'tus-resumable': '1.0.0' },
  })
  const next = await begin(server, named(), 3)
  assert.equal(next.status, 201)
  // A complete upload does not count.
  await append(server, String(next.headers.location), 0, Buffer.from('abc'))
  assert.equal((await begin(server, named(), 1)).status, 201)
})

test('the unfinished uploads of all users together are limited', async (t) => {
  const server = await start(t, { limits: { resumableUploads: 1 } })
  assert.equal((await begin(server, named(), 1)).status, 201)
  assertProblem(await begin(server, named(), 1), 'unavailable')
})

test('metadata of more bytes than allowed is refused', async (t) => {
  const server = await start(t, {})
  const title = 'x'.repeat(LIMITS.uploadMetadataBytes)
  assertProblem(await begin(server, { ...named(), title }, 1), 'bad-request')
})

test('an upload without progress expires, and the next round removes its bytes', async (t) => {
  const dataDir = newDataDirectory()
  t.after(removeDataDirectories)
  let now = new Date('2026-01-01T00:00:00Z')
  let uptimeMs = 0
  const pass = (ms: number): void => {
    now = new Date(now.getTime() + ms)
    uptimeMs += ms
  }
  const clocks = { now: () => now, uptimeMs: () => uptimeMs }
  let server = await startTestServer({ dataDir, ...clocks })
  const shown = async (): Promise<readonly unknown[]> => {
    const samples = await readMetrics(server.call)
    return ['unfinished', 'unfinished_bytes', 'expired_total'].map((name) =>
      valueOf(samples, `cms_resumable_uploads_${name}`),
    )
  }
  const path = String((await begin(server, named(), 10)).headers.location)
  pass(20 * 3_600_000)
  const key = await server.makeKey({})
  const answer = await append(server, path, 0, Buffer.from('abc'), { key })
  assert.equal(answer.headers['upload-expires'], 'Fri, 02 Jan 2026 20:00:00 GMT')
  pass(24 * 3_600_000)
  assert.equal((await look(server, path, { key })).status, 200)
  pass(1)
  assert.equal((await look(server, path, { key })).status, 404)
  assertProblem(await append(server, path, 3, Buffer.from('d'), { key }), 'not-found')
  assert.deepEqual(await resumableIn(dataDir), [path.slice(UPLOADS.length + 1)])
  assert.deepEqual(await shown(), [1, 3, 0])

  await server.stop()
  server = await startTestServer({ dataDir, ...clocks })
  await eventually(async () => (await resumableIn(dataDir)).length === 0)
  assert.deepEqual(await shown(), [0, 0, 1])
  await server.stop()
})

test('an upload ends with its key, its user or its folder', async (t) => {
  const dataDir = newDataDirectory()
  t.after(removeDataDirectories)
  const server = await startTestServer({ dataDir })
  const stored = async (): Promise<number> => (await resumableIn(dataDir)).length
  const { asset_category_id } = await makeFolder(server)
  await server.call('POST', '/api/v2/user', { json: { name: 'ada', role: 'editor' } })
  const ofKey = { key: await server.makeKey({ name: 'short' }) }
  const ofUser = { key: await server.makeKey({ user: 'ada' }) }
  for (const [values, call] of [
    [named(), ofKey],
    [named(), ofUser],
    [{ ...named(), asset_category_id }, {}],
    [named(), {}],
  ] as const) {
    const { headers } = await begin(server, values, 10, call)
    await append(server, String(headers.location), 0, Buffer.from('abc'), call)
  }
  assert.equal(await stored(), 4)
  await server.command({ command: 'key.revoke', key: 'short' })
  await server.command({ command: 'user.disable', name: 'ada' })
  await server.call('DELETE', `/api/v2/asset_category/${asset_category_id}`)
  await server.stop()
  const again = await startTestServer({ dataDir })
  await eventually(async () => (await stored()) === 1)
  await again.stop()
})
