// The counts of contents by a check and by the census of a server, and the processes that a check
// locks out.

import assert from 'node:assert/strict'
import { rmSync, statSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { acquireLock } from '../../../lib/storage/embedded/lock.ts'
import { openCensus } from '../../../lib/storage/integrity/census.ts'
import { checkEmbedded, type CheckReport } from '../../../lib/storage/integrity/check.ts'
import type { ContentsCount } from '../../../lib/storage/status.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import { contentsIn, fingerprint, removeDataDirectories } from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { copySite, makeSite, type Site, tamper } from '../../helpers/site.ts'

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

function check(dataDir: string, isRepair: boolean): Promise<CheckReport> {
  return checkEmbedded({ dataDir, pool, isRepair, onProgress: () => undefined })
}

/**
 * Adds a version that shares the bytes of the first version, as a rollback does, and a version that
 * is marked as damaged.
 */
async function shareAndDamage(dataDir: string): Promise<void> {
  const [first = 0, second = 0] = site.fileIds
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const shared = unit.get(assetFileVersion, first, 1)?.value
      const bad = unit.get(assetFileVersion, second, 2)?.value
      assert.ok(shared !== undefined && bad !== undefined)
      unit.put(assetFileVersion, [first, 3], { ...shared, version: 3 })
      unit.put(assetFileVersion, [second, 2], { ...bad, damaged: true })
    }),
  )
}

async function censusOf(dataDir: string): Promise<ContentsCount | undefined> {
  let latest: ContentsCount | undefined
  await tamper(dataDir, async (kv) => {
    const census = openCensus(kv)
    await eventually(() => census.latest() !== undefined)
    latest = census.latest()
    await census.close()
  })
  return latest
}

test('a content and its bytes count once, however many versions share it', async () => {
  const dataDir = copySite(site.dataDir)
  const sizes = contentsIn(dataDir).map((path) => statSync(path).size)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const contents = sizes.length
  assert.deepEqual(await censusOf(dataDir), { contents, bytes, damaged: 0, trashBytes: 0 })

  await shareAndDamage(dataDir)
  assert.deepEqual(await censusOf(dataDir), { contents, bytes, damaged: 1, trashBytes: 0 })
  const report = await check(dataDir, false)
  assert.deepEqual(
    [report.versions, report.contents, report.bytes],
    [contents + 1, contents, bytes],
  )

  // A missing content counts as a content without bytes.
  const [path = ''] = contentsIn(dataDir)
  const { size } = statSync(path)
  rmSync(path)
  const less = await check(dataDir, false)
  assert.deepEqual([less.contents, less.bytes], [contents, bytes - size])
})

test('a repair needs the directory for itself; a check runs beside an owner and changes nothing', async () => {
  const dataDir = copySite(site.dataDir)
  const before = fingerprint(dataDir)
  const lock = await acquireLock(dataDir)
  try {
    assert.deepEqual((await check(dataDir, false)).faults, [])
    await assert.rejects(check(dataDir, true), /Another cms-server owns/)
  } finally {
    await lock.release()
  }
  assert.deepEqual(fingerprint(dataDir), before)
  assert.deepEqual((await check(dataDir, true)).faults, [])
})
