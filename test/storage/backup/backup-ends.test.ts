// Preconditions that a backup and a restore check, the files they make durable, and the resources
// they release at the end.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs, {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { backupEmbedded, type BackupReport } from '../../../lib/storage/backup/backup.ts'
import { answerHold, holdContents } from '../../../lib/storage/backup/hold-contents.ts'
import { restoreEmbedded } from '../../../lib/storage/backup/restore.ts'
import { dataPathsOf, SHARDS } from '../../../lib/storage/embedded/data-paths.ts'
import { holdLease } from '../../../lib/storage/embedded/lease.ts'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { askOwner } from '../../../lib/storage/embedded/lock.ts'
import { openHolds } from '../../../lib/storage/embedded/backup-holds.ts'
import { findInline } from '../../../lib/storage/records/inline-contents.ts'
import { markKey } from '../../../lib/storage/records/format.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import {
  contentsIn,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { copySite, makeSite, openSite, type Site, tamper } from '../../helpers/site.ts'

const LIMIT = { timeout: 30_000 }
const { signal } = new AbortController()
const onProgress = (): void => undefined

let site: Site
let pool: Pool
before(async () => {
  site = await makeSite()
  pool = openPool(1)
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

function backup(dataDir: string, target: string): Promise<BackupReport> {
  return backupEmbedded({ dataDir, target, pool, signal, onProgress })
}

function restore(from: string, dataDir: string) {
  return restoreEmbedded({ backup: from, dataDir, pool, signal, onProgress })
}

test('a backup into an unusable place or of something other than a site is refused and leaves nothing', async () => {
  const dataDir = copySite(site.dataDir)
  const parent = dirname(dataDir)
  const broken = copySite(site.dataDir)
  writeFileSync(dataPathsOf(broken).dataFile, Buffer.alloc(9_000))
  mkdirSync(join(parent, 'there'))
  writeFileSync(join(parent, 'there', 'file'), 'x')
  const before = fingerprint(parent)
  for (const [from, target, fault] of [
    [dataDir, join(parent, 'there'), { code: 'in-use' }],
    [dataDir, join(parent, 'no', 'target'), { code: 'not-found' }],
    [dataDir, join(dataDir, 'target'), { code: 'bad-request' }],
    [dataDir, join(dataDir, '00', 'target'), { code: 'bad-request' }],
    [broken, join(parent, 'target'), /is not an LMDB file/],
    [join(parent, 'none'), join(parent, 'target'), /does not exist/],
  ] as const)
    await assert.rejects(backup(from, target), fault, target)
  assert.deepEqual(fingerprint(parent), before)
  // A directory whose name merely begins with the name of the data directory is allowed.
  await backup(dataDir, `${dataDir}-beside`)
})

/** Runs the function and returns the directories and files that this thread synced, in order. */
async function syncedBy(run: () => Promise<unknown>): Promise<readonly string[]> {
  const { fsyncSync } = fs
  const synced: string[] = []
  fs.fsyncSync = (fd) => {
    synced.push(readlinkSync(`/proc/self/fd/${fd}`))
    fsyncSync(fd)
  }
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    fs.fsyncSync = fsyncSync
    syncBuiltinESMExports()
  }
  return synced
}

test('a backup and a restore sync each directory before they report success', async () => {
  const dataDir = copySite(site.dataDir)
  const target = join(dirname(dataDir), 'synced')
  const saved = await syncedBy(() => backup(dataDir, target))
  // Files are synced under the temporary name of the backup; the parent of the target is synced
  // last.
  const [partial = ''] = saved.flatMap((path) => /^.*\/\.cms-backup-[^/]+/.exec(path) ?? [])
  for (const name of [...SHARDS, 'records', 'records/data.mdb'])
    assert.ok(saved.includes(join(partial, name)), name)
  assert.equal(saved.at(-1), dirname(target))

  const restored = newDataDirectory()
  const made = await syncedBy(() => restore(target, restored))
  for (const name of [...SHARDS, 'records']) assert.ok(made.includes(join(restored, name)), name)
  assert.equal(made.at(-1), restored)
})

/** The files in a directory that this process has open or mapped. */
function usedOf(directory: string): readonly string[] {
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })
  const mapped = fs.readFileSync('/proc/self/maps', 'utf8').split('\n')
  return [...open, ...mapped].filter((line) => line.includes(directory))
}

