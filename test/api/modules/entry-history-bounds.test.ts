// How long and how large a history is: it ends with its entry, its module and its rows of the audit trail; large values are
// left out; check finds what remains without an owner.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { deletedHistory, historyTypeOf } from '../../../lib/schema/past-values.ts'
import { checkEmbedded } from '../../../lib/storage/integrity/check.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { oneServer, siteBehind } from '../../helpers/engine.ts'
import { historyOf, restore, update } from '../../helpers/history.ts'
import { type MadeModule, makeEntry, makeTable } from '../../helpers/modules.ts'
import { copySite, tamper } from '../../helpers/site.ts'
import { startTestServer, type TestOptions, type TestServer } from '../../helpers/server.ts'

after(removeDataDirectories)

const DAY_MS = 86_400_000

async function makeHistory(server: TestServer, states: number): Promise<MadeModule> {
  const table = await makeTable(server, 'title C(80), body X')
  await makeEntry(server, table.url, { title: '1' })
  for (let title = 2; title <= states; title += 1)
    await update(server, `${table.url}/1`, { title: String(title) })
  return table
}

async function numbersOf(server: TestServer, url: string): Promise<readonly number[]> {
  const { history } = await historyOf(server, url)
  return history.map(({ number }) => number)
}

/** Reads the records of a stopped server. */
async function inStore<T>(dataDir: string, read: (records: Records) => T): Promise<T> {
  let result: T | undefined
  await tamper(dataDir, async (_, records) => {
    result = read(records)
  })
  return result as T
}

test('a large value is listed with its size only, and a restore of it is refused as a whole', async () => {
  const server = await startTestServer()
  const { url } = await makeTable(server, 'title C(80), body X, more X')
  const large = 'é'.repeat(33_000)
  await makeEntry(server, url, { title: 'A', body: large, more: 'm' })
  await update(server, `${url}/1`, { title: 'B', body: 'short' })
  await update(server, `${url}/1`, { body: large })

  const { history } = await historyOf(server, `${url}/1`)
  const change = { name: 'body', from: null, to: null }
  assert.deepEqual(history[0].changes, [
    { ...change, from: 'short', from_omitted_bytes: null, to_omitted_bytes: 66_000 },
  ])
  assert.deepEqual(history[1].changes[1], {
    ...change,
    to: 'short',
    from_omitted_bytes: 66_000,
    to_omitted_bytes: null,
  })
  assert.equal(history[2].changes[1].to_omitted_bytes, 66_000)
  const refused = await restore(server, `${url}/1`, 1)
  const { errors } = assertProblem(refused, 'invalid-content')
  assert.deepEqual(
    errors.map(({ pointer }: any) => pointer),
    ['/body'],
  )
  const { body } = await server.call('GET', `${url}/1?fields=*`)
  assert.deepEqual([body.title, body.body], ['B', large])
  assert.equal((await restore(server, `${url}/1`, 2)).body.body, 'short')
  await server.close()
})

/** The history of an entry in the trash is kept. */
const NO_TRASH = { config: { trashDays: 0 } }

test('one commit adds a limited number of bytes, and an entry keeps a limited number of changes', async () => {
  const limits = { historyCommitBytes: 100, historyChanges: 3 }
  const server = await startTestServer({ limits })
  const { url } = await makeTable(server, 'title C(80), body X')
  await makeEntry(server, url, { title: 'a'.repeat(60), body: 'b'.repeat(60) })
  for (const title of ['2', '3', '4', '5', '6'])
    await update(server, `${url}/1`, { title, body: title })
  const { history } = await historyOf(server, `${url}/1`)
  assert.deepEqual(
    history.map(({ number, action }) => [number, action]),
    [
      [6, 'update'],
      [5, 'update'],
      [4, 'update'],
      [3, null],
    ],
  )
  assert.equal((await restore(server, `${url}/1`, 3)).body.title, '3')
  assertProblem(await restore(server, `${url}/1`, 2), 'not-found')

  await makeEntry(server, url, { title: 'a'.repeat(60), body: 'b'.repeat(60) })
  await update(server, `${url}/2`, { title: null, body: null })
  const [{ changes }] = (await historyOf(server, `${url}/2`)).history as [any]
  const kept = changes.map((one: any) => [one.name, one.from?.length, one.from_omitted_bytes])
  assert.deepEqual(kept, [
    ['title', 60, null],
    ['body', undefined, 60],
  ])
  await server.close()
})

