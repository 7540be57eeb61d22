// The archive in detail: every entry of the tar, the resources released at its end, and the process
// that makes it.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { buildOpenArchive } from '../../../lib/storage/backup/archive.ts'
import { SHARDS, dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { openHolds } from '../../../lib/storage/embedded/backup-holds.ts'
import type { Archive } from '../../../lib/storage/site-archive.ts'
import { contentsIn, fingerprint, removeDataDirectories } from '../../helpers/data-directory.ts'
import { addContent, copySite, makeSite, type Site } from '../../helpers/site.ts'

let site: Site
before(async () => {
  site = await makeSite()
})
after(removeDataDirectories)

async function readAll(archive: Archive): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of archive.chunks()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Unpacks with the tar of the system and returns the names in order and the unpacked directory. */
function unpack(bytes: Buffer, parent: string) {
  const directory = mkdtempSync(join(parent, 'unpacked-'))
  const file = join(directory, 'backup.tar')
  writeFileSync(file, bytes)
  const names = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n')
  execFileSync('tar', ['-xpf', file, '-C', directory])
  const [root = ''] = names
  return { names, root, path: join(directory, root) }
}

test('the archive is a backup of one moment: every directory and file, readable only by its user', async () => {
  const dataDir = copySite(site.dataDir)
  // The content is larger than a single read.
  await addContent(dataDir, { fileId: site.fileIds[0] ?? 0, bytes: Buffer.alloc(1_300_001, 'ab') })
  const holds = openHolds()
  const archive = await buildOpenArchive(dataPathsOf(dataDir), holds)()
  assert.ok(holds.held() !== undefined)
  const { names, root, path } = unpack(await readAll(archive), dirname(dataDir))
  assert.equal(holds.held(), undefined)

  assert.equal(root, `cms-backup-${archive.moment.replaceAll(':', '-')}/`)
  const contents = contentsIn(dataDir).map((file) => relative(dataDir, file))
  const shards = SHARDS.map((shard) => `${shard}/`)
  const inner = names.map((name) => name.slice(root.length))
  const first = ['', 'records/', ...shards, 'instance.json', 'records/data.mdb']
  assert.deepEqual(inner.slice(0, first.length), first)
  // The order within a shard is arbitrary because random names may put two contents into one shard.
  assert.deepEqual(inner.slice(first.length, -1).toSorted(), contents.toSorted())
  assert.equal(inner.at(-1), 'backup.json')
  for (const name of names) {
    const stats = lstatSync(join(path, name.slice(root.length)))
    assert.equal(stats.mode & 0o777, stats.isDirectory() ? 0o700 : 0o600, name)
    // A tar stores whole seconds, and the time of a directory changes while its entries are
    // unpacked.
    const lateMs = stats.mtimeMs - Date.parse(archive.moment)
    assert.ok(stats.isDirectory() || Math.abs(lateMs) <= 1_000, name)
  }
  const hashesOf = (directory: string) =>
    Object.entries(fingerprint(directory)).filter(([name]) =>
      /^(instance|[0-9a-f]{2}\/)/.test(name),
    )
  assert.deepEqual(hashesOf(path), hashesOf(dataDir))
  assert.match(readFileSync(join(path, 'backup.json'), 'utf8'), /^\{"format":2,.*\}\n$/)
})

test('only one archive is open at a time, and a second close does not release the next archive', async () => {
  const dataDir = copySite(site.dataDir)
  const holds = openHolds()
  const open = buildOpenArchive(dataPathsOf(dataDir), holds)
  const first = await open()
  await assert.rejects(open(), { code: 'unavailable' })
  await first.close()
  assert.deepEqual(readdirSync(dataPathsOf(dataDir).tmp), [])

  const second = await open()
  await first.close()
  await assert.rejects(open(), { code: 'unavailable' })
  assert.ok(holds.held() !== undefined)
  await second.close()
  assert.equal(holds.held(), undefined)
  assert.ok((await readAll(await open())).length > 0)
})

test('an archive is refused while no process can be started and succeeds afterwards', async () => {
  const dataDir = copySite(site.dataDir)
  const holds = openHolds()
  const open = buildOpenArchive(dataPathsOf(dataDir), holds)
  const { execPath } = process
  process.execPath = join(dataDir, 'no-node')
  try {
    await assert.rejects(open(), { code: 'internal', message: /ended before it sent any data/ })
  } finally {
    process.execPath = execPath
  }
  assert.equal(holds.held(), undefined)
  assert.ok((await readAll(await open())).length > 0)
})

/** Simulates a process that never exits, as happens in Node at times (nodejs/node#54918). */
const HANGS =
  "if(process.argv[1]?.includes('archive-child'))process.exit=()=>setInterval(()=>{},9999)"

test('a process that sent everything and does not exit is killed', {
  timeout: 30_000,
}, async () => {
  const dataDir = copySite(site.dataDir)
  const { NODE_OPTIONS: before = '' } = process.env
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(HANGS)}`
  try {
    const archive = await buildOpenArchive(dataPathsOf(dataDir), openHolds())()
    const { names } = unpack(await readAll(archive), dirname(dataDir))
    assert.match(names.at(-1) ?? '', /\/backup\.json$/)
  } finally {
    process.env['NODE_OPTIONS'] = before
  }
})

/** Prints the priority of this process and of the process that makes the archive. */
const RANKS = `
import { execFileSync } from 'node:child_process'
import os from 'node:os'
const [archive, dataPaths, holds, dataDir, own] = process.argv.slice(1)
try {
  os.setPriority(Number(own))
} catch {
  // Only root comes before others again.
}
const { buildOpenArchive } = await import(archive)
const { dataPathsOf } = await import(dataPaths)
const { openHolds } = await import(holds)
const opened = await buildOpenArchive(dataPathsOf(dataDir), openHolds())()
const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]).toString()
const pid = Number(/^\\s*(\\d+) .*archive-child/m.exec(children)[1])
console.log(os.getPriority(), os.getPriority(pid))
await opened.close()
`

for (const own of [0, 15]) {
  test(`an archive has a lower priority than requests and never a higher one than its server: ${own}`, async () => {
    const dataDir = copySite(site.dataDir)
    // The content is larger than all buffers, so the process lives as long as nobody reads.
    await addContent(dataDir, { fileId: site.fileIds[0] ?? 0, bytes: Buffer.alloc(8_000_000) })
    const urls = ['backup/archive', 'embedded/data-paths', 'embedded/backup-holds'].map(
      (name) => pathToFileURL(join(import.meta.dirname, `../../../lib/storage/${name}.js`)).href,
    )
    const args = ['--input-type=module', '--eval', RANKS, ...urls, dataDir, String(own)]
    // The process runs as a user that may not raise priorities: "nobody" if root runs the tests.
    const uid = process.getuid?.() === 0 && own > 0 ? 65_534 : undefined
    if (uid !== undefined) execFileSync('chown', ['-R', String(uid), dirname(dataDir)])
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      ...(uid !== undefined && { uid }),
    })
    const [ranked = 0, child] = stdout.trim().split(' ').map(Number)
    assert.equal(child, Math.max(10, ranked), stderr)
  })
}

test('bytes that differ from their version are omitted, with the right size or not', async () => {
  const dataDir = copySite(site.dataDir)
  const [longer = '', other = '', gone = '', ...rest] = contentsIn(dataDir)
  writeFileSync(longer, 'more bytes than there are in a small page of this site')
  writeFileSync(other, readFileSync(other, 'utf8').toUpperCase())
  rmSync(gone)
  mkdirSync(join(dataDir, '.tmp'), { recursive: true })
  const archive = await buildOpenArchive(dataPathsOf(dataDir), openHolds())()
  const { path } = unpack(await readAll(archive), dirname(dataDir))
  assert.deepEqual(
    contentsIn(path).map((file) => relative(path, file)),
    rest.map((file) => relative(dataDir, file)),
  )
  const { contents, faults } = JSON.parse(readFileSync(join(path, 'backup.json'), 'utf8')) as {
    contents: { count: number; bytes: number }
    faults: string[]
  }
  const bytes = rest.reduce((sum, file) => sum + lstatSync(file).size, 0)
  assert.deepEqual(contents, { count: rest.length, bytes })
  assert.deepEqual(faults.map((fault) => fault.replace(/^.*bytes are /, '')).toSorted(), [
    'missing.',
    'wrong.',
    'wrong.',
  ])
})
