// Retention of audit rows.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { assertProblem, make, makeFolder } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { ask, CHANGES } from '../../helpers/follow.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const DAY_MS = 86_400_000

after(removeDataDirectories)

interface Run {
  readonly auditDays: number
  /** How many days ago the server's clock starts. */
  readonly daysAgo: number
  /** The days by which the clock advances after `use`. */
  readonly lives?: number
}

/** Runs a server with its own clock and stops it after `use`. */
async function during(
  dataDir: string,
  { auditDays, daysAgo, lives = 0 }: Run,
  use: (server: TestServer) => Promise<void>,
): Promise<void> {
  let offsetMs = -daysAgo * DAY_MS
  const now = (): Date => new Date(Date.now() + offsetMs)
  const server = await startTestServer({ dataDir, config: { auditDays }, now })
  try {
    await use(server)
    offsetMs += lives * DAY_MS
  } finally {
    await server.stop()
  }
}

async function idsOf(server: TestServer): Promise<readonly number[]> {
  const { body } = await server.call('GET', '/api/v2/audit?length=1000&fields=audit_id')
  return body.audit.map((row: any) => row.audit_id)
}

/** Rows are removed once a minute, so a row that just missed a run waits for the next. */
const MOST_MS = 90_000

async function until(server: TestServer, isRight: (ids: readonly number[]) => boolean) {
  for (let waitedMs = 0; waitedMs < MOST_MS; waitedMs += 20) {
    const ids = await idsOf(server)
    if (isRight(ids)) return ids
    await sleep(20)
  }
  throw new Error(`The rows are ${await idsOf(server)}.`)
}

test('rows are removed after the configured days, and identifiers are never reused', async () => {
  const dataDir = newDataDirectory()
  let old: readonly number[] = []
  let kept: readonly number[] = []
  await during(dataDir, { auditDays: 30, daysAgo: 31, lives: 2 }, async (server) => {
    // More rows than one commit removes.
    for (let count = 0; count < 250; count += 1) await make(server, 'file_group', { name: 'old' })
    old = await idsOf(server)
    assert.equal(old.length, 251)
  })
  await during(dataDir, { auditDays: 0, daysAgo: 29, lives: 29 }, async (server) => {
    await make(server, 'file_group', { name: 'kept' })
    kept = (await idsOf(server)).slice(old.length)
    assert.deepEqual(kept, [252, 253])
  })

  await during(dataDir, { auditDays: 30, daysAgo: 0, lives: 40 }, async (server) => {
    const ids = await until(server, (found) => !found.some((id) => old.includes(id)))
    assert.deepEqual(ids, [...kept, 254])
    assert.equal((await server.call('GET', '/api/v2/audit/1')).status, 404)
  })
  await during(dataDir, { auditDays: 1, daysAgo: -40 }, async (server) => {
    const ids = await until(server, (found) => !found.includes(254))
    assert.deepEqual(ids, [255])
  })
})

test('the oldest rows above the configured number are removed, and followers get an error', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { page } = await ask(first)
  for (let count = 0; count < 150; count += 1) await make(first, 'file_group', { name: 'g' })
  const ids = await idsOf(first)
  await first.stop()

  const second = await startTestServer({ dataDir, config: { auditRows: 20 } })
  const left = await until(second, (found) => found.length <= 20)
  const own = left.filter((id) => !ids.includes(id))
  assert.deepEqual(left, [...ids.slice(own.length - 20), ...own])
  const refused = await second.call('GET', `${CHANGES}?since=${page.next}`)
  const { oldest = 0, next } = assertProblem(refused, 'change-log-gone')
  assert.deepEqual([oldest], left.slice(0, 1))
  const { asset_category_id: id } = await makeFolder(second)
  const key = await second.makeKey({ name: 'narrow', grants: 'view', category: id })
  const late = await second.call('GET', `${CHANGES}?since=0`, { key })
  const told = assertProblem(late, 'change-log-gone')
  assert.deepEqual([told.oldest, told.newest], [undefined, undefined])
  const { change } = await ask(second, `since=${oldest - 1}&length=1000`)
  assert.equal(change[0].sequence, oldest)
  assert.equal((await ask(second, `since=${next}`)).change[0].object_id, id)
  await second.close()
})

test('a row with a date in the future does not delay the removal of other rows', async () => {
  const dataDir = newDataDirectory()
  await during(dataDir, { auditDays: 30, daysAgo: -1_000 }, async (server) => {
    assert.deepEqual(await idsOf(server), [1])
  })
  await during(dataDir, { auditDays: 30, daysAgo: 31, lives: 31 }, async (server) => {
    assert.deepEqual(await idsOf(server), [1, 2])
  })
  await during(dataDir, { auditDays: 30, daysAgo: 0 }, async (server) => {
    await until(server, (ids) => ids.join() === '1,3')
  })
})
