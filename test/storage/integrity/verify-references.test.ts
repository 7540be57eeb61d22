// What a repair makes of a record that names others which are gone.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assetFile } from '../../../lib/schema/asset-file.ts'
import { checkEmbedded } from '../../../lib/storage/integrity/check.ts'
import type { CheckFault } from '../../../lib/storage/integrity/faults.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer } from '../../helpers/server.ts'
import { copyCrashed, makeSite, type Site, tamper } from '../../helpers/site.ts'

const pool = openPool(2)
let site: Site
before(async () => {
  site = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

async function check(dataDir: string, isRepair = false): Promise<readonly CheckFault[]> {
  return (await checkEmbedded({ dataDir, pool, isRepair, onProgress: () => undefined })).faults
}

interface Repaired {
  readonly found: readonly string[]
  readonly record: any
}

/** A file in which the server would never have written these values, as one repair leaves it. */
async function repair(values: object): Promise<Repaired> {
  const dataDir = copyCrashed(site)
  const id = site.fileIds[0] ?? 0
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const { value } = unit.get(assetFile.recordType, id) ?? assert.fail()
      unit.put(assetFile.recordType, [id], { ...value, ...values })
    }),
  )
  const found = await check(dataDir, true)
  assert.ok(found.every(({ isMended }) => isMended))
  assert.deepEqual(await check(dataDir), [])

  const server = await startTestServer({ dataDir })
  const { body: record } = await server.call('GET', `/api/v2/asset_file/${id}`)
  await server.stop()
  return { found: found.map(({ detail }) => detail), record }
}

test('a file whose folder and pointers are gone is mended of all at once', async () => {
  const { found, record } = await repair({
    parent_category_id: 777,
    live_version: 7,
    staged_version: 8,
  })

  assert.deepEqual(found, [
    'asset_file 1 lies in folder 777, which is gone, and points to a version that is gone',
  ])
  assert.deepEqual(
    [record.parent_category_id, record.name, record.live_version, record.staged_version],
    [1, 'recovered-asset_file-1-a.html', null, null],
  )
})
