// Disks that break under a server, and process limits: acknowledged writes are kept, and the server
// continues if it can.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openPool } from '../../lib/workers/pool.ts'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { type Answer, buildForm, send } from '../helpers/server.ts'
import { type Prepared, requireHealed } from './injection.ts'
import { openMounts, whyNoMounts } from './mounts.ts'
import { copySite } from '../helpers/site.ts'
import { makeOperationSite, OPERATIONS } from './operations.ts'
import { openShim, whyNoShim } from './shim.ts'
import { readState, type Site } from './site-state.ts'

const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']
const MIB = 1024 * 1024

const noMounts = whyNoMounts() ?? false
const noShim = whyNoShim() ?? false
const noLimits = spawnSync('prlimit', ['--version']).error === undefined ? false : 'needs prlimit'
const pool = openPool(1)
let prepared: Prepared
before(async () => {
  prepared = { ...(await makeOperationSite()), pool }
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

test('S12: a failed sync is not retried, because the disk may drop the data', {
  skip: noMounts,
}, async () => {
  const mounts = openMounts()
  try {
    // The image is larger than the memory that backs it, so writes succeed and only the sync fails.
    const memory = mounts.tmpfs(24)
    const image = join(memory, 'image')
    const disk = mounts.ext4({ path: image, sizeMb: 96 })
    const dataDir = join(disk, 'data')
    const server = await startChild(dataDir, ARGS)
    const site = { url: server.url, key: await makeKey(dataDir) }
    const acknowledged = await uploadUntilBroken(site, server)
    await server.kill('SIGKILL')
    mounts.unmount(disk)

    execFileSync('mount', ['-o', 'remount,size=128m', memory])
    mounts.mount(image, disk)
    const again = await startChild(dataDir, ARGS)
    for (const { id, bytes } of acknowledged) {
      const path = `/api/v2/asset_file/${id}/versions/1/content`
      const content = await send(again.url, 'GET', path, site)
      assert.ok(content.bytes.equals(bytes), `asset_file ${id}: ${content.status}`)
    }
    assert.ok(acknowledged.length > 0)
    await again.kill('SIGTERM')
    assert.equal((await runCli(['check', '--data', dataDir])).code, 0)
  } finally {
    mounts.close()
  }
})

interface Uploaded {
  readonly id: number
  readonly bytes: Buffer
}

/**
 * Uploads until the server ends or has refused five uploads, and returns the acknowledged uploads.
 */
async function uploadUntilBroken(site: Site, server: ChildServer): Promise<readonly Uploaded[]> {
  const acknowledged: Uploaded[] = []
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  for (let refused = 0; refused < 5 && !hasEnded && acknowledged.length < 100; ) {
    const bytes = randomBytes(MIB)
    const answer = await upload(site, bytes).catch(() => undefined)
    if (answer?.status === 201) acknowledged.push({ id: answer.body.asset_file_id, bytes })
    else refused += 1
  }
  assert.ok(acknowledged.length < 100, 'the disk never broke')
  return acknowledged
}

test('S18: on a disk that turns read-only each change is refused, and reads continue', {
  skip: noShim,
}, async () => {
  const dataDir = copySite(prepared.dataDir)
  const shim = openShim(dataDir)
  const server = await startChild(dataDir, ARGS, { env: shim.env })
  const site = { url: server.url, key: prepared.key }
  const before = await readState(site)
  shim.set({ mode: 'from', at: 1, error: 'EROFS' })
  for (const { name, run } of OPERATIONS) {
    const { status, body } = await run(site)
    assert.deepEqual([name, status, body?.code], [name, 503, 'read-only'])
  }
  assert.deepEqual(await readState(site), before)
  // After a failed commit LMDB may crash the process at its end; nothing is written then.
  const { code, signal, stderr } = await server.kill('SIGTERM')
  assert.ok(code === 0 || signal !== null, `${code} ${signal} ${stderr}`)
  shim.close()
  await requireHealed(prepared, dataDir, [before])
})

test('S18: a start on a read-only disk reports it and exits', {
  skip: noMounts,
}, async () => {
  const mounts = openMounts()
  try {
    const disk = mounts.ext4({ path: join(mounts.tmpfs(16), 'image'), sizeMb: 12 })
    const dataDir = join(disk, 'data')
    execFileSync('cp', ['-a', prepared.dataDir, dataDir])
    await (await startChild(dataDir, ARGS)).kill('SIGKILL')
    execFileSync('mount', ['-o', 'remount,ro', disk])
    await assert.rejects(
      startChild(dataDir, ARGS),
      /read-only file system/i,
      'to take the lock over',
    )
    execFileSync('mount', ['-o', 'remount,rw', disk])
    rmSync(join(dataDir, 'lock'))
    execFileSync('mount', ['-o', 'remount,ro', disk])
    await assert.rejects(startChild(dataDir, ARGS), /read-only file system/i, 'to make a lock')
  } finally {
    mounts.close()
  }
})

for (const error of ['EIO', 'EMFILE'] as const) {
  test(`S16, S18: a start that cannot open the records (${error}) reports it and exits`, {
    skip: noShim,
  }, async () => {
    const dataDir = copySite(prepared.dataDir)
    const shim = openShim(dataDir)
    shim.set({ mode: 'count' })
    const server = await startChild(dataDir, ARGS, { env: shim.env })
    const at = shim.calls().find(({ path }) => path.endsWith('/lock.mdb'))?.number ?? 0
    assert.equal((await server.kill('SIGTERM')).code, 0)

    shim.set({ mode: 'from', at, error })
    const failed = startChild(dataDir, ARGS, { env: shim.env })
    await assert.rejects(failed, new RegExp(`ended with 1: cms-server: ${error}: .*lock.mdb`))
    shim.close()
    const again = await startChild(dataDir, ARGS)
    assert.equal((await again.kill('SIGTERM')).code, 0)
  })
}

test('S16: a server without file descriptors refuses or closes connections, and recovers', {
  skip: noLimits,
}, async () => {
  const { dataDir, server, site } = await startCopy()
  const used = readdirSync(`/proc/${server.pid}/fd`).length
  setLimit(server, 'nofile', used + 2)
  const codes = new Set<string>()
  const calls = Array.from({ length: 8 }, (_, at) => upload(site, randomBytes(MIB), `${at}.bin`))
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === 'fulfilled') codes.add(result.value.body?.code ?? 'created')
    else codes.add('hung up')
  }
  const allowed = new Set(['created', 'unavailable', 'hung up'])
  assert.deepEqual(
    [...codes].filter((code) => !allowed.has(code)),
    [],
  )
  assert.ok(codes.has('unavailable') || codes.has('hung up'), [...codes].join())

  setLimit(server, 'nofile', 1_024)
  assert.equal((await upload(site, randomBytes(MIB), 'more.bin')).status, 201)
  const state = await readState(site)
  assert.equal((await server.kill('SIGTERM')).code, 0)
  await requireHealed(prepared, dataDir, [state])
})

