// Rows of the audit trail are searched for by their time without an index of it: as they follow each other, also where
// the clock was set back.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { auditTurn } from '../../../lib/schema/audit.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

after(() => removeDataDirectories())

const HOUR_MS = 3_600_000

/** Hours by which the clock is off, one after the other; some rows are made in each. */
const CLOCKS = [0, 1, 48, 2, 2, -24, 3, 3.001]

test('a time finds the rows of that time, whatever the clock did', async (t) => {
  let offsetMs = 0
  const now = (): Date => new Date(Date.parse('2026-03-01T00:00:00Z') + offsetMs)
  const dataDir = newDataDirectory()
  const server = await startTestServer({ dataDir, now })
  t.after(() => server.stop())
  const list = async (query: string): Promise<readonly any[]> => {
    const { status, body, text } = await server.call('GET', `/api/v2/audit?length=1000&${query}`)
    assert.equal(status, 200, text)
    return body.audit
  }
  for (const [at, hours] of CLOCKS.entries()) {
    for (let row = 0; row < 7; row += 1) {
      offsetMs = hours * HOUR_MS + row * 1_000
      const json = { name: `folder ${at} ${row}` }
      assert.equal((await server.call('POST', '/api/v2/asset_category', { json })).status, 201)
    }
  }

  const all = await list('')
  assert.ok(all.length >= CLOCKS.length * 7)
  const dates = [...new Set(all.map((row) => row.date_added as string))]
  const wanted = (isIn: (date: string) => boolean) => all.filter((row) => isIn(row.date_added))
  for (const date of [...dates, '2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']) {
    for (const [match, isIn] of [
      [date, (other: string) => other === date],
      [{ $gte: date }, (other: string) => other >= date],
      [{ $gt: date }, (other: string) => other > date],
      [{ $lt: date }, (other: string) => other < date],
      [{ $lte: date, $gt: dates[9] }, (other: string) => other <= date && other > `${dates[9]}`],
    ] as const) {
      const qry = encodeURIComponent(JSON.stringify({ date_added: match }))
      assert.deepEqual(await list(`qry=${qry}`), wanted(isIn), JSON.stringify(match))
    }
  }
  // By time is as they were written, the newest first.
  assert.deepEqual(await list('orderStr=date_added&orderDir=desc'), all.toReversed())
  await server.stop()
  let turns = 0
  await tamper(dataDir, async (_, records) => {
    turns = records.count(auditTurn)
  })
  // 48 → 2, 2 → 2 from its first second on, 2 → -24, and 3 → 3.001 by some seconds.
  assert.equal(turns, 4)
})