test('a backup and a restore close all files and release the directory', async () => {
  const dataDir = copySite(site.dataDir)
  const parent = dirname(dataDir)
  const target = join(parent, 'whole')
  await backup(dataDir, target)
  const restored = newDataDirectory()
  // A clone of a project contains these files.
  mkdirSync(dataPathsOf(restored).tmp, { recursive: true })
  for (const name of ['README.md', '.gitignore']) writeFileSync(join(restored, name), 'x')
  // A backup may be a copy whose files have additional names.
  linkSync(dataPathsOf(target).dataFile, join(parent, 'second-name'))
  await restore(target, restored)
  assert.deepEqual([...usedOf(parent), ...usedOf(dirname(restored))], [])
  assert.deepEqual(
    [dataDir, restored].map((directory) => existsSync(join(directory, 'lock'))),
    [false, false],
  )
  const nameOf = (directory: string): unknown =>
    JSON.parse(fs.readFileSync(dataPathsOf(directory).instance, 'utf8'))
  assert.deepEqual(nameOf(restored), nameOf(dataDir))
  assert.deepEqual(
    contentsIn(restored).map((path) => path.slice(restored.length)),
    contentsIn(dataDir).map((path) => path.slice(dataDir.length)),
  )
})

test('a backup counts losses that are known and reports losses that are not', async () => {
  const dataDir = copySite(site.dataDir)
  const [gone = '', wrong = '', ...rest] = contentsIn(dataDir)
  rmSync(gone)
  writeFileSync(wrong, 'others')
  const { manifest, known, linked } = await backup(dataDir, join(dirname(dataDir), 'faulty'))
  assert.deepEqual([known, linked, manifest.contents.count], [0, 0, rest.length])
  assert.deepEqual(
    manifest.faults.map((fault) => fault.replace(/^asset_file \d version \d: /, '')).toSorted(),
    ['the bytes are missing.', 'the bytes are wrong.'],
  )
})

test(
  'a socket that does not respond is reported and does not count as missing',
  LIMIT,
  async () => {
    const dataDir = copySite(site.dataDir)
    symlinkSync('lock', join(dataDir, 'lock'))
    await assert.rejects(holdContents(dataPathsOf(dataDir)), { code: 'ELOOP' })
  },
)

test('a client that asked for a hold and disconnected blocks no other command', LIMIT, async () => {
  const holds = openHolds()
  const handler = answerHold(holds, async (command) => ({ other: command }))
  const told: unknown[] = []
  const leaving = new AbortController()
  const tell = (value: unknown): void => void told.push(value)
  const hold = { command: 'contents.hold' }
  const gone = AbortSignal.abort()
  assert.equal(await handler(hold, { gone, tell }), 'released')
  assert.equal(holds.held(), undefined)

  const held = handler(hold, { gone: leaving.signal, tell })
  assert.ok(holds.held() !== undefined)
  await assert.rejects(handler(hold, { gone, tell }), { code: 'unavailable' })
  assert.deepEqual(await handler({ command: 'x' }, { gone, tell }), { other: { command: 'x' } })
  assert.deepEqual(await handler(null, { gone, tell }), { other: null })
  leaving.abort()
  assert.equal(await held, 'released')
  assert.deepEqual([told, holds.held()], [['held', 'held'], undefined])
})

test('a command that waits for the last hold does not wait for others', LIMIT, async () => {
  const holds = openHolds()
  const first = holds.take()
  const free = holds.held()
  const second = holds.take()
  first()
  first()
  assert.ok(holds.held() !== undefined)
  second()
  assert.equal(holds.held(), undefined)
  await free
  const third = holds.take()
  assert.ok(holds.held() !== undefined)
  third()
})

