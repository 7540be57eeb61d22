// How long items stay in the trash, and their removal for good.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, uploadFile } from '../../helpers/content.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { siteDefaults } from '../../../lib/schema/trash.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'
import { listTrash, remove, restore, TRASH, trashItem } from '../../helpers/trash.ts'

after(removeDataDirectories)

const DAY_MS = 86_400_000
const FILE = '/api/v2/asset_file'

async function untilEmpty(server: TestServer): Promise<void> {
  while ((await listTrash(server)).length > 0) await sleep(20)
}

async function untilNoContents(server: TestServer): Promise<void> {
  while (contentsIn(server.dataDir).length > 0) await sleep(20)
}

async function requireWhole(dataDir: string): Promise<void> {
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
}

test('a file and its bytes are removed when its days are over, and not before', async () => {
  const dataDir = newDataDirectory()
  let offsetMs = 0
  const now = (): Date => new Date(Date.now() + offsetMs)
  const start = (): Promise<TestServer> => startTestServer({ dataDir, now })
  let server = await start()
  const { asset_file_id: id } = await uploadFile(server, Buffer.alloc(200_000, 1))
  await remove(server, `${FILE}/${id}`)
  // The clock advances while the server runs, because only such time counts.
  offsetMs = 29 * DAY_MS
  await server.stop()
  server = await start()
  assert.equal((await listTrash(server)).length, 1)
  offsetMs = 31 * DAY_MS
  await server.stop()
  server = await start()
  await untilEmpty(server)
  await untilNoContents(server)
  await server.stop()
  await requireWhole(dataDir)
})

test('with --trash-days 0 the record and its bytes are removed at once, and the trash is emptied', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { asset_file_id: kept } = await uploadFile(first, Buffer.alloc(200_000, 1))
  await remove(first, `${FILE}/${kept}`)
  await first.stop()
  const server = await startTestServer({ dataDir, config: { trashDays: 0 } })
  await untilEmpty(server)
  await untilNoContents(server)
  const { asset_file_id: id } = await uploadFile(server, Buffer.alloc(200_000, 2))
  await remove(server, `${FILE}/${id}`)
  assert.deepEqual(await listTrash(server), [])
  assert.deepEqual(contentsIn(dataDir), [])
  await server.stop()
})

test('a site of an earlier version has no trash until the flag is set', async () => {
  const dataDir = newDataDirectory()
  await (await startTestServer({ dataDir })).stop()
  await tamper(dataDir, (_, records) => records.commit((unit) => unit.remove(siteDefaults, 1)))
  const earlier = await startTestServer({ dataDir })
  await remove(earlier, `${FILE}/${(await makeFile(earlier)).asset_file_id}`)
  assert.deepEqual(await listTrash(earlier), [])
  await earlier.stop()
  const server = await startTestServer({ dataDir, config: { trashDays: 1 } })
  const { asset_file_id: id } = await makeFile(server)
  await remove(server, `${FILE}/${id}`)
  assert.equal((await restore(server, await trashItem(server, 'asset_file', id))).status, 200)
  await server.stop()
})

test('everything in a folder and in a datatable is permanently removed', async () => {
  const dataDir = newDataDirectory()
  const server = await startTestServer({ dataDir })
  const { asset_category_id: id } = await makeFolder(server)
  await uploadFile(server, Buffer.alloc(200_000, 1), { asset_category_id: String(id) })
  const table = await makeTable(server, 'a I', { parent_category_id: id })
  const entry = await makeEntry(server, table.url, { a: 1 })
  await server.call('POST', `${table.url}/${entry.datatable_entry_id}`, { json: { a: 2 } })
  const other = await makeTable(server, 'a I')
  const single = await makeEntry(server, other.url, { a: 1 })
  await server.call('POST', `${other.url}/${single.datatable_entry_id}`, { json: { a: 2 } })
  await remove(server, `${other.url}/${single.datatable_entry_id}`)
  await remove(server, `/api/v2/asset_category/${id}?recursive=true`)
  const item = await trashItem(server, 'asset_category', id)
  assert.deepEqual([item.count, item.size], [4, 200_000])
  await remove(server, `${TRASH}/${item.trash_id}`)
  assert.equal((await server.call('GET', `${TRASH}/${item.trash_id}`)).status, 404)
  await untilNoContents(server)

  const dry = await server.call('POST', `${TRASH}/bulk_delete`, { json: { dry_run: true } })
  const through = (await listTrash(server)).at(-1).trash_id
  assert.deepEqual(dry.body, { count: 1, size: 0, through, dry_run: true })
  const later = await makeFile(server)
  await remove(server, `${FILE}/${later.asset_file_id}`)
  const { body } = await server.call('POST', `${TRASH}/bulk_delete`, { json: { through } })
  assert.equal(body.count, 1)
  const left = await listTrash(server)
  assert.deepEqual(
    left.map(({ object_id }) => object_id),
    [later.asset_file_id],
  )
  await server.stop()
  await requireWhole(dataDir)
})

