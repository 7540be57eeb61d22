// Work that a commit promised is done even if the process ended after the commit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Services } from '../../../lib/operations/context.ts'
import { putWork } from '../../../lib/operations/pending-work.ts'
import { rootRemovalOf } from '../../../lib/operations/files/file-removal.ts'
import { NOBODY } from '../../../lib/schema/audit.ts'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { assetFile, assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { pendingWork } from '../../../lib/schema/pending-work.ts'
import { fileGroup } from '../../../lib/schema/file-group.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import {
  contentsIn,
  untilContents,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { send, startTestServer } from '../../helpers/server.ts'
import { copyCrashed, makeSite, markCrashed, openSite, type Site } from '../../helpers/site.ts'

const pool = openPool(1)
/** Deletions remove the bytes at once. */
const NO_TRASH = { trashDays: 0 }
let site: Site
before(async () => {
  site = await makeSite()
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

/** Sends all items, a few at a time. */
async function inTurn<T>(
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items]
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await action(item)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

async function fillFolder(url: string, key: string, count: number): Promise<number> {
  const folder = await send(url, 'POST', '/api/v2/asset_category', { key, json: { name: 'full' } })
  const id: number = folder.body.asset_category_id
  const below = await send(url, 'POST', '/api/v2/asset_category', {
    key,
    json: { name: 'below', parent_category_id: id },
  })
  await inTurn(
    Array.from({ length: count }, (_, index) => index),
    async (index) => {
      const parent_category_id = index % 2 === 0 ? id : below.body.asset_category_id
      const json = {
        name: `${index}.txt`,
        type: 'txt',
        parent_category_id,
        pageContent: `text ${index}`,
      }
      assert.equal((await send(url, 'POST', '/api/v2/asset_file', { key, json })).status, 201)
    },
  )
  return id
}

for (const isCrash of [true, false]) {
  const how = isCrash ? 'a crash' : 'a clean stop'

  test(`the remaining bytes of a deleted file after ${how} are removed by the next start`, async () => {
    const dataDir = copyCrashed(site)
    const [fileId = 0] = site.fileIds
    const storage = await openSite(dataDir, pool)
    await storage.records.commit((unit) => {
      const services = { records: storage.records, now: () => new Date() } as unknown as Services
      void rootRemovalOf(services, { fileId, doer: NOBODY, sizeBytes: 0 })(unit, undefined)
    })
    await storage.close()
    if (isCrash) markCrashed(dataDir)
    assert.equal(contentsIn(dataDir).length, 6)

    const server = await startTestServer({ dataDir, config: NO_TRASH })
    const group = await server.call('GET', `/api/v2/file_group/${site.groupId}`)
    await server.stop()

    assert.equal(contentsIn(dataDir).length, 4)
    assert.deepEqual(group.body.asset_file_ids, [site.fileIds[1]])
    const next = await openSite(dataDir, pool)
    assert.deepEqual([next.records.count(pendingWork), next.recovered.quarantined], [0, 0])
    await next.close()
  })

  test(`the remains of a deleted file after ${how} are removed by the next start`, async () => {
    const dataDir = copyCrashed(site)
    const [fileId = 0] = site.fileIds
    const storage = await openSite(dataDir, pool)
    await storage.records.commit((unit) => {
      unit.remove(assetFile.recordType, fileId)
      putWork(unit, 'work', { kind: 'forget', asset_file_id: fileId })
    })
    await storage.close()
    if (isCrash) markCrashed(dataDir)

    const server = await startTestServer({ dataDir, config: NO_TRASH })
    const group = await server.call('GET', `/api/v2/file_group/${site.groupId}`)
    await server.stop()
    assert.equal(contentsIn(dataDir).length, 4)
    assert.deepEqual(group.body.asset_file_ids, [site.fileIds[1]])
    const next = await openSite(dataDir, pool)
    assert.deepEqual([next.records.count(pendingWork), next.recovered.quarantined], [0, 0])
    await next.close()
  })

  test(`the remaining files of a deleted folder after ${how} are removed by the next start`, async () => {
    const dataDir = copyCrashed(site)
    const storage = await openSite(dataDir, pool)
    await storage.records.commit((unit) => {
      unit.remove(assetCategory.recordType, site.folderId)
      putWork(unit, 'work', { kind: 'purge', asset_category_id: site.folderId })
    })
    await storage.close()
    if (isCrash) markCrashed(dataDir)

    const server = await startTestServer({ dataDir, config: NO_TRASH })
    const download = await server.call('GET', `/file/${site.fileIds[0]}/a.html`)
    await server.stop()
    assert.equal(download.status, 404)
    assert.deepEqual(contentsIn(dataDir), [])

    const { records, close } = await openSite(dataDir, pool)
    const left = [assetFile.recordType, assetFileVersion, pendingWork].map((type) =>
      records.count(type),
    )
    assert.equal(records.count(fileGroup.recordType), 1)
    await close()
    assert.deepEqual(left, [0, 0, 0])
  })
}

test('a folder with 1,000 files is deleted completely while other requests are served', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory(), config: NO_TRASH })
  try {
    const id = await fillFolder(server.url, server.key, 1_000)
    const refused = await server.call('DELETE', `/api/v2/asset_category/${id}`)
    const { asset_category: folders, asset_file: files } = refused.body.counts
    assert.deepEqual([refused.status, folders, files], [409, 1, 500])
    await untilContents(server.dataDir, 1_000)

    const removing = server.call('DELETE', `/api/v2/asset_category/${id}?recursive=true`)
    await untilGone(server.url, `/api/v2/asset_category/${id}`, server.key)
    const list = await server.call('GET', '/api/v2/asset_file?count=exact')
    const removed = await removing

    assert.equal(list.body.page.total, 0)
    assert.deepEqual([removed.status, removed.text], [204, ''])
    assert.deepEqual(contentsIn(server.dataDir), [])
  } finally {
    await server.stop()
  }
})

test('a server that is killed while it deletes a folder completes the deletion at the next start', async () => {
  const dataDir = newDataDirectory()
  const child = await startChild(dataDir, ['--trash-days', '0'])
  const key = await makeKey(dataDir)
  const id = await fillFolder(child.url, key, 250)
  const removing = send(child.url, 'DELETE', `/api/v2/asset_category/${id}?recursive=true`, {
    key,
  }).catch(() => undefined)
  await untilGone(child.url, `/api/v2/asset_category/${id}`, key)
  await child.kill('SIGKILL')
  await removing

  const server = await startTestServer({ dataDir, config: NO_TRASH })
  const list = await server.call('GET', '/api/v2/asset_file?count=exact')
  await server.stop()
  assert.equal(list.body.page.total, 0)
  assert.deepEqual(contentsIn(dataDir), [])
  const check = await runCli(['check', '--data', dataDir])
  assert.match(check.stdout, / 0 versions, 0 contents .*\nNo faults found\.\n$/)
})

async function untilGone(url: string, path: string, key: string): Promise<void> {
  while ((await send(url, 'GET', path, { key })).status !== 404);
}
