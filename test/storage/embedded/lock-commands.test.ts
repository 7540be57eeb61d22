// The socket of the owner within one process: which commands are answered, the answers, and the
// release of the lock. lock.test.ts tests whole servers.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CmsError } from '../../../lib/base/errors.ts'
import { acquireLock, askOwner, type Lock, refuseAll } from '../../../lib/storage/embedded/lock.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'

after(() => removeDataDirectories())

function newDirectory(): string {
  const dataDir = newDataDirectory()
  mkdirSync(dataDir)
  return dataDir
}

async function withLock(use: (lock: Lock, dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = newDirectory()
  const lock = await acquireLock(dataDir)
  try {
    await use(lock, dataDir)
  } finally {
    await lock.release()
  }
}

test('early commands are answered in order once the owner is ready', () =>
  withLock(async (lock, dataDir) => {
    const asked = [1, 2, 3].map((value) => askOwner(dataDir, { value }))
    // Once this client has connected, the three clients before it are connected too.
    const socket = createConnection(join(dataDir, 'lock'))
    await once(socket, 'connect')
    socket.destroy()
    await new Promise((resolve) => setImmediate(resolve))
    lock.serve(async (command) => command)
    assert.deepEqual(
      await Promise.all(asked),
      [1, 2, 3].map((value) => ({ value: { value } })),
    )
  }))

test('a command gets its result, its refusal, or a failure without details', () =>
  withLock(async (lock, dataDir) => {
    const outcomes: Readonly<Record<string, () => Promise<unknown>>> = {
      fine: async () => 1,
      nothing: async () => undefined,
      refused: async () => Promise.reject(new CmsError('not-found', 'There is none.')),
      broken: async () => Promise.reject(new Error('/secret/path')),
    }
    lock.serve(async (command) => outcomes[String(command)]?.())
    const ask = (command: string) => askOwner(dataDir, command as unknown as object)
    assert.deepEqual(await ask('fine'), { value: 1 })
    assert.deepEqual(await ask('nothing'), { value: null })
    await assert.rejects(ask('refused'), { code: 'not-found', message: 'There is none.' })
    await assert.rejects(ask('broken'), {
      code: 'internal',
      message: 'The command failed. See the log of the server for the reason.',
    })
    lock.serve(refuseAll('Wait.'))
    await assert.rejects(ask('fine'), { code: 'unavailable', message: 'Wait.' })
  }))

test('a command has 64 KiB at most', () =>
  withLock(async (lock, dataDir) => {
    lock.serve(async (command) => (command as { text: string }).text.length)
    const most = 64 * 1024 - JSON.stringify({ text: '' }).length
    assert.deepEqual(await askOwner(dataDir, { text: 'x'.repeat(most) }), { value: most })
    await assert.rejects(askOwner(dataDir, { text: 'x'.repeat(most + 1) }), { code: 'internal' })
  }))

test('a command is notified if its client disconnects or the owner stops', async () => {
  const dataDir = newDirectory()
  const lock = await acquireLock(dataDir)
  const gone: AbortSignal[] = []
  let begun = (): void => undefined
  lock.serve(async (_, asker) => {
    gone.push(asker.gone)
    asker.tell('begun')
    begun()
    if (!asker.gone.aborted) await once(asker.gone, 'abort')
    return 'ended'
  })
  const beginning = (): Promise<void> =>
    new Promise((resolve) => {
      begun = resolve
    })

  let isBegun = beginning()
  const socket = createConnection(join(dataDir, 'lock'))
  socket.write('{}\n')
  await isBegun
  socket.destroy()
  const [first] = gone
  if (first?.aborted === false) await once(first, 'abort')

  isBegun = beginning()
  const other = createConnection(join(dataDir, 'lock'))
  let text = ''
  other.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  other.write('{}\n')
  await isBegun
  const closed = once(other, 'close')
  await lock.release()
  await closed
  assert.deepEqual(text, '{"ok":true,"value":"begun"}\n{"ok":true,"value":"ended"}\n')
  assert.equal(await askOwner(dataDir, {}), undefined)
})

test('a directory has one owner and is taken over from a dead owner, however its start ended', async () => {
  const dataDir = newDirectory()
  const takeover = join(dataDir, 'lock.takeover')
  const lock = await acquireLock(dataDir)
  await assert.rejects(acquireLock(dataDir), /Another cms-server owns/)
  await lock.release()
  assert.equal(existsSync(join(dataDir, 'lock')), false)

  // The leftovers are a socket, and a takeover file of a start that died ten seconds ago.
  writeFileSync(join(dataDir, 'lock'), '')
  writeFileSync(takeover, '')
  const before = Date.now() / 1_000 - 10
  utimesSync(takeover, before, before)
  const next = await acquireLock(dataDir)
  assert.equal(existsSync(takeover), false)
  await next.release()
})
