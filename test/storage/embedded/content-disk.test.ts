// When a disk counts as failed, and which changes are refused then. The pool simulates a disk that
// the test controls.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CmsError } from '../../../lib/base/errors.ts'
import { type ContentDisk, watchContentDisk } from '../../../lib/storage/embedded/content-disk.ts'
import type { Pool } from '../../../lib/workers/pool.ts'

interface Watched {
  readonly disk: ContentDisk
  /** The cause of each reported change to read-only. */
  readonly told: readonly unknown[]
  readonly ran: readonly string[]
  /** The error of the next tasks; undefined if they succeed. */
  fault: Error | undefined
}

function watchDisk(): Watched {
  const told: unknown[] = []
  const ran: string[] = []
  const pool: Pool = {
    run: async (name) => {
      ran.push(name)
      if (watched.fault !== undefined) throw watched.fault
      return undefined as never
    },
    status: () => ({ waiting: 0, running: 0 }),
    close: async () => undefined,
  }
  const disk = watchContentDisk(pool, (cause) => told.push(cause))
  const watched: Watched = { disk, told, ran, fault: undefined }
  return watched
}

const run = ({ disk }: Watched, name: 'writeContent' | 'sealUpload' | 'writeOut' | 'hashFile') =>
  disk.pool.run(name as 'writeContent', {} as never)

const failed = (cause: unknown): CmsError => new CmsError('internal', 'x', { cause })

test('a failed disk refuses all later changes and is reported once, with the first cause', async () => {
  for (const code of ['EIO', 'EROFS']) {
    const watched = watchDisk()
    const { disk } = watched
    disk.requireWritable()
    assert.equal(disk.isReadOnly(), false)

    watched.fault = failed(code)
    await assert.rejects(run(watched, 'writeContent'), { code: 'read-only' })
    assert.deepEqual([disk.isReadOnly(), disk.hasFailed()], [true, true])
    assert.throws(() => disk.requireWritable(), { code: 'read-only', cause: watched.fault })

    disk.note(new Error('later'))
    assert.deepEqual(watched.told, [watched.fault])
    assert.throws(() => disk.requireWritable(), { cause: watched.fault })
  }
})

test('acknowledged changes complete and reads continue on a failed disk', async () => {
  const watched = watchDisk()
  watched.disk.note(new Error('the disk of the records'))
  assert.equal(watched.told.length, 1)
  for (const name of ['writeOut', 'hashFile'] as const) await run(watched, name)
  for (const name of ['writeContent', 'sealUpload'] as const)
    await assert.rejects(async () => run(watched, name), { code: 'read-only' })
  assert.deepEqual(watched.ran, ['writeOut', 'hashFile'])
})

test('a full disk and other errors are passed on and do not stop later writes', async () => {
  const watched = watchDisk()
  for (const fault of [new CmsError('disk-full', 'x', { cause: 'ENOSPC' }), failed('EMFILE')]) {
    watched.fault = fault
    await assert.rejects(run(watched, 'writeContent'), fault)
    assert.throws(() => watched.disk.refuse(fault), fault)
    assert.equal(watched.disk.isReadOnly(), false)
    assert.equal(watched.disk.hasFailed(), fault.code === 'internal')
  }
  assert.deepEqual(watched.told, [])
})

test('a failed read keeps its own error', async () => {
  const watched = watchDisk()
  const fault = failed('EIO')
  watched.fault = fault
  await assert.rejects(run(watched, 'hashFile'), fault)
  assert.deepEqual([watched.disk.isReadOnly(), watched.told], [false, []])
})

test('a failed write of the server itself also marks the disk as failed', () => {
  const watched = watchDisk()
  const error = Object.assign(new Error('x'), { code: 'EIO' })
  assert.throws(() => watched.disk.refuse(error), { code: 'read-only', cause: error })
  assert.deepEqual(watched.told, [error])
})
