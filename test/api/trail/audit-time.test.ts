// Audit rows are searched by time without an index on the time. The search relies on their order and stays
// correct when the clock was set back: once, slightly at every change, or a thousand times.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { audit, auditClockReset } from '../../../lib/schema/audit.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

after(() => removeDataDirectories())

const HOUR_MS = 3_600_000

/** Successive clock offsets in hours. Some rows are written at each offset. */
const CLOCKS = [0, 1, 48, 2, 2, -24, 3, 3.001]

const START_MS = Date.parse('2026-03-01T00:00:00Z')

async function listOf(server: TestServer, query: string): Promise<readonly any[]> {
  const { status, body, text } = await server.call('GET', `/api/v2/audit?length=1000&${query}`)
  assert.equal(status, 200, text)
  return body.audit
}

/**
 * Searches for each date of a row, for dates before and after all rows, and for ranges that end at each date.
 */
async function assertFound(server: TestServer): Promise<void> {
  const all = await listOf(server, '')
  const dates = [...new Set(all.map((row) => row.date_added as string))]
  // A node never dates a row before the previous row, so there may be few dates.
  const early = dates[9] ?? dates[0] ?? ''
  const wanted = (isIn: (date: string) => boolean) => all.filter((row) => isIn(row.date_added))
  for (const date of [...dates, '2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']) {
    for (const [match, isIn] of [
      [date, (other: string) => other === date],
      [{ $gte: date }, (other: string) => other >= date],
      [{ $gt: date }, (other: string) => other > date],
      [{ $lt: date }, (other: string) => other < date],
      [{ $lte: date, $gt: early }, (other: string) => other <= date && other > early],
    ] as const) {
      const qry = encodeURIComponent(JSON.stringify({ date_added: match }))
      assert.deepEqual(await listOf(server, `qry=${qry}`), wanted(isIn), JSON.stringify(match))
    }
  }
  // The order by time equals the order of writing.
  assert.deepEqual(await listOf(server, 'orderStr=date_added&orderDir=desc'), all.toReversed())
}

async function turnsIn(dataDir: string): Promise<number> {
  let resets = 0
  await tamper(dataDir, async (_, records) => {
    resets = records.count(auditClockReset)
  })
  return resets
}

async function addFolder(server: TestServer, name: string): Promise<void> {
  const { status, text } = await server.call('POST', '/api/v2/asset_category', { json: { name } })
  assert.equal(status, 201, text)
}

test('a search by time finds the rows of that time after any clock jumps', async (t) => {
  let offsetMs = 0
  const now = (): Date => new Date(START_MS + offsetMs)
  const dataDir = newDataDirectory()
  const server = await startTestServer({ dataDir, now })
  t.after(() => server.stop())
  for (const [at, hours] of CLOCKS.entries()) {
    for (let row = 0; row < 7; row += 1) {
      offsetMs = hours * HOUR_MS + row * 1_000
      await addFolder(server, `folder ${at} ${row}`)
    }
  }
  assert.ok((await listOf(server, '')).length >= CLOCKS.length * 7)
  await assertFound(server)
  await server.stop()
  // 48 → 2, 2 → 2 from its first second on, 2 → -24, and 3 → 3.001 by some seconds.
  assert.equal(await turnsIn(dataDir), 4)
})

test('repeated small steps back of less than a second in all do not count as a clock that was set back', async (t) => {
  let offsetMs = 0
  const now = (): Date => new Date(START_MS + offsetMs)
  const dataDir = newDataDirectory()
  for (const round of [0, 1]) {
    const server = await startTestServer({ dataDir, now })
    t.after(() => server.stop())
    for (let row = 0; row < 20; row += 1) {
      offsetMs = round * HOUR_MS + (row % 2) * 500 - row * 20
      await addFolder(server, `folder ${round} ${row}`)
    }
    // A refused change writes no row, so its clock does not count.
    offsetMs = 10 * HOUR_MS
    const json = { name: `folder ${round} 1` }
    assert.equal((await server.call('POST', '/api/v2/asset_category', { json })).status, 409)
    offsetMs = round * HOUR_MS
    await addFolder(server, `folder ${round} last`)
    await assertFound(server)
    await server.stop()
  }
  assert.equal(await turnsIn(dataDir), 0)
})

test('rows are found by time after a clock was set back thousands of times', async (t) => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  await first.stop()
  const dates: string[] = []
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const start = records.nextId(audit.recordType)
      const row = unit.get(audit.recordType, 1)?.value
      assert.ok(row !== undefined)
      for (let at = 0; at < 6_000; at += 1) {
        // Every second row is dated three hours before the row that precedes it.
        const isReset = at % 2 === 0
        const date_added = new Date(START_MS + (at + (isReset ? 0 : 4)) * HOUR_MS).toISOString()
        dates.push(date_added)
        if (isReset) unit.put(auditClockReset, [start + at], { date_added })
        unit.put(audit.recordType, [start + at], { ...row, audit_id: start + at, date_added })
      }
    }),
  )
  const server = await startTestServer({ dataDir })
  t.after(() => server.stop())
  for (const at of [0, 1, 2_500, 2_501, 5_999]) {
    const qry = encodeURIComponent(JSON.stringify({ date_added: dates[at] }))
    const { body, headers } = await server.call('GET', `/api/v2/audit?qry=${qry}`)
    assert.deepEqual(
      body.audit.map((row: any) => row.date_added),
      dates.filter((date) => date === dates[at]),
    )
    const [, scanned] = /scanned (\d+)/.exec(String(headers['server-timing'])) ?? []
    assert.ok(Number(scanned) < 20, String(headers['server-timing']))
  }
})
