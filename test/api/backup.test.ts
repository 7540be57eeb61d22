// GET /api/v2/backup: a tar file that the system's tar unpacks to a backup.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { assertProblem, makeFile, uploadFile } from '../helpers/content.ts'
import { contentsIn, newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { oneServer } from '../helpers/engine.ts'
import { eventually } from '../helpers/raw.ts'
import { buildForm, send, startTestServer, type TestServer } from '../helpers/server.ts'

const BACKUP = oneServer('backup')
const PATH = '/api/v2/backup'
/** Larger than all buffers between the child process and a client that does not read. */
const LARGE_BYTES = 24 * 1024 * 1024

let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory(), config: { trashDays: 0 } })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

/** Unpacks the archive and returns the directory. */
function unpack(bytes: Uint8Array): string {
  const directory = mkdtempSync(join(dirname(server.dataDir), 'unpacked-'))
  const file = join(directory, 'backup.tar')
  writeFileSync(file, bytes)
  execFileSync('tar', ['-xf', file, '-C', directory])
  const [name = ''] = readdirSync(directory).filter((item) => item.startsWith('cms-backup-'))
  return join(directory, name)
}

function scratchOf(dataDir: string): readonly string[] {
  return readdirSync(dataPathsOf(dataDir).tmp)
}

/** Requests a backup and reads only the head of the response. */
function startReading(url: string, key: string): Promise<{ readonly abort: () => void }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const call = request(url + PATH, { headers, agent: false }, (response) => {
      assert.equal(response.statusCode, 200)
      response.on('error', () => undefined)
      resolve({ abort: () => response.destroy() })
    })
    call.on('error', reject).end()
  })
}

test('the archive contains a backup that check, restore and a server accept', BACKUP, async (t) => {
  const { asset_file_id: small } = await makeFile(server, { pageContent: '<p>small</p>' })
  const { asset_file_id: large } = await uploadFile(server, Buffer.alloc(3_000_001, 'large'))
  const answer = await server.call('GET', PATH)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/x-tar')
  assert.match(
    String(answer.headers['content-disposition']),
    /^attachment; filename="?cms-backup-[\d.T-]+Z\.tar"?$/,
  )
  assert.deepEqual(scratchOf(server.dataDir), [])

  const unpacked = unpack(answer.bytes)
  assert.match((await runCli(['check', '--data', unpacked])).stdout, /\nNo faults found\.\n$/)
  const sizes = contentsIn(unpacked).map((path) => statSync(path).size)
  const told = JSON.parse(readFileSync(dataPathsOf(unpacked).manifest, 'utf8'))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  assert.deepEqual(told.contents, { count: sizes.length, bytes: all })
  const dataDir = newDataDirectory()
  assert.equal((await runCli(['restore', unpacked, '--data', dataDir])).code, 0)
  const copy = await startTestServer({ dataDir })
  t.after(() => copy.stop())
  for (const [id, size] of [
    [small, 12],
    [large, 3_000_001],
  ]) {
    const path = `/api/v2/asset_file/${id}/versions/1/content`
    const { bytes } = await copy.call('GET', path)
    assert.equal(bytes.length, size)
    assert.ok(bytes.equals((await server.call('GET', path)).bytes))
  }
})

test(
  'damaged bytes are omitted and reported, and the rest is in the archive',
  BACKUP,
  async (t) => {
    const damaged = await startTestServer({ dataDir: newDataDirectory() })
    t.after(() => damaged.stop())
    for (const fill of ['a', 'b', 'c']) await uploadFile(damaged, Buffer.alloc(200_000, fill))
    const [wrong = '', missing = '', good = ''] = contentsIn(damaged.dataDir)
    writeFileSync(wrong, Buffer.alloc(200_000, 'x'))
    rmSync(missing)

    const unpacked = unpack((await damaged.call('GET', PATH)).bytes)
    assert.deepEqual(
      contentsIn(unpacked).map((path) => basename(path)),
      [basename(good)],
    )
    const { code, stdout } = await runCli(['restore', unpacked, '--data', newDataDirectory()])
    assert.equal(code, 1)
    assert.match(stdout, /\n2 faults\. Everything else is complete\.\n$/)
  },
)

test(
  'a failed backup gets 500 without details of the disk, and the next one succeeds',
  BACKUP,
  async () => {
    const { instance } = dataPathsOf(server.dataDir)
    const before = readFileSync(instance)
    writeFileSync(instance, '{"format":2,"uuid":"another"}')
    const answer = await server.call('GET', PATH)
    writeFileSync(instance, before)
    assert.match(assertProblem(answer, 'internal').detail, /could not be made/)
    assert.deepEqual(scratchOf(server.dataDir), [])
    assert.equal((await server.call('GET', PATH)).status, 200)
  },
)

