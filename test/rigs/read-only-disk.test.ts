// A file system that the kernel makes read-only under a server (ext4 with errors=remount-ro): the
// server stays up, reads continue, and /ready gives the reason. A start on the file system is
// refused with instructions.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'
import { openMounts, whyNoMounts } from './mounts.ts'
import { FILE_OPERATIONS, makeOperationSite, OPERATIONS, TRASH_OPERATIONS } from './operations.ts'
import { readState } from './site-state.ts'

const ARGS = ['--min-free-mb', '0', '--scrub-days', '0']
const skip = whyNoMounts() ?? false
let prepared: { readonly dataDir: string; readonly key: string }
before(async () => {
  prepared = await makeOperationSite({ hasTrash: true })
})
after(removeDataDirectories)

test('S18: an idle server on a file system that turns read-only keeps running and reports why', {
  skip,
}, async (t) => {
  const mounts = openMounts()
  try {
    const path = join(mounts.tmpfs(80), 'image')
    const disk = mounts.ext4({ path, sizeMb: 64, options: 'errors=remount-ro' })
    const dataDir = join(disk, 'data')
    execFileSync('cp', ['-a', prepared.dataDir, dataDir])
    const server = await startChild(dataDir, ARGS)
    t.after(() => server.kill('SIGKILL'))
    const site = { url: server.url, key: prepared.key }
    const before = await readState(site)

    // ext4 does the same after an error of its disk.
    execFileSync('mount', ['-o', 'remount,abort', disk])
    const ready = () => send(site.url, 'GET', '/ready', {})
    assert.ok(await eventually(async () => (await ready()).body.reason === 'read-only'))
    assert.deepEqual(await readState(site), before)
    for (const { name, run } of [...OPERATIONS, ...TRASH_OPERATIONS, ...FILE_OPERATIONS]) {
      const { status, body } = await run(site)
      assert.deepEqual([name, status, body?.code], [name, 503, 'read-only'])
    }
    assert.equal((await send(site.url, 'GET', '/health', {})).status, 200)
    // After a failed commit LMDB may not let the process end; another process then kills it.
    const { code, signal, stderr } = await server.kill('SIGTERM')
    assert.ok(code === 0 || signal !== null, stderr)
    assert.match(stderr, /the disk failed to write; changes are rejected, reads still work/)

    const again = await runCli(['start', '--data', dataDir, '--port', '0'])
    assert.equal(again.code, 65)
    assert.match(again.stderr, /^cms-server: \/\S+ is on a read-only file system\. .*dmesg.*\n$/)
  } finally {
    mounts.close()
  }
})

test('S18: a backup of a stopped site is made from a read-only mount, even after a crash', {
  skip,
}, async () => {
  const mounts = openMounts()
  try {
    const disk = mounts.ext4({ path: join(mounts.tmpfs(80), 'image'), sizeMb: 64 })
    const dataDir = join(disk, 'data')
    execFileSync('cp', ['-a', prepared.dataDir, dataDir])
    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      await (await startChild(dataDir, ARGS)).kill(end)
      execFileSync('mount', ['-o', 'remount,ro', disk])
      const backup = newDataDirectory()
      const made = await runCli(['backup', backup, '--data', dataDir])
      assert.equal(made.code, 0, made.stderr)
      assert.equal((await runCli(['check', '--data', backup])).code, 0)
      execFileSync('mount', ['-o', 'remount,rw', disk])
    }
  } finally {
    mounts.close()
  }
})
