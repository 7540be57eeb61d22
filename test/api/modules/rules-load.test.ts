// Rules and computed columns are added to a table with 4,000 entries while other clients write: no write bypasses a rule, and
// the indexes that are built in the background are complete.

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import {
  changeSchema,
  listAll,
  type MadeModule,
  makeEntries,
  makeTable,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'

/** Enough entries that an index is built after the answer. */
const SIZE = 4_000
const RULES = "a I, b I, sum I COMPUTED 'a + b', CHECK(a >= 0), UNIQUE(a, b)"

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

async function makeFilled(): Promise<MadeModule> {
  const table = await makeTable(server, 'a I, b I')
  const rows = Array.from({ length: SIZE }, (_, at) => ({ a: at % 100, b: at }))
  await makeEntries(server, table.url, rows)
  return table
}

/** Repeats a write until the index of the new rule is complete. */
async function patient(send: () => Promise<Answer>): Promise<Answer> {
  for (let left = 600; left > 0; left -= 1) {
    const answer = await send()
    if (answer.status !== 503) return answer
    assert.equal(answer.headers['retry-after'], '1')
    await wait(50)
  }
  return assert.fail('the index was not complete in time')
}

test('no concurrent write breaks a new rule', async () => {
  const table = await makeFilled()
  const change = changeSchema(server, table.path, { table_schema: RULES })
  const writes = Array.from({ length: 60 }, async (_, at) => {
    const json = at % 3 === 0 ? { a: -1, b: -at } : { a: 5, b: at % 3 === 1 ? 105 : 100_000 + at }
    return server.call('POST', table.url, { json })
  })
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  assert.ok(
    statuses.every((status) => [201, 409, 422, 503].includes(status)),
    statuses.join(),
  )
  const changed = await change
  assert.ok([200, 409].includes(changed.status), changed.text)

  const all = await listAll(server, table.url, {})
  const pairs = new Set(all.map(({ a, b }) => `${a} ${b}`))
  const isKept = pairs.size === all.length && all.every(({ a }) => Number(a) >= 0)
  // Writes before the change may break the rules; then the change is refused.
  assert.equal(isKept, changed.status === 200)
})

test('a rule holds while its index is being built, also across a restart', async () => {
  const table = await makeFilled()
  const changed = await changeSchema(server, table.path, { table_schema: RULES })
  assert.equal(changed.status, 200, changed.text)
  await server.stop()
  await tamper(server.dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
  server = await startTestServer({ dataDir: server.dataDir })

  const same = { a: 7, b: 107 }
  const refused = await patient(() => server.call('POST', table.url, { json: same }))
  assertProblem(refused, 'not-unique')
  const free = await patient(() => server.call('POST', table.url, { json: { a: 7, b: 108 } }))
  assert.equal(free.status, 201, free.text)
  const found = await listAll(server, table.url, { qry: { sum: 115 }, orderStr: 'a' })
  assert.deepEqual(
    found.map(({ a, b }) => [a, b]),
    [[7, 108]],
  )
  await server.stop()
  await tamper(server.dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
  server = await startTestServer({ dataDir: server.dataDir })
})