test('the audit trail lists deletions, restores and permanent removals', async () => {
  const server = await startTestServer()
  const { asset_file_id: id, name } = await makeFile(server)
  await remove(server, `${FILE}/${id}`)
  await restore(server, await trashItem(server, 'asset_file', id))
  await remove(server, `${FILE}/${id}`)
  await remove(server, `${TRASH}/${(await trashItem(server, 'asset_file', id)).trash_id}`)
  const { body } = await server.call('GET', '/api/v2/audit?orderStr=audit_id&length=1000')
  const rows = body.audit.filter(
    (row: any) => row.object === 'trash' || (row.object === 'asset_file' && row.object_id === id),
  )
  assert.deepEqual(
    rows.map((row: any) => [row.action, row.object, row.name]),
    [
      ['create', 'asset_file', null],
      ['delete', 'asset_file', name],
      ['restore', 'asset_file', null],
      ['delete', 'asset_file', name],
      ['delete', 'trash', name],
    ],
  )
  const { body: feed } = await server.call('GET', '/api/v2/change?since=0&object=asset_file')
  const actions = feed.change.map(({ action }: any) => action)
  assert.deepEqual(actions, ['create', 'delete', 'create', 'delete'])
  await server.close()
})

test('the trash shows nothing to keys without view and delete in the former folder', async () => {
  const server = await startTestServer()
  const { asset_category_id: folder } = await makeFolder(server)
  const { asset_category_id: elsewhere } = await makeFolder(server)
  const { asset_file_id: id } = await makeFile(server, { parent_category_id: folder })
  await remove(server, `${FILE}/${id}`)
  const item = await trashItem(server, 'asset_file', id)
  const path = `${TRASH}/${item.trash_id}`
  const keys = await Promise.all(
    [
      { grants: 'view' },
      { grants: 'delete,create,publish' },
      { grants: 'view,delete,create,publish', category: elsewhere },
    ].map((args) => server.makeKey(args)),
  )
  for (const key of keys) {
    const list = await server.call('GET', `${TRASH}?count=exact`, { key })
    assert.deepEqual([list.body.trash, list.body.page.total], [[], 0])
    const missing = await server.call('GET', `${TRASH}/999`, { key })
    for (const answer of [
      await server.call('GET', path, { key }),
      await server.call('DELETE', path, { key }),
      await server.call('POST', `${path}/restore`, { key, json: {} }),
    ]) {
      assertProblem(answer, 'not-found')
      assert.equal(answer.body.detail, missing.body.detail)
    }
  }
  const key = await server.makeKey({ grants: 'view,delete', category: folder })
  const { body } = await server.call('GET', TRASH, { key })
  // Only the name and the size of a draft are hidden.
  assert.deepEqual(
    body.trash.map(({ name, size, path: at }: any) => [name, size, at]),
    [[null, 0, null]],
  )
  assertProblem(await server.call('POST', `${path}/restore`, { key, json: {} }), 'grant-missing')
  await remove(server, `/api/v2/asset_category/${folder}`)
  assert.deepEqual((await server.call('GET', TRASH, { key })).body.trash, [])
  await server.close()
})