test('a command that cannot acquire the directory leaves no lock', async () => {
  const dataDir = copySite(site.dataDir)
  const paths = dataPathsOf(dataDir)
  const kv = openLmdb({ path: paths.records, onFailure: () => undefined })
  try {
    // A lease without a socket belongs to an owner whose socket cannot be seen.
    const end = await holdLease(kv, 'another')
    await assert.rejects(holdContents(paths), /Another cms-server \(process \d+\) owns/)
    assert.equal(existsSync(join(dataDir, 'lock')), false)
    await end()
    await (await holdContents(paths)).release()
    assert.equal(existsSync(join(dataDir, 'lock')), false)
  } finally {
    await kv.close()
  }
})

test('commands are refused at once while a backup is restored', LIMIT, async () => {
  const dataDir = copySite(site.dataDir)
  const target = join(dirname(dataDir), 'commanded')
  await backup(dataDir, target)
  const restored = newDataDirectory()
  let answer: Promise<unknown> | undefined
  const ask = (): void => {
    answer ??= askOwner(restored, { command: 'x' }).catch((error: unknown) => error)
  }
  const options = { backup: target, dataDir: restored, pool, signal, onProgress: ask }
  await restoreEmbedded(options)
  assert.match(String(await answer), /A backup is being restored into this directory/)
})

test('a backup of a running site belongs to no server', async () => {
  const dataDir = copySite(site.dataDir)
  const storage = await openSite(dataDir, pool)
  const target = join(dirname(dataDir), 'served')
  try {
    storage.serveCommands(async () => undefined)
    await backup(dataDir, target)
  } finally {
    await storage.close()
  }
  await tamper(target, async (kv) => assert.equal(kv.get(markKey('lease')), undefined))
})

test('a backup contains small contents that are still stored in the records', async () => {
  const dataDir = copySite(site.dataDir)
  const [fileId = 0] = site.fileIds
  const name = { fileId, uid: 'f'.repeat(32) }
  const bytes = Buffer.from('<p>a.html 1</p>')
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const version = unit.get(assetFileVersion, fileId, 1)?.value
      assert.ok(version !== undefined)
      unit.put(assetFileVersion, [fileId, 3], { ...version, version: 3, uid: name.uid })
      unit.putInline(name, bytes)
    }),
  )
  const target = join(dirname(dataDir), 'carrying')
  const { manifest } = await backup(dataDir, target)
  assert.deepEqual([manifest.faults, manifest.contents.count], [[], contentsIn(dataDir).length])
  await tamper(target, async (kv) => assert.deepEqual(findInline(kv, name), bytes))
})

test('records that crash their reader are reported and crash no other process', async () => {
  const dataDir = copySite(site.dataDir)
  const { dataFile } = dataPathsOf(dataDir)
  const bytes = fs.readFileSync(dataFile)
  // The first two pages hold the header and stay intact.
  writeFileSync(dataFile, bytes.fill(0, 8_192))
  await assert.rejects(holdContents(dataPathsOf(dataDir)), /the process that read them crashed/)
  assert.equal(existsSync(join(dataDir, 'lock')), false)
})

const isRoot = process.getuid?.() === 0
test('root leaves no files of its own in the directory of another user', {
  skip: !isRoot,
}, async () => {
  const dataDir = copySite(site.dataDir)
  rmSync(join(dataPathsOf(dataDir).records, 'lock.mdb'), { force: true })
  execFileSync('chown', ['-R', '65534:65534', dataDir])
  await backup(dataDir, join(dirname(dataDir), 'of-root'))
  const paths = [dataDir, ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  const others = paths.filter((path) => fs.lstatSync(resolve(dataDir, path)).uid !== 65_534)
  assert.deepEqual(others, [])
})
