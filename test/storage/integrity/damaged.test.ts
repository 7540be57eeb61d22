// Data directories that must not be opened: the start exits with code 65 and changes nothing.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { exitCodeOf } from '../../../lib/cli/exit.ts'
import { assetFile } from '../../../lib/schema/asset-file.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { recordKey } from '../../../lib/storage/records/format.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { runCli } from '../../helpers/child-server.ts'
import {
  contentsIn,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { startTestServer } from '../../helpers/server.ts'
import { copyCrashed, makeSite, openSite, type Site, tamper } from '../../helpers/site.ts'

const pool = openPool(1)
let site: Site
let other: Site

before(async () => {
  site = await makeSite()
  other = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

/** Copies a site that was stopped cleanly. */
function copyClean(): string {
  const dataDir = newDataDirectory()
  cpSync(site.dataDir, dataDir, { recursive: true, preserveTimestamps: true })
  return dataDir
}

/** Marks the records as closed cleanly, so that nothing indicates that the bytes were modified. */
function markClean(dataDir: string): void {
  const { size, mtimeMs } = statSync(dataFile(dataDir))
  writeFileSync(dataPathsOf(dataDir).clean, JSON.stringify({ size, mtimeMs }))
}

function overwrite(path: string, start: number, bytes: Uint8Array): void {
  const whole = readFileSync(path)
  whole.set(bytes.subarray(0, whole.length - start), start)
  writeFileSync(path, whole)
}

interface Damage {
  readonly what: string
  readonly says: RegExp
  readonly damage: (dataDir: string) => unknown
}

const dataFile = (dataDir: string): string => dataPathsOf(dataDir).dataFile
const instance = (dataDir: string): string => dataPathsOf(dataDir).instance
const PAGE = 4_096

const DAMAGES: readonly Damage[] = [
  {
    what: 'data.mdb has 0 bytes',
    says: /missing or empty/,
    damage: (dir) => truncateSync(dataFile(dir), 0),
  },
  { what: 'data.mdb is missing', says: /missing or empty/, damage: (dir) => rmSync(dataFile(dir)) },
  {
    what: 'records/ is missing',
    says: /missing or empty/,
    damage: (dir) => rmSync(dataPathsOf(dir).records, { recursive: true }),
  },
  {
    what: 'records and instance.json are missing, and contents exist',
    says: /missing or empty/,
    damage: (dir) => {
      rmSync(dataPathsOf(dir).records, { recursive: true })
      rmSync(instance(dir))
    },
  },
  {
    what: 'only records/ exists, as if the volume of contents were not mounted',
    says: /instance\.json and the bytes of \d+ versions are missing/,
    damage: (dir) => {
      rmSync(instance(dir))
      for (const path of contentsIn(dir)) rmSync(path)
    },
  },
  {
    what: 'data.mdb is truncated in its header',
    says: /not an LMDB file/,
    damage: (dir) => truncateSync(dataFile(dir), 5_000),
  },
  {
    what: 'data.mdb is truncated after its header',
    says: /the process that read them crashed/,
    damage: (dir) => truncateSync(dataFile(dir), 2 * PAGE),
  },
  {
    what: 'the header of data.mdb is garbage',
    says: /not an LMDB file/,
    damage: (dir) => overwrite(dataFile(dir), 0, randomBytes(2 * PAGE)),
  },
  {
    what: 'the header of data.mdb is zeroed',
    says: /not an LMDB file/,
    damage: (dir) => overwrite(dataFile(dir), 0, Buffer.alloc(2 * PAGE)),
  },
  {
    what: 'the pages of data.mdb are zeroed',
    says: /the process that read them crashed/,
    damage: (dir) => overwrite(dataFile(dir), 2 * PAGE, Buffer.alloc(1 << 20)),
  },
  {
    what: 'the pages of data.mdb are random',
    says: /the process that read them crashed|hold no site identity/,
    damage: (dir) => overwrite(dataFile(dir), 2 * PAGE, randomBytes(1 << 20)),
  },
  {
    what: 'one byte of a record is changed',
    says: /asset_file\/\d+: A stored record is damaged/,
    damage: (dir) =>
      tamper(dir, (kv) =>
        kv.commit((writer) => {
          const key = recordKey(writer, assetFile.recordType, [site.fileIds[1] ?? 0])
          const value = writer.get(key) ?? Buffer.alloc(0)
          value.writeUInt8(value.readUInt8(40) ^ 1, 40)
          writer.put(key, value)
        }),
      ),
  },
  {
    what: 'the records are new, and instance.json is not',
    says: /hold no site identity/,
    damage: async (dir) => {
      rmSync(dataPathsOf(dir).records, { recursive: true })
      await tamper(dir, async () => undefined)
    },
  },
  {
    what: 'the records are those of another site',
    says: /belong to different sites/,
    damage: (dir) => cpSync(dataFile(other.dataDir), dataFile(dir)),
  },
  {
    what: 'instance.json is that of another site',
    says: /belong to different sites/,
    damage: (dir) => cpSync(instance(other.dataDir), instance(dir)),
  },
  {
    what: 'instance.json is of a later format',
    says: /format 3;/,
    damage: (dir) => writeFileSync(instance(dir), '{"format":3}'),
  },
  {
    what: 'instance.json is garbage',
    says: /instance\.json|format/,
    damage: (dir) => writeFileSync(instance(dir), '{"for'),
  },
  {
    what: 'a shard is a symbolic link',
    says: /must be a directory created by cms-server/,
    damage: (dir) => {
      rmSync(join(dir, 'a7'), { recursive: true })
      mkdirSync(join(dir, '..', 'elsewhere'))
      symlinkSync('../elsewhere', join(dir, 'a7'))
    },
  },
  {
    what: '.tmp is a symbolic link',
    says: /must be a directory created by cms-server/,
    damage: (dir) => {
      rmSync(dataPathsOf(dir).tmp, { recursive: true })
      symlinkSync('/tmp', dataPathsOf(dir).tmp)
    },
  },
  {
    what: 'a shard is a file',
    says: /must be a directory created by cms-server/,
    damage: (dir) => {
      const shard = join(dir, emptyShard(dir))
      rmSync(shard, { recursive: true })
      writeFileSync(shard, '')
    },
  },
  ...(['instance', 'clean', 'manifest'] as const).map((name) => ({
    what: `a directory is where ${name}.json belongs`,
    says: /must be a file created by cms-server/,
    damage: (dir: string) => {
      rmSync(dataPathsOf(dir)[name], { force: true })
      mkdirSync(dataPathsOf(dir)[name])
    },
  })),
]

describe('S24, S26, S27: a start refuses with 65 and changes nothing when', () => {
  for (const { what, says, damage } of DAMAGES) {
    test(what, async () => {
      const dataDir = copyCrashed(site)
      await damage(dataDir)
      const before = fingerprint(dataDir)

      await assert.rejects(openSite(dataDir, pool), (error: Error) => {
        assert.match(error.message, says)
        assert.equal(exitCodeOf(error), 65)
        return true
      })
      assert.deepEqual(fingerprint(dataDir), before)
    })
  }

  test('a site that was stopped cleanly has had its records exchanged', async () => {
    const dataDir = copyClean()
    for (const path of [dataFile, (dir: string) => dataPathsOf(dir).clean]) {
      cpSync(path(other.dataDir), path(dataDir), { preserveTimestamps: true })
    }
    const before = fingerprint(dataDir)

    await assert.rejects(openSite(dataDir, pool), /belong to different sites/)
    assert.deepEqual(fingerprint(dataDir), before)
  })

  test('the header of data.mdb was overwritten after a clean stop', async () => {
    const dataDir = copyClean()
    overwrite(dataFile(dataDir), 0, randomBytes(2 * PAGE))
    markClean(dataDir)
    const before = fingerprint(dataDir)

    await assert.rejects(openSite(dataDir, pool), /not an LMDB file/)
    assert.deepEqual(fingerprint(dataDir), before)
  })

  test('the directory is somebody else’s', async () => {
    const dataDir = newDataDirectory()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'letter.txt'), 'Dear')
    mkdirSync(join(dataDir, 'photos'))
    const before = fingerprint(dataDir)

    await assert.rejects(openSite(dataDir, pool), /holds other files/)
    assert.deepEqual(fingerprint(dataDir), before)
  })
})

test('S26: the process exits with 65 and the reason in one line', async () => {
  const dataDir = copyCrashed(site)
  truncateSync(dataFile(dataDir), 0)

  const { code, stdout, stderr } = await runCli([
    'start',
    '--data',
    dataDir,
    '--port',
    '0',
    '--log-level',
    'silent',
  ])
  assert.equal(code, 65)
  assert.equal(stdout, '')
  assert.match(stderr, /^cms-server: The records .* are missing or empty, .*\n$/)
})

test('records without any of their contents are refused by commands that would mark or copy them', async () => {
  const dataDir = copyCrashed(site)
  rmSync(instance(dataDir))
  for (const path of contentsIn(dataDir)) rmSync(path)
  const before = fingerprint(dataDir)
  for (const args of [
    ['check', '--repair'],
    ['backup', `${dataDir}-copy`],
    ['start', '--read-only', '--port', '0'],
  ]) {
    const { code, stderr } = await runCli([...args, '--data', dataDir])
    assert.equal(code, 65, `${args} ${stderr}`)
    assert.match(stderr, /holds the records of a site and none of its contents/)
  }
  assert.deepEqual(fingerprint(dataDir), before)
})

const HEALED: readonly (readonly [string, (dataDir: string) => unknown])[] = [
  [
    'lock.mdb is garbage',
    (dir) => writeFileSync(join(dataPathsOf(dir).records, 'lock.mdb'), randomBytes(8_192)),
  ],
  ['lock.mdb is deleted', (dir) => rmSync(join(dataPathsOf(dir).records, 'lock.mdb'))],
  ['lock.mdb is empty', (dir) => truncateSync(join(dataPathsOf(dir).records, 'lock.mdb'), 0)],
  ['instance.json is missing', (dir) => rmSync(instance(dir))],
  ['clean.json is garbage', (dir) => writeFileSync(dataPathsOf(dir).clean, 'clean')],
  ['an empty shard is missing', (dir) => rmSync(join(dir, emptyShard(dir)), { recursive: true })],
]

describe('S24, S28: a start succeeds if', () => {
  for (const [what, damage] of HEALED) {
    test(what, async () => {
      const dataDir = copyCrashed(site)
      damage(dataDir)

      const storage = await openSite(dataDir, pool)
      const isThere = storage.records.get(assetFile.recordType, site.fileIds[0] ?? 0) !== undefined
      await storage.close()

      assert.ok(isThere)
      assert.equal(
        readFileSync(instance(dataDir), 'utf8'),
        readFileSync(instance(site.dataDir), 'utf8'),
      )
    })
  }
})

function emptyShard(dataDir: string): string {
  const names = Object.keys(fingerprint(dataDir))
  return (
    names.find(
      (name) => /^[0-9a-f]{2}$/.test(name) && !names.some((path) => path.startsWith(`${name}/`)),
    ) ?? ''
  )
}

test('S24: a shard that is missing after a clean stop is created again, and its contents are reported', async (t) => {
  const dataDir = copyClean()
  const [lost = ''] = contentsIn(dataDir)
  const [id] = basename(lost).split('.')
  // Contents of one second are in one shard.
  const lostOfFile = readdirSync(dirname(lost)).filter((name) => name.startsWith(`${id}.`))
  rmSync(dirname(lost), { recursive: true })
  const server = await startTestServer({ dataDir })
  t.after(() => server.stop())

  assert.equal(statSync(dirname(lost)).mode & 0o777, 0o700)
  const { body } = await server.call('GET', `/api/v2/asset_file/${id}/versions`)
  const damaged = body.asset_file_version.filter((version: any) => version.damaged)
  assert.equal(damaged.length, lostOfFile.length)
})

test('S27: only a record that was damaged after a clean stop is refused', async (t) => {
  const dataDir = copyClean()
  const [, bad = 0] = site.fileIds
  const bytes = readFileSync(dataFile(dataDir))
  // Changes every copy of the record, including copies in older states of the database.
  const name = Buffer.from('"name":"b.html"')
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1))
    bytes[at + 9] = 0x62 ^ 1
  writeFileSync(dataFile(dataDir), bytes)
  markClean(dataDir)

  const server = await startTestServer({ dataDir })
  t.after(() => server.stop())
  const read = (id: number) => server.call('GET', `/api/v2/asset_file/${id}`)
  const { status, body } = await read(bad)
  assert.deepEqual([status, body.code], [500, 'record-damaged'])
  assert.ok(!JSON.stringify(body).includes('c.html'))
  for (const id of site.fileIds) assert.equal((await read(id)).status, id === bad ? 500 : 200)
})
