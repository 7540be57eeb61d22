// A check and its repair in detail: counts with many contents, the order of repairs, the report of
// a loss, and the records that a repair leaves.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { assetFile, assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { entryTypeName } from '../../../lib/schema/entry.ts'
import { fileGroup } from '../../../lib/schema/file-group.ts'
import { pendingWork } from '../../../lib/schema/pending-work.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { acquireLock } from '../../../lib/storage/embedded/lock.ts'
import { RefusedError } from '../../../lib/storage/embedded/refusal.ts'
import { openCensus } from '../../../lib/storage/integrity/census.ts'
import { checkEmbedded, type CheckReport } from '../../../lib/storage/integrity/check.ts'
import { eachContent } from '../../../lib/storage/integrity/verify-contents.ts'
import {
  countKey,
  indexRange,
  recordKey,
  requireIndexKeys,
  rowRange,
} from '../../../lib/storage/records/format.ts'
import { encodeCounter } from '../../../lib/storage/records/record-bytes.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import {
  contentsIn,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer } from '../../helpers/server.ts'
import {
  addContent,
  copyCrashed,
  copySite,
  makeSite,
  type Site,
  tamper,
} from '../../helpers/site.ts'

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

function check(dataDir: string, isRepair = false): Promise<CheckReport> {
  return checkEmbedded({ dataDir, pool, isRepair, onProgress: () => undefined })
}

test('versions that share their bytes count as one content, in any number of row chunks', async () => {
  const dataDir = copySite(site.dataDir)
  const [fileId = 0] = site.fileIds
  const sizes = contentsIn(dataDir).map((path) => statSync(path).size)
  const bytes = sizes.reduce((sum, size) => sum + size, 100)
  await addContent(dataDir, { fileId, bytes: Buffer.alloc(100) })
  await tamper(dataDir, async (kv, records) => {
    await records.commit((unit) => {
      const shared = unit.get(assetFileVersion, fileId, 3)?.value
      assert.ok(shared !== undefined)
      for (let version = 4; version <= 600; version += 1)
        unit.put(assetFileVersion, [fileId, version], { ...shared, version })
    })
    const groups = [...eachContent(kv)].flat()
    assert.equal(groups.length, sizes.length + 1)
    const census = openCensus(kv)
    assert.ok(await eventually(() => census.latest() !== undefined))
    assert.deepEqual(census.latest(), {
      contents: sizes.length + 1,
      bytes,
      damaged: 0,
      trashBytes: 0,
    })
    await census.close()
  })
  const report = await check(dataDir)
  assert.deepEqual(
    [report.versions, report.contents, report.bytes, report.faults],
    [sizes.length + 598, sizes.length + 1, bytes, []],
  )
})

test('one repair corrects both the rows and their record', async () => {
  const dataDir = copySite(site.dataDir)
  const [fileId = 0, second = 0] = site.fileIds
  await tamper(dataDir, async (kv, records) => {
    await records.commit((unit) => {
      const file = unit.get(assetFile.recordType, fileId)?.value
      const group = unit.get(fileGroup.recordType, site.groupId)?.value
      assert.ok(file !== undefined && group !== undefined)
      unit.put(assetFile.recordType, [fileId], { ...file, parent_category_id: 77 })
      unit.put(fileGroup.recordType, [site.groupId], { ...group, asset_file_ids: [second, 78] })
    })
    const file = records.get(assetFile.recordType, fileId)?.value
    assert.ok(file !== undefined)
    await kv.commit((writer) => {
      const found = { ids: [fileId], record: file }
      const rows = requireIndexKeys(writer, assetFile.recordType, found)
      for (const row of rows) writer.remove(row)
    })
  })
  const found = await check(dataDir)
  assert.ok(found.faults.length > 3)
  assert.deepEqual([...new Set(found.faults.map(({ isMended }) => isMended))], [false])

  const { faults } = await check(dataDir, true)
  assert.deepEqual([...new Set(faults.map(({ kind }) => kind))].toSorted(), ['index', 'reference'])
  assert.deepEqual([...new Set(faults.map(({ isMended }) => isMended))], [true])
  assert.deepEqual((await check(dataDir)).faults, [])
  await tamper(dataDir, async (_, records) => {
    const file = records.get(assetFile.recordType, fileId)?.value
    assert.deepEqual(file?.parent_category_id, 1)
    const group = records.get(fileGroup.recordType, site.groupId)?.value
    assert.deepEqual(group?.asset_file_ids, [second])
  })
})

