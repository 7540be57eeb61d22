// Resumable uploads on a server that is killed, and on a disk that is full.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories, sha256 } from '../../helpers/data-directory.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import { type Answering, send } from '../../helpers/server.ts'
import { fillDisk, mountDisk, unmountDisks, whyNoDisks } from '../../helpers/small-disk.ts'
import { append, begin, BYTES, look, UPLOADS } from '../../helpers/tus.ts'

const MIB = 1024 * 1024
const NO_DISKS = whyNoDisks()
after(removeDataDirectories)

interface Killable extends Answering {
  readonly dataDir: string
  /** Kills the server, and starts another one on its data. */
  killAndStart(whileDown?: () => void): Promise<void>
  url(): string
  readonly key: string
}

async function startKillable(t: TestContext): Promise<Killable> {
  const dataDir = newDataDirectory()
  let child: ChildServer = await startChild(dataDir, ['--processes', '1'])
  t.after(() => child.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  return {
    dataDir,
    key,
    url: () => child.url,
    call: (method, path, call = {}) => send(child.url, method, path, { key, ...call }),
    async killAndStart(whileDown = () => undefined) {
      await child.kill('SIGKILL')
      whileDown()
      child = await startChild(dataDir, ['--processes', '1'])
    },
  }
}

const named = { asset_category_id: 1, filename: 'a.bin' }

async function finish(server: Answering, path: string, bytes: Buffer): Promise<void> {
  const { headers } = await look(server, path)
  const offset = Number(headers['upload-offset'])
  const last = await append(server, path, offset, bytes.subarray(offset))
  assert.equal(last.status, 204, last.text)
  const id = last.headers['upload-asset-file-id']
  const { body } = await server.call('GET', `/api/v2/asset_file/${id}`)
  assert.deepEqual([body.size, body.sha256, body.version], [bytes.length, sha256(bytes), 1])
}

test('an upload continues after kills between and during its requests', async (t) => {
  const server = await startKillable(t)
  const bytes = randomBytes(5 * MIB)
  const path = String((await begin(server, named, bytes.length)).headers.location)
  for (const offset of [0, MIB]) {
    const answer = await append(server, path, offset, bytes.subarray(offset, offset + MIB))
    assert.equal(answer.status, 204, answer.text)
    await server.killAndStart()
    assert.equal((await look(server, path)).headers['upload-offset'], String(offset + MIB))
  }

  const socket = await openSocket(server.url())
  const lines = Object.entries({
    ...BYTES,
    host: 'a',
    authorization: `Bearer ${server.key}`,
    'upload-offset': 2 * MIB,
    'content-length': 3 * MIB,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(bytes.subarray(2 * MIB, -1))
  const file = join(server.dataDir, '.uploads', path.slice(UPLOADS.length + 1))
  await eventually(() => statSync(file).size > 2 * MIB)
  socket.on('error', () => undefined)
  await server.killAndStart()
  assert.equal((await look(server, path)).headers['upload-offset'], String(2 * MIB))
  await finish(server, path, bytes)
  const { code, stdout } = await runCli(['check', '--data', server.dataDir])
  assert.equal(code, 0, stdout)
})

test('a server that exits between the rename of the bytes and the commit loses no upload', async (t) => {
  const server = await startKillable(t)
  const bytes = randomBytes(200_000)
  const path = String((await begin(server, named, bytes.length)).headers.location)
  await append(server, path, 0, bytes.subarray(0, 150_000))
  const uid = path.slice(UPLOADS.length + 1)
  await server.killAndStart(() => {
    const shard = join(server.dataDir, uid.slice(0, 2))
    renameSync(join(server.dataDir, '.uploads', uid), join(shard, `9.${uid}`))
  })
  assert.deepEqual(readdirSync(join(server.dataDir, '.uploads')), [uid])
  assert.deepEqual(readdirSync(join(server.dataDir, '.quarantine')), [])
  await finish(server, path, bytes)
})

test('after a restore without its bytes, an upload does not exist', async (t) => {
  const server = await startKillable(t)
  const path = String((await begin(server, named, 10)).headers.location)
  await append(server, path, 0, Buffer.from('abc'))
  await server.killAndStart(() => {
    const uploads = join(server.dataDir, '.uploads')
    renameSync(uploads, join(newDataDirectory(), '..', `lost-${process.pid}`))
    mkdirSync(uploads)
  })
  const { code, stdout } = await runCli(['check', '--data', server.dataDir])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /bytes missing of 1 unfinished upload, which must begin again/)
  assertProblem(await append(server, path, 3, Buffer.from('d')), 'not-found')
  assert.equal((await look(server, path)).status, 404)
})

test('on a full disk an upload stops at 507, and continues once there is room', {
  skip: NO_DISKS,
}, async (t) => {
  const dataDir = newDataDirectory()
  mountDisk(dataDir, { mb: 64 })
  t.after(unmountDisks)
  const child = await startChild(dataDir, [
    '--processes',
    '1',
    '--min-free-mb',
    '0',
    '--min-free-percent',
    '0',
  ])
  t.after(() => child.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  const server: Answering = {
    call: (method, path, call = {}) => send(child.url, method, path, { key, ...call }),
  }
  const bytes = randomBytes(12 * MIB)
  const path = String((await begin(server, named, bytes.length)).headers.location)
  const first = await append(server, path, 0, bytes.subarray(0, MIB))
  assert.equal(first.status, 204, first.text)
  const empty = fillDisk(dataDir, 4 * MIB)
  const refused = await append(server, path, MIB, bytes.subarray(MIB))
  assertProblem(refused, 'disk-full')
  assert.equal((await look(server, path)).headers['upload-offset'], String(MIB))
  empty()
  await finish(server, path, bytes)
})
