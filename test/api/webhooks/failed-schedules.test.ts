// A time that cannot be kept is told with its reason in the change feed, by webhooks and by the file.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AssetFile,
  assetFile,
  type AssetFileVersion,
  assetFileVersion,
} from '../../../lib/schema/asset-file.ts'
import { makeFile, newName } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { openSite } from './site.ts'

const MINUTE_MS = 60_000
const AT = { publish_at: '2099-01-01T00:00:00.000Z' }

/** Changes the record and the first version of a file as only damage or another build can. */
async function change(
  dataDir: string,
  id: number,
  fields: Partial<AssetFile> & Partial<AssetFileVersion>,
): Promise<void> {
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const file = unit.get(assetFile.recordType, id)?.value
      const version = unit.get(assetFileVersion, id, 1)?.value
      assert.ok(file !== undefined && version !== undefined)
      const { damaged = version.damaged, ...shared } = fields
      unit.put(assetFile.recordType, [id], { ...file, ...shared })
      unit.put(assetFileVersion, [id, 1], { ...version, ...shared, damaged })
    }),
  )
}

test('a damaged version, a page that is not valid and a lost grant fail with their reasons', async (t) => {
  t.after(removeDataDirectories)
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const damaged = await makeFile(first, AT)
  const invalid = await makeFile(first, { ...AT, type: 'txt', pageContent: '<p>' })
  const name = newName('key')
  const key = await first.makeKey({ name, grants: 'view,publish' })
  const lost = await makeFile(first)
  const path = `/api/v2/asset_file/${lost.asset_file_id}`
  assert.equal((await first.call('PATCH', path, { json: AT, key })).status, 200)
  const qry = encodeURIComponent(JSON.stringify({ name }))
  const { body: keys } = await first.call('GET', `/api/v2/api_key?qry=${qry}`)
  const json = { status: 'inactive' }
  const keyPath = `/api/v2/api_key/${keys.api_key[0].api_key_id}`
  assert.equal((await first.call('PATCH', keyPath, { json })).status, 200)
  await first.stop()
  await change(dataDir, damaged.asset_file_id, { damaged: true })
  await change(dataDir, invalid.asset_file_id, { type: 'stml' })

  let aheadMs = 0
  const site = await openSite({}, { dataDir, now: () => new Date(Date.now() + aheadMs) })
  try {
    const receiver = await site.receive()
    await site.hook(receiver, { objects: ['asset_file'], actions: ['schedule_failed'] })
    const start = (await site.ok('GET', '/api/v2/change?length=1')).page.next
    aheadMs = Date.parse(AT.publish_at) + MINUTE_MS - Date.now()
    const expected = new Map([
      [damaged.asset_file_id, ['content-damaged', /is damaged: its bytes are lost/]],
      [invalid.asset_file_id, ['stml-invalid', /./]],
      [lost.asset_file_id, ['grant-missing', /the key that was used/]],
    ] as const)
    const sent = (await receiver.until(3)).map(({ body }) => body)
    assert.ok(sent.every(({ type }) => type === 'asset_file.schedule_failed'))
    const feed = await site.ok('GET', `/api/v2/change?since=${start}&action=schedule_failed`)
    for (const [id, [code, detail]] of expected) {
      const file = await site.ok('GET', `/api/v2/asset_file/${id}`)
      const { schedule_fault: fault } = file
      assert.deepEqual([fault?.code, file.live_version], [code, null])
      assert.match(fault.detail, detail)
      for (const changes of [feed.change, sent.map(({ data }) => data)])
        assert.deepEqual(changes.find((each: any) => each.object_id === id)?.schedule_fault, fault)
    }
  } finally {
    await site.close()
  }
})
