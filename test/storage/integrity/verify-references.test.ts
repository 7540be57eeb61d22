// The repair of a file whose folder or versions are missing: the result equals what the interface
// would have made.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { putWork } from '../../../lib/operations/pending-work.ts'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { assetFile, assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { fileGroup } from '../../../lib/schema/file-group.ts'
import { fileLink } from '../../../lib/schema/file-link.ts'
import { countKey } from '../../../lib/storage/records/format.ts'
import { encodeCounter } from '../../../lib/storage/records/record-bytes.ts'
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

/** Damages a file with values that the server would never write, and returns the repaired file. */
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

test('a link to a missing file is removed', async () => {
  const dataDir = copyCrashed(site)
  const first = await startTestServer({ dataDir })
  const id = site.fileIds[0] ?? 0
  const links = `/api/v2/asset_file/${id}/link`
  const made = await first.call('POST', links, { json: { version: 1 } })
  assert.equal(made.status, 201, made.text)
  await first.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const stored = unit.get(fileLink.recordType, made.body.asset_file_link_id)
      const record = { ...(stored?.value ?? assert.fail()), asset_file_id: 999_999 }
      unit.put(fileLink.recordType, [record.asset_file_link_id], record)
    }),
  )
  const found = await check(dataDir, true)
  assert.deepEqual(
    found.map(({ detail, isMended }) => [detail, isMended]),
    [['asset_file_link 1 belongs to a file that is gone', true]],
  )
  assert.deepEqual(await check(dataDir), [])
})

test('a group without its folder and its files is repaired at once', async () => {
  const dataDir = copyCrashed(site)
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const { value } = unit.get(fileGroup.recordType, site.groupId) ?? assert.fail()
      const lost = { parent_category_id: 777, asset_file_ids: [777] }
      unit.put(fileGroup.recordType, [site.groupId], { ...value, ...lost })
    }),
  )
  const found = await check(dataDir, true)
  const which = `file_group ${site.groupId}`
  assert.deepEqual(
    found.map(({ detail, isMended }) => [detail, isMended]),
    [[`${which} lies in folder 777, which is gone, and holds files that are gone`, true]],
  )
  assert.deepEqual(await check(dataDir), [])

  const server = await startTestServer({ dataDir })
  const { body } = await server.call('GET', `/api/v2/file_group/${site.groupId}`)
  await server.stop()
  assert.deepEqual([body.parent_category_id, body.asset_file_ids], [1, []])
})

test('a file without its folder and its pointers is repaired at once', async () => {
  const { found, record } = await repair({
    parent_category_id: 777,
    live_version: 7,
    staged_version: 8,
  })

  assert.deepEqual(found, [
    `asset_file ${site.fileIds[0]} lies in folder 777, which is gone, and points to a version that is gone`,
  ])
  assert.deepEqual(
    [record.parent_category_id, record.name, record.live_version, record.staged_version],
    [1, `recovered-asset_file-${site.fileIds[0]}-a.html`, null, null],
  )
})

/** The fields that depend on the pointers. */
function pointersOf(record: any): object {
  const { live_version, staged_version, fileState, date_published, date_staged } = record
  const dates = [date_published !== null, date_staged !== null]
  return { live_version, staged_version, fileState, dates }
}

test('a file without its live version becomes unpublished', async () => {
  const server = await startTestServer({ dataDir: copyCrashed(site) })
  const unpublished = await server.call('POST', `/api/v2/asset_file/${site.fileIds[0]}/unpublish`)
  await server.stop()
  const { record } = await repair({ live_version: 7 })

  assert.deepEqual(pointersOf(record), pointersOf(unpublished.body))
  assert.deepEqual([record.fileState, record.date_published], ['stage', null])
})

const LOST: readonly (readonly [what: string, values: object, pointers: object])[] = [
  [
    'a file without its staged version stays published and leaves the stage',
    { staged_version: 7, fileState: 'stage' },
    { live_version: 1, staged_version: null, fileState: 'publish', dates: [true, false] },
  ],
  [
    'a file that was only staged, in a missing version, returns to its first state',
    { live_version: null, date_published: null, staged_version: 7, fileState: 'stage' },
    { live_version: null, staged_version: null, fileState: null, dates: [false, false] },
  ],
  [
    'a file without its live and staged versions returns to its first state',
    { live_version: 7, staged_version: 7 },
    { live_version: null, staged_version: null, fileState: null, dates: [false, false] },
  ],
]

for (const [what, values, pointers] of LOST) {
  test(what, async () => assert.deepEqual(pointersOf((await repair(values)).record), pointers))
}

test('the contents of a deleted folder stay deleted, even if a repair runs before they are cleared', async () => {
  const dataDir = copyCrashed(site)
  const first = await startTestServer({ dataDir })
  const folder = await first.call('POST', '/api/v2/asset_category', { json: { name: 'gone' } })
  const { asset_category_id: id } = folder.body
  const json = { name: 'gone.html', type: 'html', parent_category_id: id, fileState: 'publish' }
  const file = await first.call('POST', '/api/v2/asset_file', { json })
  const fileId: number = file.body.asset_file_id
  await first.stop()
  // The state that a delete leaves if it is interrupted after its commit.
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      unit.remove(assetCategory.recordType, id)
      putWork(unit, 'cut-off', { kind: 'purge', asset_category_id: id })
    }),
  )

  assert.deepEqual(await check(dataDir, true), [])
  const again = await startTestServer({ dataDir })
  for (const path of [`/api/v2/asset_file/${fileId}`, `/file/${fileId}/gone.html`])
    assert.equal((await again.call('GET', path)).status, 404, path)
  await again.stop()
  assert.deepEqual(await check(dataDir), [])
})

test('one repair corrects a wrong counter and removes a record', async () => {
  const dataDir = copyCrashed(site)
  const id = site.fileIds[0] ?? 0
  await tamper(dataDir, async (kv, records) => {
    await records.commit((unit) => unit.remove(assetFile.recordType, id))
    await kv.commit((writer) => writer.put(countKey(writer, assetFileVersion), encodeCounter(999)))
  })
  const kinds = (await check(dataDir, true)).map(({ kind }) => kind)
  assert.deepEqual([kinds.includes('counter'), kinds.includes('reference')], [true, true])
  assert.deepEqual(
    (await check(dataDir)).filter(({ kind }) => kind !== 'orphan'),
    [],
  )
})

test('the versions of a deleted file are not faults while they are being removed', async () => {
  const dataDir = copyCrashed(site)
  const id = site.fileIds[0] ?? 0
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      unit.remove(assetFile.recordType, id)
      putWork(unit, 'cut-off', { kind: 'forget', asset_file_id: id })
    }),
  )
  assert.deepEqual(await check(dataDir), [])
})
