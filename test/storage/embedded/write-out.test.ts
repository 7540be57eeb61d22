// Inline contents are written to files: in rounds, one round at a time, each
// content once.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import {
  contentPath,
  type DataPaths,
  dataPathsOf,
  makeDirectories,
  newUid,
} from '../../../lib/storage/embedded/data-paths.ts'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { buildWriteFiles } from '../../../lib/storage/embedded/file-contents.ts'
import { openWriteOut, type WriteOut } from '../../../lib/storage/embedded/content-flush.ts'
import type { ContentName } from '../../../lib/storage/port.ts'
import { findInline, putInline } from '../../../lib/storage/records/inline-contents.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'

let pool: Pool
before(() => {
  pool = openPool(2)
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

interface Writing {
  readonly kv: Kv
  readonly dataPaths: DataPaths
  readonly writeOut: WriteOut
  /** The number of files in each round. */
  readonly rounds: number[]
  readonly trouble: unknown[]
  /** Returns the highest number of concurrent rounds. */
  most(): number
}

async function writing(use: (writing: Writing) => Promise<void>): Promise<void> {
  const dataPaths = dataPathsOf(newDataDirectory())
  mkdirSync(dataPaths.dataDir)
  makeDirectories(dataPaths)
  const kv = openLmdb({ path: dataPaths.records, onFailure: () => undefined })
  const rounds: number[] = []
  const trouble: unknown[] = []
  let [running, most] = [0, 0]
  // Records the tasks and passes them on to the threads.
  const noting: Pool = {
    ...pool,
    run: (name, input, options) => {
      rounds.push((input as unknown as { files: readonly object[] }).files.length)
      running += 1
      most = Math.max(most, running)
      return pool.run(name, input, options).finally(() => {
        running -= 1
      })
    },
  }
  const onTrouble = (_: string, cause: unknown): void => void trouble.push(cause)
  const writeOut = openWriteOut({ kv, write: buildWriteFiles(dataPaths, noting), onTrouble })
  try {
    await use({ kv, dataPaths, writeOut, rounds, trouble, most: () => most })
  } finally {
    await writeOut.close()
    await kv.close()
  }
}

async function saveInline({ kv, writeOut }: Writing, bytes: Buffer): Promise<ContentName> {
  const name = { fileId: 1, uid: newUid() }
  await kv.commit((writer) => putInline(writer, name, bytes))
  writeOut.add(bytes.length)
  return name
}

test('one round runs at a time, however many commits happen meanwhile, and each content is written once', () =>
  writing(async (all) => {
    const { dataPaths, writeOut, kv, rounds } = all
    const names: ContentName[] = []
    for (let at = 0; at < 60; at += 1) names.push(await saveInline(all, Buffer.from(`bytes ${at}`)))
    assert.ok(await eventually(() => writeOut.waitingBytes() === 0))
    for (const [at, name] of names.entries()) {
      assert.equal(readFileSync(contentPath(dataPaths, name), 'utf8'), `bytes ${at}`)
      assert.equal(findInline(kv, name), undefined)
    }
    assert.equal(all.most(), 1)
    assert.equal(
      rounds.reduce((sum, count) => sum + count, 0),
      60,
    )
    assert.deepEqual(all.trouble, [])
  }))

test('removed contents are not written, even beside contents that are files already', () =>
  writing(async (all) => {
    const { dataPaths, writeOut, kv } = all
    const done = await saveInline(all, Buffer.alloc(10))
    assert.ok(await eventually(() => writeOut.waitingBytes() === 0))
    const waiting = await saveInline(all, Buffer.alloc(20))
    const left = await saveInline(all, Buffer.alloc(40))
    await writeOut.forget([done, waiting])
    assert.equal(findInline(kv, waiting), undefined)
    assert.ok(writeOut.waitingBytes() <= 40)
    await writeOut.close()
    assert.deepEqual(
      [contentPath(dataPaths, done), contentPath(dataPaths, left)].toSorted(),
      contentsIn(dataPaths.dataDir),
    )
  }))

test('contents left by a crash are written at once, and close writes all remaining contents', async () => {
  const dataPaths = dataPathsOf(newDataDirectory())
  mkdirSync(dataPaths.dataDir)
  makeDirectories(dataPaths)
  const kv = openLmdb({ path: dataPaths.records, onFailure: () => undefined })
  const name = { fileId: 2, uid: newUid() }
  await kv.commit((writer) => putInline(writer, name, Buffer.from('left')))
  const options = { kv, write: buildWriteFiles(dataPaths, pool), onTrouble: () => undefined }
  const writeOut = openWriteOut(options)
  assert.ok(await eventually(() => findInline(kv, name) === undefined))
  assert.equal(readFileSync(contentPath(dataPaths, name), 'utf8'), 'left')
  assert.equal(writeOut.isFull(), false)

  const next = { fileId: 3, uid: newUid() }
  await kv.commit((writer) => putInline(writer, next, Buffer.from('next')))
  await writeOut.close()
  assert.equal(findInline(kv, next), undefined)
  assert.equal(readFileSync(contentPath(dataPaths, next), 'utf8'), 'next')
  await kv.close()
})
