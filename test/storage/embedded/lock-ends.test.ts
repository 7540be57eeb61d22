// A released lock leaves no descriptor and no warning in its process, and does not keep the process
// alive.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { acquireLock, askOwner, openLockPath } from '../../../lib/storage/embedded/lock.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'

after(removeDataDirectories)

function newDirectory(...names: readonly string[]): string {
  const dataDir = join(newDataDirectory(), ...names)
  mkdirSync(dataDir, { recursive: true })
  return dataDir
}

/** Fails a test whose wait would otherwise never end. */
const LIMIT = { timeout: 10_000 }

const openFiles = (): number => readdirSync('/proc/self/fd').length

test('a directory path longer than a socket address gets a short address, which is released', async () => {
  const dataDir = newDirectory('d'.repeat(120))
  const before = openFiles()
  const address = openLockPath(dataDir)
  assert.ok(Buffer.byteLength(address.path) < 100)
  assert.equal(openFiles(), before + 1)
  address.close()
  assert.equal(openFiles(), before)

  const lock = await acquireLock(dataDir)
  lock.serve(async (command) => command)
  assert.deepEqual(await askOwner(dataDir, { a: 1 }), { value: { a: 1 } })
  await assert.rejects(acquireLock(dataDir), /Another cms-server owns/)
  await lock.release()
})

test('a process that only owns a directory exits', () => {
  const lock = pathToFileURL(join(import.meta.dirname, '../../../lib/storage/embedded/lock.js'))
  const code = `const { acquireLock } = await import('${lock.href}')
await acquireLock(process.argv[1])
console.log('owned')`
  const args = ['--input-type=module', '--eval', code, newDirectory()]
  const { stdout, signal } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 20_000,
  })
  assert.deepEqual([stdout, signal], ['owned\n', null])
})

test('a start that waits for another owner leaks no files', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  try {
    const dataDir = newDirectory()
    writeFileSync(join(dataDir, 'lock'), '')
    // The takeover file is of a start that died four seconds ago; another start may remove it in
    // one more second.
    const takeover = join(dataDir, 'lock.takeover')
    writeFileSync(takeover, '')
    const before = Date.now() / 1_000 - 4
    utimesSync(takeover, before, before)
    await (await acquireLock(dataDir)).release()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(warnings, [])
  } finally {
    process.off('warning', note)
  }
})

test('a stop does not wait for clients that sent nothing or half a command', LIMIT, async () => {
  const dataDir = newDirectory()
  const lock = await acquireLock(dataDir)
  lock.serve(async (command) => command)
  const sockets = ['', '{"half":'].map((text) => {
    const socket = createConnection(join(dataDir, 'lock'))
    socket.write(text)
    return { socket, closed: once(socket, 'close') }
  })
  // This answer proves that the earlier connections were accepted.
  assert.deepEqual(await askOwner(dataDir, { b: 2 }), { value: { b: 2 } })
  await lock.release()
  await Promise.all(sockets.map(({ closed }) => closed))
  assert.equal(await askOwner(dataDir, { b: 2 }), undefined)
})
