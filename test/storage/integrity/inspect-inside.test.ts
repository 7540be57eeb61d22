// The inspection of the records before they are opened: which files are accepted, and the findings
// of one or two child processes.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type DataPaths, dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { RefusedError } from '../../../lib/storage/embedded/refusal.ts'
import {
  inspectInChildren,
  requireOpens,
  requireWhole,
  inspectInChild,
} from '../../../lib/storage/integrity/inspect-records.ts'
import { isMendedByStart } from '../../../lib/storage/integrity/recovery.ts'
import { IDENTITY_KEY } from '../../../lib/storage/records/format.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { copySite, makeSite, type Site, tamper } from '../../helpers/site.ts'

let site: Site
before(async () => {
  site = await makeSite()
})
after(removeDataDirectories)

function fileOf(sizeBytes: number, magicAt: number): DataPaths {
  const paths = dataPathsOf(newDataDirectory())
  mkdirSync(paths.records, { recursive: true })
  const bytes = Buffer.alloc(sizeBytes)
  bytes.writeUInt32LE(0xbeefc0de, magicAt)
  writeFileSync(paths.dataFile, bytes)
  return paths
}

test('records need a file of two pages with the magic number of LMDB', () => {
  for (const [size, at, isWhole] of [
    [8_192, 16, true],
    [8_192, 24, true],
    [8_192, 17, false],
    [8_192, 0, false],
    [8_191, 16, false],
  ] as const) {
    const paths = fileOf(size, at)
    if (isWhole) requireWhole(paths)
    else assert.throws(() => requireWhole(paths), RefusedError, `${size} bytes, at ${at}`)
  }
})

test('missing file permissions are reported before LMDB opens the files', () => {
  const paths = fileOf(8_192, 16)
  const openFiles = (): number => readdirSync('/proc/self/fd').length
  const before = openFiles()
  requireOpens(paths)
  assert.equal(openFiles(), before)
  assert.deepEqual(readdirSync(paths.records).toSorted(), ['data.mdb', 'lock.mdb'])
  assert.equal(statSync(join(paths.records, 'lock.mdb')).mode & 0o777, 0o600)

  rmSync(join(paths.records, 'lock.mdb'))
  mkdirSync(join(paths.records, 'lock.mdb'))
  assert.throws(() => requireOpens(paths), { code: 'EISDIR' })
  assert.equal(openFiles(), before)
})

for (const [what, sizeBytes] of [
  ['one child', 0],
  ['two children', 17 * 1024 * 1024],
] as const) {
  test(`faults are found by ${what}`, async () => {
    const dataDir = copySite(site.dataDir)
    const paths = dataPathsOf(dataDir)
    const [gone = ''] = contentsIn(dataDir)
    const stray = join(dataDir, '00', 'stray')
    rmSync(gone)
    writeFileSync(stray, '')
    const { size } = statSync(paths.dataFile)
    truncateSync(paths.dataFile, Math.max(size, sizeBytes))

    const { faults, orphans, cut } = await inspectInChildren(paths)
    assert.deepEqual([faults, orphans], [[], [stray]])
    const [version] = cut
    assert.deepEqual([cut.length, gone.endsWith(`.${version?.uid}`)], [1, true])

    await tamper(dataDir, (kv) => kv.commit((writer) => writer.remove(IDENTITY_KEY)))
    truncateSync(paths.dataFile, Math.max(size, sizeBytes))
    await assert.rejects(inspectInChildren(paths), /The records hold no site identity/)
  })
}

test('a start repairs derived data and leaves references to a repair', () => {
  const mend = { action: 'remove-row', key: 'x' } as const
  for (const [kind, isMended] of [
    ['index', true],
    ['counter', true],
    ['reference', false],
    ['record', false],
  ] as const) {
    assert.equal(isMendedByStart({ kind, detail: '', mend }), isMended)
    assert.equal(isMendedByStart({ kind, detail: '' }), false)
  }
})

/** Simulates a process that never exits, as happens in Node at times (nodejs/node#54918). */
const HANGS =
  "if(process.argv[1]?.includes('inspect-records'))process.exit=()=>setInterval(()=>{},9999)"

test('a child that reported its findings and does not exit is killed', {
  timeout: 30_000,
}, async () => {
  const { NODE_OPTIONS: before = '' } = process.env
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(HANGS)}`
  try {
    const walked = await inspectInChild(dataPathsOf(copySite(site.dataDir)), 'all')
    assert.deepEqual(walked?.faults, [])
  } finally {
    process.env['NODE_OPTIONS'] = before
  }
})