test('a loss is reported in the singular, in the plural, or not at all', async () => {
  const dataDir = copySite(site.dataDir)
  const [first = '', second = ''] = contentsIn(dataDir)
  assert.deepEqual((await check(dataDir)).notes, [])
  rmSync(first)
  await check(dataDir, true)
  const one = '1 version is marked damaged; its bytes are lost'
  assert.deepEqual([(await check(dataDir)).notes, (await check(dataDir)).faults], [[one], []])
  writeFileSync(second, 'others')
  const [fault] = (await check(dataDir, true)).faults
  assert.match(
    fault?.detail ?? '',
    /^asset_file \d version \d: 6 bytes instead of 15\. It is marked damaged\.$/,
  )
  assert.deepEqual((await check(dataDir)).notes, [
    '2 versions are marked damaged; their bytes are lost',
  ])
})

test('bytes without a version are a fault after a clean stop, and a repair creates the quarantine for them', async () => {
  const dataDir = copySite(site.dataDir)
  const { quarantine } = dataPathsOf(dataDir)
  const name = `9.00${'a'.repeat(30)}`
  writeFileSync(join(dataDir, '00', name), 'x')
  const crashed = copyCrashed({ ...site, dataDir })
  const cut = await check(crashed)
  const left = '1 content of interrupted saves; the next start moves them to quarantine'
  assert.deepEqual([cut.faults, cut.notes], [[], [left]])

  rmSync(quarantine, { recursive: true, force: true })
  const detail = `00/${name} belongs to no version.`
  assert.deepEqual((await check(dataDir)).faults, [{ kind: 'orphan', detail, isMended: false }])
  assert.deepEqual((await check(dataDir, true)).faults, [
    { kind: 'orphan', detail, isMended: true },
  ])
  assert.equal(readdirSync(quarantine).filter((item) => item.endsWith(`-0-${name}`)).length, 1)
  assert.equal(statSync(quarantine).mode & 0o777, 0o700)
  assert.deepEqual((await check(dataDir)).faults, [])
})

test('a directory without a site is refused unchanged, and a repair leaves no lock', async () => {
  const none = newDataDirectory()
  for (const [dataDir, says] of [
    [none, /The directory .* does not exist/],
    [join(none, '..'), /holds no site: records\/data\.mdb is missing/],
  ] as const) {
    await assert.rejects(check(dataDir), (error: unknown) => {
      assert.ok(error instanceof RefusedError)
      assert.match(error.message, says)
      return true
    })
  }
  assert.deepEqual(readdirSync(join(none, '..')), [])

  const dataDir = copySite(site.dataDir)
  await check(dataDir, true)
  assert.equal(existsSync(join(dataDir, 'lock')), false)
  await (await acquireLock(dataDir)).release()
})

test('a check without repair changes no record, and reports records of unknown types', async () => {
  const dataDir = copySite(site.dataDir)
  const unheard = { name: 'unheard_of', indexes: [] }
  await tamper(dataDir, (_, records) => records.commit((unit) => unit.put(unheard, [1], {})))
  const before = fingerprint(dataDir)
  const { faults } = await check(dataDir)
  assert.deepEqual(faults, [
    {
      kind: 'record',
      detail: 'unheard_of/1: this server does not support records of this type.',
      isMended: false,
    },
  ])
  assert.deepEqual(fingerprint(dataDir), before)
})