test(
  'a backup whose process exits before the first byte gets 500, and the server continues',
  BACKUP,
  async () => {
    const dataDir = newDataDirectory()
    const ends = "process.argv[1]?.includes('archive-child')&&process.exit(3)"
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ends)}` }
    const child = await startChild(dataDir, [], { env })
    const key = await makeKey(dataDir)
    for (const attempt of ['first', 'second']) {
      const { status, body } = await send(child.url, 'GET', PATH, { key })
      assert.deepEqual([status, body.code], [500, 'internal'], attempt)
      assert.match(body.detail, /ended before it sent any data/)
    }
    assert.equal((await send(child.url, 'GET', '/ready', {})).status, 200)
    assert.equal((await child.kill('SIGTERM')).code, 0)
  },
)

test('a backup needs the grant admin on the whole site', async () => {
  const { body } = await server.call('POST', '/api/v2/asset_category', { json: { name: 'part' } })
  const scoped = await server.makeKey({ category: body.asset_category_id })
  const editor = await server.makeKey({ role: 'editor' })
  for (const key of [scoped, editor])
    assertProblem(await server.call('GET', PATH, { key }), 'grant-missing')
  assertProblem(await server.call('GET', `${PATH}?full=1`), 'bad-request')
  assert.deepEqual(scratchOf(server.dataDir), [])
})

test('only one backup runs at a time, and a client that disconnects frees it', BACKUP, async () => {
  await uploadFile(server, Buffer.alloc(LARGE_BYTES, 'large'))
  const { asset_file_id: id } = await uploadFile(server, Buffer.alloc(LARGE_BYTES, 'other'))
  const isThere = () =>
    contentsIn(server.dataDir).some((path) => basename(path).startsWith(`${id}.`))

  const reading = await startReading(server.url, server.key)
  const second = await server.call('GET', PATH)
  assertProblem(second, 'unavailable')
  assert.equal(second.headers['retry-after'], '60')
  assert.equal((await server.call('DELETE', `/api/v2/asset_file/${id}`)).status, 204)
  assert.ok(isThere())

  reading.abort()
  assert.ok(await eventually(() => scratchOf(server.dataDir).length === 0 && !isThere()))
  assert.equal((await server.call('GET', PATH)).status, 200)
})

test(
  'an interrupted backup is an incomplete response, and the next one is complete',
  BACKUP,
  async () => {
    await uploadFile(server, Buffer.alloc(LARGE_BYTES, 'third'))
    const headers = { authorization: `Bearer ${server.key}` }
    const outcome = new Promise<string>((resolve) => {
      const call = request(server.url + PATH, { headers, agent: false }, (response) => {
        killChildren()
        response.resume()
        response.on('end', () => resolve('whole'))
        response.on('error', () => resolve('broken'))
      })
      // A reset of the connection is an error of the request, too.
      call.on('error', () => undefined)
      call.end()
    })
    assert.equal(await outcome, 'broken')
    assert.deepEqual(scratchOf(server.dataDir), [])
    assert.equal((await server.call('GET', PATH)).status, 200)
  },
)

/** Kills the child processes that create archives for this server. */
function killChildren(): void {
  const rows = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]).toString()
  const pids = [...rows.matchAll(/^\s*(\d+) .*archive-child/gm)].map(([, pid]) => Number(pid))
  assert.equal(pids.length, 1)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

test(
  'a backup that is not possible gets a problem document without details of the machine',
  BACKUP,
  async (t) => {
    const broken = await startTestServer({ dataDir: newDataDirectory() })
    t.after(() => broken.stop())
    const { tmp } = dataPathsOf(broken.dataDir)
    rmSync(tmp, { recursive: true })
    writeFileSync(tmp, 'a file')
    assertProblem(await broken.call('GET', PATH), 'internal')
    rmSync(tmp)
    mkdirSync(tmp)
    assert.equal((await broken.call('GET', PATH)).status, 200)
  },
)

test(
  'S41: a server that is killed during a backup leaves no process, and the next start removes its files',
  BACKUP,
  async () => {
    const dataDir = newDataDirectory()
    const child = await startChild(dataDir, ['--log-level', 'error'])
    const key = await makeKey(dataDir)
    const { contentType, body } = buildForm([
      { name: 'asset_category_id', value: '1' },
      { name: 'Filedata', fileName: 'large.bin', bytes: Buffer.alloc(LARGE_BYTES, 'large') },
    ])
    const headers = { 'content-type': contentType }
    const upload = await send(child.url, 'POST', '/upload', { key, body, headers })
    assert.equal(upload.status, 201)
    const reading = await startReading(child.url, key)
    const [name = ''] = scratchOf(dataDir)
    assert.ok(isRunning(join(dataDir, '.tmp', name)))
    await child.kill('SIGKILL')
    reading.abort()
    assert.ok(await eventually(() => !isRunning(join(dataDir, '.tmp', name))))

    const again = await startChild(dataDir)
    assert.deepEqual(scratchOf(dataDir), [])
    assert.ok(!existsSync(join(dataDir, '.tmp', name)))
    assert.equal((await again.kill('SIGTERM')).code, 0)
  },
)

function isRunning(argument: string): boolean {
  return execFileSync('ps', ['-eo', 'args=']).toString().includes(argument)
}
