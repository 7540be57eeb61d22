// A backup and its restore in detail: the progress they count, what they remove first, and what
// they release.

import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { adoptBackup, sharesBytes } from '../../../lib/storage/backup/adopt.ts'
import { backupEmbedded, type BackupReport } from '../../../lib/storage/backup/backup.ts'
import { restoreEmbedded } from '../../../lib/storage/backup/restore.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import {
  contentsIn,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { copySite, makeSite, type Site } from '../../helpers/site.ts'

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

const signal = new AbortController().signal
type Progress = readonly [count: number, total: number, bytes: number]

interface Made extends BackupReport {
  readonly target: string
  readonly progress: readonly Progress[]
}

async function makeBackup(dataDir: string, name: string, previous?: string): Promise<Made> {
  const target = join(dirname(dataDir), name)
  const progress: Progress[] = []
  const onProgress = (...told: Progress): void => void progress.push(told)
  const report = await backupEmbedded({ dataDir, target, previous, pool, signal, onProgress })
  return { ...report, target, progress }
}

const sizesOf = (dataDir: string): readonly number[] =>
  contentsIn(dataDir).map((path) => statSync(path).size)
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)

test('each content is counted with its bytes, including shared ones', async () => {
  const dataDir = copySite(site.dataDir)
  const sizes = sizesOf(dataDir)
  const total = sizes.length
  const first = await makeBackup(dataDir, 'first')
  assert.deepEqual(
    first.progress.map(([count, all]) => [count, all]),
    sizes.map((_, at) => [at + 1, total]),
  )
  assert.equal(first.progress.at(-1)?.[2], sum(sizes))
  assert.deepEqual(first.manifest.contents, { count: total, bytes: sum(sizes) })
  assert.deepEqual([first.linked, first.known, first.manifest.faults], [0, 0, []])

  const second = await makeBackup(dataDir, 'second', first.target)
  assert.equal(second.linked, total)
  assert.deepEqual(
    [sharesBytes(dataPathsOf(first.target)), sharesBytes(dataPathsOf(dataDir))],
    [true, false],
  )
})

test('remains of an interrupted backup of the same site are removed, and no others', async () => {
  const dataDir = copySite(site.dataDir)
  const parent = dirname(dataDir)
  const { uuid } = JSON.parse(readFileSync(dataPathsOf(dataDir).instance, 'utf8')) as {
    uuid: string
  }
  const ours = join(parent, `.cms-backup-${uuid}-0a`)
  const others = ['.cms-backup-another-0a', `x.cms-backup-${uuid}-0a`].map((name) =>
    join(parent, name),
  )
  for (const path of [ours, ...others]) {
    mkdirSync(path)
    writeFileSync(join(path, 'file'), 'x')
  }
  const { target } = await makeBackup(dataDir, 'whole')
  assert.deepEqual(
    [existsSync(ours), ...others.map((path) => existsSync(path))],
    [false, true, true],
  )
  assert.deepEqual(readdirSync(dataPathsOf(target).records), ['data.mdb'])
  assert.equal(statSync(dataPathsOf(target).dataFile).mode & 0o777, 0o600)
})

test('the socket of a killed server does not prevent a backup', async () => {
  const dataDir = copySite(site.dataDir)
  const before = fingerprint(dataDir)
  // The socket is renamed so that closing the server does not remove it.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(dataDir, 'lock.gone'), resolve))
  renameSync(join(dataDir, 'lock.gone'), join(dataDir, 'lock'))
  await new Promise((resolve) => server.close(resolve))
  assert.ok(existsSync(join(dataDir, 'lock')))
  const { progress } = await makeBackup(dataDir, 'after')
  assert.equal(progress.length, contentsIn(dataDir).length)
  assert.deepEqual(fingerprint(dataDir), before)
})

test('an adopted backup shares no bytes and is no longer a backup, and other directories stay unchanged', async () => {
  const dataDir = copySite(site.dataDir)
  const { target: first } = await makeBackup(dataDir, 'older')
  const { target } = await makeBackup(dataDir, 'newer', first)
  const paths = dataPathsOf(target)
  const inode = (path: string): number => statSync(path).ino
  const shared = contentsIn(target).map(inode)
  await adoptBackup(paths)
  assert.deepEqual([sharesBytes(paths), existsSync(paths.manifest)], [false, false])
  assert.deepEqual(
    contentsIn(target)
      .map(inode)
      .filter((item) => shared.includes(item)),
    [],
  )
  assert.deepEqual(readdirSync(paths.tmp), [])
  const own = contentsIn(target).map(inode)
  await adoptBackup(paths)
  assert.deepEqual(contentsIn(target).map(inode), own)
})

test('a failed restore leaves nothing, and remains of an interrupted restore are removed', async () => {
  const { target: backup } = await makeBackup(copySite(site.dataDir), 'kept')
  const dataDir = newDataDirectory()
  const paths = dataPathsOf(dataDir)
  const restore = (stop: AbortSignal) =>
    restoreEmbedded({ backup, dataDir, pool, signal: stop, onProgress: () => undefined })

  mkdirSync(dataDir)
  await assert.rejects(restore(AbortSignal.abort(new Error('enough'))), /enough/)
  assert.deepEqual(readdirSync(dataDir), [])

  mkdirSync(join(dataDir, '0a'))
  writeFileSync(join(dataDir, '0a', 'half'), 'x')
  writeFileSync(paths.restoring, '{}')
  await restore(signal)
  assert.equal(existsSync(paths.restoring), false)
  assert.deepEqual(sizesOf(dataDir), sizesOf(backup))
  assert.equal(existsSync(join(dataDir, '0a', 'half')), false)
})