test('a damaged record is one fault, and its rows do not count as strays', async () => {
  const dataDir = copySite(site.dataDir)
  await tamper(dataDir, async (kv) => {
    const key = recordKey(kv, assetCategory.recordType, [site.folderId])
    const value = kv.get(key)
    assert.ok(value !== undefined)
    const stray = rowRange(kv, assetCategory, {
      index: 'name',
      values: ['stray', site.folderId + 50],
    }).start
    const wrong = Buffer.from(value)
    wrong.writeUInt8(wrong.readUInt8(wrong.length - 2) ^ 1, wrong.length - 2)
    await kv.commit((writer) => {
      writer.put(key, wrong)
      writer.put(stray, Buffer.alloc(0))
    })
  })
  const details = (await check(dataDir)).faults.map(({ detail }) => detail)
  assert.equal(details.length, 2, details.join('\n'))
  assert.match(details[0] ?? '', new RegExp(`^asset_category/${site.folderId}: `))
  assert.match(
    details[1] ?? '',
    /^The index row asset_category\/name\/stray\/\d+ belongs to no record\.$/,
  )
})

test('a dependent record is removed if its owner is missing', async () => {
  const dataDir = copySite(site.dataDir)
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const version = unit.get(assetFileVersion, site.fileIds[0] ?? 0, 1)?.value
      assert.ok(version !== undefined)
      unit.put(assetFileVersion, [99, 1], { ...version, asset_file_id: 99, damaged: true })
    }),
  )
  const detail = 'asset_file_version 99/1 belongs to a file that is gone'
  const told = { kind: 'reference', detail, isMended: false }
  assert.deepEqual((await check(dataDir)).faults, [told])
  assert.deepEqual((await check(dataDir, true)).faults, [{ ...told, isMended: true }])
  assert.deepEqual((await check(dataDir)).faults, [])
})

test('a new name from a repair stays within the length limit', async () => {
  const dataDir = copySite(site.dataDir)
  const [fileId = 0] = site.fileIds
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const file = unit.get(assetFile.recordType, fileId)?.value
      assert.ok(file !== undefined)
      const name = 'n'.repeat(200)
      unit.put(assetFile.recordType, [fileId], { ...file, name, parent_category_id: 77 })
    }),
  )
  await check(dataDir, true)
  await tamper(dataDir, async (_, records) => {
    const name = String(records.get(assetFile.recordType, fileId)?.value.name)
    assert.deepEqual([name.slice(0, 21), name.length], ['recovered-asset_file-', 200])
  })
  assert.deepEqual((await check(dataDir)).faults, [])
})

test('rows of a module with pending work are not faults, but other faults of the module are', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const json = { name: 'Books', table_schema: 'title C(20)' }
  const { body } = await server.call('POST', '/api/v2/datatable', { json })
  await server.call('POST', body.module_url, { json: [{ title: 'a' }, { title: 'b' }] })
  await server.stop()
  const { dataDir } = server
  const type = entryTypeName('datatable', body.datatable_id)
  await tamper(dataDir, async (kv, records) => {
    const [row] = [...kv.keys(indexRange(kv, { name: type, indexes: [] }))]
    assert.ok(row !== undefined)
    await kv.commit((writer) => {
      writer.remove(row)
      writer.put(countKey(writer, { name: type, indexes: [] }), encodeCounter(9))
    })
    await records.commit((unit) =>
      unit.put(pendingWork, ['work'], { kind: 'drop-index', type, key: 'title' }),
    )
  })
  const kindsOf = async (): Promise<readonly string[]> =>
    (await check(dataDir)).faults.map(({ kind }) => kind)
  assert.deepEqual(await kindsOf(), ['counter'])
  await tamper(dataDir, (_, records) => records.commit((unit) => unit.remove(pendingWork, 'work')))
  assert.deepEqual((await kindsOf()).toSorted(), ['counter', 'index'])
})
