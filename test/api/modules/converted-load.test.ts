// Columns of a table with 4,000 entries are narrowed and retyped while other clients write, and across
// restarts. The change completes, and every search and every index row is correct.

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { changeSchema, listAll, makeEntries, makeTable, queryOf } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'

const SIZE = 4_000

async function waitForIndex(server: TestServer, url: string): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    const answer = await server.call('GET', `${url}?${queryOf({ orderStr: 'a', length: 1 })}`)
    if (answer.status === 200) return
    assert.equal(answer.status, 503, answer.text)
    await wait(50)
  }
  assert.fail('the index was not complete in time')
}

/** Compares searches that may use the index with the filtered list of all entries. */
async function assertSearchesRight(server: TestServer, url: string, values: readonly unknown[]) {
  const all = await listAll(server, url)
  const ids = (entries: readonly any[]) => entries.map((entry) => entry.datatable_entry_id)
  for (const a of values) {
    const found = await listAll(server, url, { qry: { a } })
    const expected = all.filter((entry) => entry.a === a)
    assert.deepEqual(ids(found), ids(expected), String(a))
  }
  assert.equal((await listAll(server, url, { orderStr: 'a' })).length, all.length)
}

test('a confirmed change completes while unsuitable values are written, and only those are lost', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const { path, url } = await makeTable(server, 'a I, b C(5)')
  await makeEntries(
    server,
    url,
    Array.from({ length: SIZE }, (_, at) => ({ a: at % 200 })),
  )
  let isOver = false
  const statuses = new Set<number>()
  const write = async (): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const answer = await server.call('POST', `${url}/${1 + (at % 100)}`, {
        json: { a: 100 + (at % 100) },
      })
      statuses.add(answer.status)
      await wait(1)
    }
  }
  const writing = [write(), write()]
  const refused = await changeSchema(server, path, { table_schema: 'a I1, b C(5)' })
  const { plan } = assertProblem(refused, 'schema-conflict')
  assert.ok(plan.narrowed[0].entries >= 1_000)
  for (const type of ['I1', 'C(2)', 'N(2)']) {
    const json = { table_schema: `a ${type}, b C(5)` }
    const answer = await changeSchema(server, path, json, '?confirm=drop')
    assert.equal(answer.status, 200, answer.text)
    await waitForIndex(server, url)
  }
  isOver = true
  await Promise.all(writing)
  // 422 because the column no longer accepts such values.
  assert.deepEqual([...statuses].sort(), [200, 422])
  const all = await listAll(server, url)
  assert.ok(all.every(({ a }) => a === null || /^\d{1,2}$/.test(a)))
  assert.equal(all.filter(({ a }) => a === '7').length, SIZE / 200 - 1)
  await assertSearchesRight(server, url, ['7', '99', 100, null])
  await server.stop()
  await tamper(server.dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
})

test('a stop while the index of a converted column is built changes nothing of its values', async () => {
  const dataDir = newDataDirectory()
  let server = await startTestServer({ dataDir })
  const { path, url } = await makeTable(server, 'a C(9), b C(5)')
  await makeEntries(
    server,
    url,
    Array.from({ length: SIZE }, (_, at) => ({ a: String(at % 10) })),
  )
  const answer = await changeSchema(server, path, { table_schema: 'a I, b C(5)' })
  assert.equal(answer.status, 200, answer.text)
  await server.stop()
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))

  const { key } = server
  server = await startTestServer({ dataDir })
  const again: TestServer = {
    ...server,
    call: (method, address, given) => server.call(method, address, { key, ...given }),
  }
  await waitForIndex(again, url)
  await assertSearchesRight(again, url, [3, 9, 77, null])
  await server.stop()
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
})
