// cms-server check finds faults and, with repair, fixes the faults that can be fixed.

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { assetFile, assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { fileGroup } from '../../../lib/schema/file-group.ts'
import type { Id, RecordType } from '../../../lib/schema/values.ts'
import { putInline } from '../../../lib/storage/records/inline-contents.ts'
import { checkEmbedded, type CheckReport } from '../../../lib/storage/integrity/check.ts'
import { contentPath, dataPathsOf, newUid } from '../../../lib/storage/embedded/data-paths.ts'
import type { Kv, KvReader } from '../../../lib/storage/records/kv.ts'
import type { Records } from '../../../lib/storage/port.ts'
import {
  countKey,
  highestIdKey,
  requireIndexKeys,
  rowRange,
  recordKey,
} from '../../../lib/storage/records/format.ts'
import { encodeCounter } from '../../../lib/storage/records/record-bytes.ts'
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

const pool = openPool(2)
let site: Site
before(async () => {
  site = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

function check(dataDir: string, isRepair = false): Promise<CheckReport> {
  return checkEmbedded({ dataDir, pool, isRepair, onProgress: () => undefined })
}

const file = (): number => site.fileIds[0] ?? 0
const row = (kv: KvReader, type: RecordType, index: string, ...values: readonly Id[]): Buffer =>
  rowRange(kv, type, { index, values }).start
const change = (use: (kv: Kv, records: Records) => Promise<unknown>) => (dataDir: string) =>
  tamper(dataDir, use)

/** Writes a record with values that the server would never write. */
function alter(type: RecordType, id: () => number, values: object) {
  return change((_, records) =>
    records.commit((unit) => {
      const stored = unit.get(type, id())
      if (stored !== undefined) unit.put(type, [id()], { ...stored.value, ...values })
    }),
  )
}

async function pathOf(dataDir: string, version: number): Promise<string> {
  let path = ''
  await tamper(dataDir, async (_, records) => {
    const stored = records.get(assetFileVersion, file(), version)
    if (stored !== undefined)
      path = contentPath(dataPathsOf(dataDir), {
        fileId: file(),
        uid: stored.value.uid,
      })
  })
  return path
}

interface Fault {
  readonly what: string
  readonly kind: string
  readonly says: RegExp
  /** Whether a check after the repair is clean. Otherwise the fault is only contained. */
  readonly isMended: boolean
  readonly damage: (dataDir: string) => unknown
}

const FAULTS: readonly Fault[] = [
  {
    what: 'a flipped bit in the bytes of a version',
    kind: 'content',
    says: /version 2: the SHA-256 is wrong/,
    isMended: true,
    damage: async (dataDir) => {
      const path = await pathOf(dataDir, 2)
      const bytes = readFileSync(path)
      bytes.writeUInt8(bytes.readUInt8(3) ^ 4, 3)
      writeFileSync(path, bytes)
    },
  },
  {
    what: 'missing bytes',
    kind: 'content',
    says: /version 1: the bytes are missing/,
    isMended: true,
    damage: async (dataDir) => rmSync(await pathOf(dataDir, 1)),
  },
  {
    what: 'truncated bytes',
    kind: 'content',
    says: /version 1: 0 bytes instead of 15/,
    isMended: true,
    damage: async (dataDir) => writeFileSync(await pathOf(dataDir, 1), ''),
  },
  {
    what: 'bytes without a version',
    kind: 'orphan',
    says: /^00\/stray belongs to no version/,
    isMended: true,
    damage: (dataDir) => writeFileSync(join(dataDir, '00', 'stray'), ''),
  },
  {
    what: 'a superfluous index row',
    kind: 'index',
    says: /asset_file\/name\/nobody\/7 belongs to no record/,
    isMended: true,
    damage: change((kv) =>
      kv.commit((writer) =>
        writer.put(row(writer, assetFile.recordType, 'name', 'nobody', 7), Buffer.alloc(0)),
      ),
    ),
  },
  {
    what: 'all index rows of a record missing',
    kind: 'index',
    says: /is missing/,
    isMended: true,
    damage: change((kv, records) =>
      kv.commit((writer) => {
        const stored = records.get(assetFile.recordType, file())
        for (const key of requireIndexKeys(writer, assetFile.recordType, {
          ids: [file()],
          record: stored?.value ?? assert.fail(),
        }))
          writer.remove(key)
      }),
    ),
  },
  {
    what: 'an index row under another value',
    kind: 'index',
    says: /asset_category\/name\/Nachrichten\/\d+ belongs to no record/,
    isMended: true,
    damage: change((kv) =>
      kv.commit((writer) => {
        writer.remove(row(writer, assetCategory.recordType, 'name', 'News', site.folderId))
        writer.put(
          row(writer, assetCategory.recordType, 'name', 'Nachrichten', site.folderId),
          Buffer.alloc(0),
        )
      }),
    ),
  },
  {
    what: 'a wrong count',
    kind: 'counter',
    says: /asset_file: 3 records, counted 9/,
    isMended: true,
    damage: change((kv) =>
      kv.commit((writer) => writer.put(countKey(writer, assetFile.recordType), encodeCounter(9))),
    ),
  },
  {
    what: 'a highest identifier below one in use',
    kind: 'counter',
    says: /highest noted 1\./,
    isMended: true,
    damage: change((kv) =>
      kv.commit((writer) =>
        writer.put(highestIdKey(writer, assetFile.recordType), encodeCounter(1)),
      ),
    ),
  },
  {
    what: 'a version without its file',
    kind: 'reference',
    says: /belongs to a file that is gone/,
    isMended: true,
    damage: change((_, records) =>
      records.commit((unit) => unit.remove(assetFile.recordType, file())),
    ),
  },
  {
    what: 'a file in a missing folder',
    kind: 'reference',
    says: /lies in folder 777, which is gone/,
    isMended: true,
    damage: alter(assetFile.recordType, file, { parent_category_id: 777 }),
  },
  {
    what: 'a pointer to a missing version',
    kind: 'reference',
    says: /points to a version that is gone/,
    isMended: true,
    damage: alter(assetFile.recordType, file, { live_version: 7 }),
  },
  {
    what: 'a group with a missing file',
    kind: 'reference',
    says: /holds files that are gone/,
    isMended: true,
    damage: alter(fileGroup.recordType, () => site.groupId, { asset_file_ids: [777] }),
  },
  {
    what: 'a record with a wrong checksum',
    kind: 'record',
    says: /its bytes differ from those that were written/,
    isMended: false,
    damage: change((kv) =>
      kv.commit((writer) => {
        const key = recordKey(writer, fileGroup.recordType, [site.groupId])
        const value = writer.get(key) ?? Buffer.alloc(0)
        value.writeUInt8(value.readUInt8(30) ^ 1, 30)
        writer.put(key, value)
      }),
    ),
  },
]

describe('check', () => {
  test('of an intact directory finds and changes nothing', async () => {
    const dataDir = copyCrashed(site)
    const before = fingerprint(dataDir)
    const { versions, contents, bytes, faults } = await check(dataDir)

    assert.deepEqual(
      { versions, contents, bytes, faults },
      { versions: 6, contents: 6, bytes: 90, faults: [] },
    )
    assert.deepEqual(fingerprint(dataDir), before)
  })

  test('after a crash reports the remains of an interrupted save, which are not faults', async () => {
    const dataDir = copyCrashed(site)
    const name = { fileId: 99, uid: newUid() }
    writeFileSync(contentPath(dataPathsOf(dataDir), name), 'sealed, and never committed')
    const { faults, notes } = await check(dataDir)
    assert.deepEqual(faults, [])
    assert.match(notes.join(), /^1 content of interrupted saves; the next start moves/)

    const storage = await openSite(dataDir, pool)
    assert.equal(storage.recovered.quarantined, 1)
    await storage.close()
    assert.deepEqual((await check(dataDir)).notes, [])

    // After a clean stop no start looks for the orphan.
    writeFileSync(contentPath(dataPathsOf(dataDir), name), 'from where?')
    assert.equal((await check(dataDir)).faults[0]?.kind, 'orphan')
  })

  test('verifies bytes that are in the records and not yet in a file', async () => {
    const dataDir = copyCrashed(site)
    const path = await pathOf(dataDir, 1)
    const bytes = readFileSync(path)
    rmSync(path)
    const uid = basename(path).replace(/^\d+\./, '')
    const save = (inline: Buffer) =>
      tamper(dataDir, (kv) =>
        kv.commit((writer) => putInline(writer, { fileId: file(), uid }, inline)),
      )
    await save(bytes)
    assert.deepEqual((await check(dataDir)).faults, [])

    await save(Buffer.alloc(bytes.length))
    const { faults } = await check(dataDir)
    assert.deepEqual([faults.length, faults[0]?.kind], [1, 'content'])
  })

  for (const { what, kind, says, isMended, damage } of FAULTS) {
    test(`finds ${what}${isMended ? ', and a repair corrects it' : ''}`, async () => {
      const dataDir = copyCrashed(site)
      await damage(dataDir)
      const before = fingerprint(dataDir)

      const found = (await check(dataDir)).faults
      assert.ok(
        found.some((fault) => fault.kind === kind && says.test(fault.detail)),
        JSON.stringify(found),
      )
      assert.ok(found.every((fault) => !fault.isMended))
      assert.deepEqual(fingerprint(dataDir), before)

      await check(dataDir, true)
      const left = (await check(dataDir)).faults
      assert.equal(left.length === 0, isMended, JSON.stringify(left))
    })
  }

  test('with --repair marks versions with wrong bytes as damaged and quarantines stray files', async () => {
    const dataDir = copyCrashed(site)
    const path = await pathOf(dataDir, 1)
    writeFileSync(path, '<p>a.html X</p>')
    writeFileSync(join(dataDir, '00', 'stray'), '')
    const { faults } = await check(dataDir, true)
    assert.deepEqual(
      faults.map((fault) => [fault.kind, fault.isMended]),
      [
        ['content', true],
        ['orphan', true],
      ],
    )

    const server = await startTestServer({ dataDir })
    const download = await server.call('GET', `/file/${file()}/a.html`)
    const versions = await server.call('GET', `/api/v2/asset_file/${file()}/versions`)
    await server.stop()
    assert.deepEqual([download.status, download.body.code], [500, 'content-damaged'])
    assert.deepEqual(
      versions.body.asset_file_version.map((version: any) => version.damaged),
      [false, true],
    )
    assert.equal(Object.keys(fingerprint(dataPathsOf(dataDir).quarantine)).length, 1)
  })

  test('reports a marked loss without counting it as a fault, and removes the mark once the loss is corrected', async () => {
    const dataDir = copyCrashed(site)
    const path = await pathOf(dataDir, 1)
    const bytes = readFileSync(path)
    rmSync(path)
    const first = await check(dataDir)
    assert.deepEqual([first.faults.length, first.notes], [1, []])
    await check(dataDir, true)
    for (const isRepair of [false, true, false]) {
      const { faults, notes } = await check(dataDir, isRepair)
      assert.deepEqual(faults, [])
      assert.deepEqual(notes, ['1 version is marked damaged; its bytes are lost'])
    }

    writeFileSync(path, bytes)
    const name = `asset_file ${file()} version 1: the bytes are right again`
    const told = await check(dataDir)
    assert.deepEqual(told.notes, [`${name}; --repair removes the damage mark`])
    const { faults, notes } = await check(dataDir, true)
    assert.deepEqual([faults, notes], [[], [`${name}; the damage mark was removed`]])
    assert.deepEqual((await check(dataDir)).notes, [])
    const server = await startTestServer({ dataDir })
    assert.equal((await server.call('GET', `/file/${file()}/a.html`)).text, '<p>a.html 1</p>')
    await server.stop()
  })

  test('checks shared bytes once and names every version of damaged bytes', async () => {
    const server = await startTestServer({ dataDir: newDataDirectory() })
    const page = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: 'shared' }
    const { body } = await server.call('POST', '/api/v2/asset_file', { json: page })
    for (const title of ['b', 'c'])
      await server.call('POST', `/api/v2/asset_file/${body.asset_file_id}`, { json: { title } })
    await server.stop()

    const [path = ''] = contentsIn(server.dataDir)
    const good = await check(server.dataDir)
    writeFileSync(path, 'SHARED')
    const bad = await check(server.dataDir)
    assert.deepEqual([good.versions, good.contents, good.bytes, bad.faults.length], [3, 1, 6, 3])
  })
})

describe('the exit code of check is', () => {
  test('0 for an intact or repaired directory, 1 for faults, 65 without records', async () => {
    const dataDir = copyCrashed(site)
    const run = (...flags: readonly string[]) => runCli(['check', '--data', dataDir, ...flags])
    const good = await run()
    writeFileSync(join(dataDir, '00', 'stray'), '')
    const faulty = await run()
    const mended = await run('--repair')
    rmSync(await pathOf(dataDir, 1))
    const lost = [await run(), await run('--repair'), await run()]
    rmSync(dataPathsOf(dataDir).dataFile)
    const missing = await run()

    assert.deepEqual([good.code, faulty.code, mended.code, missing.code], [0, 1, 0, 65])
    assert.match(
      good.stdout,
      /^\d+ records, 6 versions, 6 contents of 90 bytes\nNo faults found\.\n$/,
    )
    assert.match(good.stderr, /^versions compared: 6 of 6, 90 bytes\n$/m)
    assert.match(faulty.stdout, /FAULT orphan: 00\/stray belongs to no version\.\n/)
    assert.match(mended.stdout, /fixed orphan: 00\/stray belongs to no version\.\n/)
    assert.match(missing.stderr, /^cms-server: The records \(records\/data\.mdb\) are missing/)
    assert.deepEqual(
      lost.map(({ code }) => code),
      [1, 0, 0],
    )
    assert.match(lost[0]?.stdout ?? '', /\n1 fault\. Repair .* or restore a backup\.\n$/)
    assert.match(
      lost[2]?.stdout ?? '',
      /\nknown: 1 version is marked damaged; its bytes are lost\.\nNo other faults found\.\n$/,
    )
  })
})