test('S17: a file over the size limit gets 507, and the process continues', {
  skip: noLimits,
}, async () => {
  const { dataDir, server, site } = await startCopy()
  setLimit(server, 'fsize', 2 * MIB)
  const refused = await upload(site, randomBytes(3 * MIB))
  assert.deepEqual([refused.status, refused.body.code], [507, 'disk-full'])
  assert.deepEqual(readdirSync(join(dataDir, '.tmp')), [])
  assert.equal((await upload(site, randomBytes(MIB))).status, 201)
  assert.equal((await operation('publish').run(site)).status, 200)
  const state = await readState(site)
  assert.equal((await server.kill('SIGTERM')).code, 0)
  await requireHealed(prepared, dataDir, [state])
})

async function startCopy() {
  const dataDir = copySite(prepared.dataDir)
  const server = await startChild(dataDir, ARGS)
  const site = { url: server.url, key: prepared.key }
  // The first upload loads code on demand, which also needs descriptors.
  assert.equal((await upload(site, randomBytes(MIB), 'first.bin')).status, 201)
  return { dataDir, server, site }
}

function setLimit({ pid }: ChildServer, name: string, value: number): void {
  assert.ok(existsSync(`/proc/${pid}`))
  execFileSync('prlimit', ['--pid', String(pid), `--${name}=${value}:`])
}

function operation(name: string) {
  const found = OPERATIONS.find((item) => item.name === name)
  assert.ok(found !== undefined)
  return found
}

let names = 0

function upload({ url, key }: Site, bytes: Uint8Array, name?: string): Promise<Answer> {
  names += 1
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', fileName: name ?? `upload-${names}.bin`, bytes },
  ])
  return send(url, 'POST', '/upload', { key, body, headers: { 'content-type': contentType } })
}
