// The site that a directory belongs to, and whether its records were closed cleanly, judged by the
// files and the row alone.

import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  cleanMark,
  wasClosedCleanly,
  requireIdentity,
  requireIdentityFiles,
} from '../../../lib/storage/embedded/identity.ts'
import {
  type DataPaths,
  dataPathsOf,
  makeDirectories,
  writeSmallFile,
} from '../../../lib/storage/embedded/data-paths.ts'
import { FORMAT } from '../../../lib/storage/embedded/upgrade-steps.ts'
import { RefusedError } from '../../../lib/storage/embedded/refusal.ts'
import { IDENTITY_KEY, markKey } from '../../../lib/storage/records/format.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

after(() => removeDataDirectories())

function makePaths(): DataPaths {
  const dataPaths = dataPathsOf(newDataDirectory())
  mkdirSync(dataPaths.dataDir)
  makeDirectories(dataPaths)
  return dataPaths
}

const makeInstance = (dataPaths: DataPaths, uuid: string): void =>
  writeSmallFile(dataPaths, dataPaths.instance, { format: FORMAT, uuid })

test('the names of files and directories are part of the format and do not change', () => {
  const names = Object.values(dataPathsOf('/d')).map((path) => path.slice(3))
  assert.deepEqual(names.toSorted(), [
    '',
    '.forms',
    '.last-backup',
    '.moving',
    '.pictures',
    '.quarantine',
    '.restoring',
    '.tmp',
    '.uploads',
    'backup.json',
    'clean.json',
    'instance.json',
    'records',
    'records/data.mdb',
  ])
  assert.ok(IDENTITY_KEY.equals(markKey('instance')))
})

test('content or an identity without records is refused, and an empty directory is accepted', async () => {
  const cases: readonly (readonly [
    what: string,
    make: (paths: DataPaths) => void,
    isFine: boolean,
  ])[] = [
    ['nothing', () => undefined, true],
    ['empty records', ({ dataFile }) => writeFileSync(dataFile, ''), true],
    ['a name', (paths) => makeInstance(paths, 'a'), false],
    ['content', ({ dataDir }) => writeFileSync(join(dataDir, '0a', '1.x'), 'x'), false],
    [
      'content and empty records',
      ({ dataDir, dataFile }) => {
        writeFileSync(join(dataDir, 'ff', '1.x'), 'x')
        writeFileSync(dataFile, '')
      },
      false,
    ],
    [
      'content, a name and records',
      (paths) => {
        writeFileSync(join(paths.dataDir, 'ff', '1.x'), 'x')
        makeInstance(paths, 'a')
        writeFileSync(paths.dataFile, 'x')
      },
      true,
    ],
  ]
  for (const [what, make, isFine] of cases) {
    const dataPaths = makePaths()
    make(dataPaths)
    if (isFine) await requireIdentityFiles(dataPaths)
    else await assert.rejects(requireIdentityFiles(dataPaths), RefusedError, what)
  }
})

test('records and contents of different sites are refused', async () => {
  const kv = openMemoryKv()
  const dataPaths = makePaths()
  await assert.rejects(requireIdentity(dataPaths, kv), /hold no site identity/)
  await kv.commit((writer) => writer.put(IDENTITY_KEY, Buffer.from('a')))
  // An interrupted start may have written the row without the file.
  await requireIdentity(dataPaths, kv)
  makeInstance(dataPaths, 'a')
  await requireIdentity(dataPaths, kv)

  const other = makePaths()
  makeInstance(other, 'b')
  await assert.rejects(requireIdentity(other, kv), /belong to different sites/)
})

test('a stop was clean if the mark has the size and time of the records and all directories exist', async () => {
  const dataPaths = makePaths()
  const mark = (value: object): void => writeSmallFile(dataPaths, dataPaths.clean, value)
  assert.equal(await wasClosedCleanly(dataPaths), false)
  mark({ size: 3, mtimeMs: 5_000 })
  assert.equal(await wasClosedCleanly(dataPaths), false, 'no records')

  writeFileSync(dataPaths.dataFile, 'abc')
  utimesSync(dataPaths.dataFile, 5, 5)
  assert.deepEqual(cleanMark(dataPaths), { size: 3, mtimeMs: 5_000 })
  assert.equal(await wasClosedCleanly(dataPaths), true)

  utimesSync(dataPaths.dataFile, 6, 6)
  assert.equal(await wasClosedCleanly(dataPaths), false, 'another time')
  writeFileSync(dataPaths.dataFile, 'abcd')
  utimesSync(dataPaths.dataFile, 5, 5)
  assert.equal(await wasClosedCleanly(dataPaths), false, 'another size')
})
