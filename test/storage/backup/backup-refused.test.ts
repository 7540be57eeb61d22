// Refused backups: the operator gets a clear message, and nothing is left on disk.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { type Ended, runCli } from '../../helpers/child-server.ts'
import { fingerprint, removeDataDirectories } from '../../helpers/data-directory.ts'
import { copySite, makeSite, type Site } from '../../helpers/site.ts'

let site: Site
let other: Site
before(async () => {
  site = await makeSite()
  other = await makeSite()
})
after(removeDataDirectories)

/** A path next to the data directory. */
function beside(dataDir: string, name: string): string {
  return join(dirname(dataDir), name)
}

function backup(dataDir: string, target: string, args: readonly string[] = []): Promise<Ended> {
  return runCli(['backup', target, '--data', dataDir, ...args])
}

async function makeBackup(dataDir: string, name: string): Promise<string> {
  const target = beside(dataDir, name)
  const { code, stderr } = await backup(dataDir, target)
  assert.equal(code, 0, stderr)
  return target
}

describe('a backup is refused', () => {
  interface Refusal {
    readonly what: string
    readonly code: number
    readonly says: RegExp
    readonly target?: (dataDir: string) => string
    readonly args?: (dataDir: string) => readonly string[]
    readonly prepare?: (dataDir: string) => unknown
  }
  const place = (dataDir: string): string => beside(dataDir, 'target')

  const refusals: readonly Refusal[] = [
    {
      what: 'if its target exists',
      code: 1,
      says: /already exists\. Choose another name\./,
      prepare: (dataDir) => mkdirSync(place(dataDir)),
    },
    {
      what: 'if the parent directory is missing',
      code: 1,
      says: /The directory .* does not exist\. Create it first\./,
      target: (dataDir) => beside(dataDir, 'no/target'),
    },
    {
      what: 'in the data directory',
      code: 1,
      says: /cannot be inside the data directory/,
      target: (dataDir) => join(dataDir, 'target'),
    },
    {
      what: 'if --previous is not a backup',
      code: 65,
      says: /is not a backup: backup\.json is missing/,
      args: (dataDir) => ['--previous', dataDir],
    },
    {
      what: 'if --previous belongs to another site',
      code: 1,
      says: /is a backup of another site/,
      args: () => ['--previous', beside(other.dataDir, 'others')],
      prepare: () => makeBackup(other.dataDir, 'others'),
    },
    {
      what: 'if there are no records',
      code: 65,
      says: /The records \(records\/data\.mdb\) are missing or empty in/,
      prepare: (dataDir) => rmSync(dataPathsOf(dataDir).dataFile),
    },
    {
      what: 'if the records are damaged',
      code: 65,
      says: /is not an LMDB file/,
      prepare: (dataDir) => writeFileSync(dataPathsOf(dataDir).dataFile, Buffer.alloc(9_000)),
    },
    {
      what: 'if records and contents are of two sites',
      code: 65,
      says: /belong to different sites/,
      prepare: (dataDir) =>
        cpSync(dataPathsOf(other.dataDir).instance, dataPathsOf(dataDir).instance, { force: true }),
    },
  ]
  for (const { what, code, says, target = place, args, prepare } of refusals) {
    test(`${what}, and nothing is left`, async () => {
      const dataDir = copySite(site.dataDir)
      await prepare?.(dataDir)
      const names = readdirSync(dirname(dataDir))
      const ended = await backup(dataDir, target(dataDir), args?.(dataDir))

      assert.match(ended.stderr, says)
      assert.equal(ended.code, code)
      assert.deepEqual(readdirSync(dirname(dataDir)), names)
    })
  }

  test('S30: of a later format, as are its restore and its check', async () => {
    const dataDir = copySite(site.dataDir)
    const target = await makeBackup(dataDir, 'format')
    for (const directory of [dataDir, target])
      writeFileSync(dataPathsOf(directory).instance, '{"format":3}')
    const before = fingerprint(dirname(dataDir))

    const restored = beside(dataDir, 'restored')
    for (const args of [
      ['backup', place(dataDir), '--data', dataDir],
      ['restore', target, '--data', restored],
      ['check', '--data', target],
    ]) {
      const { code, stderr } = await runCli(args)
      assert.match(stderr, /has format 3; this cms-server reads format 2 and cannot convert it\./)
      assert.equal(code, 65)
    }
    assert.deepEqual(fingerprint(dirname(dataDir)), before)
  })
})