test('the history of a deleted entry is deleted too, a long history after the commit', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir, ...NO_TRASH })
  const { url, id } = await makeHistory(first, 4)
  await makeEntry(first, url, { title: 'long' })
  for (let count = 0; count < 510; count += 1)
    await update(first, `${url}/2`, { title: String(count) })
  await first.call('DELETE', `${url}/1`)
  await first.call('DELETE', `${url}/2`)
  assertProblem(await first.call('GET', `${url}/1/history`), 'not-found')
  assertProblem(await restore(first, `${url}/1`, 2), 'not-found')
  await first.stop()
  const type = historyTypeOf('datatable', id)
  const left = await inStore(dataDir, (records) => records.list(type, []))
  assert.ok(left.every(([entry]) => entry === 2) && left.length > 0, 'the first history is gone')
  assert.deepEqual(await faultsOf(copySite(dataDir)), [])

  await untilStored(dataDir, (records) => records.count(type) + records.count(deletedHistory) === 0)
})

/** Starts servers, which resume unfinished work, until the work is done. */
async function untilStored(dataDir: string, isDone: (records: Records) => boolean): Promise<void> {
  for (let tried = 0; !(await inStore(dataDir, isDone)); tried += 1) {
    assert.ok(tried < 30)
    const server = await startTestServer({ dataDir, ...NO_TRASH })
    await sleep(100)
    await server.stop()
  }
}

test('the history of a deleted module is deleted too', async () => {
  const dataDir = newDataDirectory()
  const server = await startTestServer({ dataDir, ...NO_TRASH })
  const { path, id } = await makeHistory(server, 3)
  assert.equal((await server.call('DELETE', path)).status, 204)
  await server.stop()
  await untilStored(dataDir, (records) => records.count(historyTypeOf('datatable', id)) === 0)
  assert.deepEqual(await faultsOf(dataDir), [])
})

const pool = openPool(1)
after(() => pool.close())

const ALONE = oneServer('damage')

/** None in a cluster, whose check is tested in storage/integrity/check-cluster. */
async function faultsOf(dataDir: string, isRepair = false): Promise<readonly string[]> {
  if ((await siteBehind(dataDir)) !== undefined) return []
  const report = await checkEmbedded({ dataDir, pool, isRepair, onProgress: () => undefined })
  return report.faults.map(({ detail }) => detail)
}

test(
  'changes without their entry or their row are faults that a repair removes',
  ALONE,
  async () => {
    const dataDir = newDataDirectory()
    const server = await startTestServer({ dataDir, ...NO_TRASH })
    const { url, id } = await makeHistory(server, 3)
    await server.stop()
    const type = historyTypeOf('datatable', id)
    await tamper(dataDir, (_, records) =>
      records.commit((unit) => {
        const value = unit.get(type, 1, 2)?.value
        assert.ok(value !== undefined)
        unit.put(type, [99, 2], value)
        unit.put(type, [1, 2], { ...value, audit_id: 999 })
      }),
    )
    assert.deepEqual(await faultsOf(dataDir, true), [
      `datatable_history.${id} 1/2 belongs to audit row 999, which is gone`,
      `datatable_history.${id} 99/2 belongs to an entry that is gone`,
    ])
    assert.deepEqual(await faultsOf(dataDir), [])
    const again = await startTestServer({ dataDir, ...NO_TRASH })
    assert.deepEqual(await numbersOf(again, `${url}/1`), [3, 2])
    await again.stop()
  },
)

test('a change expires with its audit row, and entries of earlier builds have no history', async () => {
  const dataDir = newDataDirectory()
  let daysAgo = 50
  const options: TestOptions = {
    dataDir,
    config: { auditDays: 30 },
    now: () => new Date(Date.now() - daysAgo * DAY_MS),
  }
  const first = await startTestServer(options)
  const { url, id } = await makeHistory(first, 3)
  daysAgo = 10
  await update(first, `${url}/1`, { title: 'new' })
  await first.stop()

  daysAgo = 0
  const second = await startTestServer({ ...options, config: { auditDays: 30 } })
  for (let waitedMs = 0; (await numbersOf(second, `${url}/1`)).length !== 2; waitedMs += 20) {
    assert.ok(waitedMs < 20_000)
    await sleep(20)
  }
  const { history } = await historyOf(second, `${url}/1`)
  assert.deepEqual(
    history.map(({ number, action, user_name, changes }) => [
      number,
      action,
      user_name,
      changes.length,
    ]),
    [
      [4, 'update', 'admin', 1],
      [3, null, null, 0],
    ],
  )
  assert.equal((await restore(second, `${url}/1`, 3)).body.title, '3')
  assertProblem(await restore(second, `${url}/1`, 2), 'not-found')
  await second.stop()
  const type = historyTypeOf('datatable', id)
  assert.equal(await inStore(dataDir, (records) => records.count(type)), 2)
  assert.deepEqual(await faultsOf(dataDir), [])
})
