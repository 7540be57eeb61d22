// Rows are removed exactly when their retention ends, and the work then rests until the next row
// expires.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBackground } from '../../../lib/operations/background/background.ts'
import { openRetentionClock } from '../../../lib/operations/background/retention-clock.ts'
import { expireAudit } from '../../../lib/operations/trail/audit-rules.ts'
import { expireRows } from '../../../lib/operations/trail/idempotency.ts'
import { readChangeLog } from '../../../lib/operations/trail/change-log.ts'
import { type Audit, audit } from '../../../lib/schema/audit.ts'
import { changeLog, newEpoch } from '../../../lib/schema/change-log.ts'
import { idempotencyCount, idempotencyRow } from '../../../lib/schema/server-records.ts'
import type { Unit } from '../../../lib/storage/port.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const NOW_MS = Date.parse('2026-03-04T05:06:07.008Z')
const DAY_MS = 24 * 60 * 60 * 1_000
const dateOf = (ageMs: number): string => new Date(NOW_MS - ageMs).toISOString()

type Services = Parameters<typeof expireRows>[0]

/** Starts the work on records with these rows and stops it when it rests for the first time. */
async function runOnce(
  put: (unit: Unit) => void,
  begin: (services: Services, signal: AbortSignal) => Promise<void>,
): Promise<Services['records']> {
  const records = openRecords(openMemoryKv())
  await records.commit(put)
  const now = (): Date => new Date(NOW_MS)
  const known = { lastMs: undefined, jumps: [] }
  const retentionClock = openRetentionClock({
    known,
    now,
    uptimeMs: () => 0,
    onJump: () => undefined,
    onSetBack: () => undefined,
  })
  const limits = { idempotencyMs: DAY_MS, maxIdempotencyRows: 10 }
  const faults: unknown[] = []
  const { run, close } = openBackground((_, fault) => faults.push(fault))
  const stop = new AbortController()

  let rests = Promise.resolve()
  const background = { run: (...work: Parameters<typeof run>) => (rests = run(...work)), close }
  const works = begin({ records, now, retentionClock, limits, background }, stop.signal)
  await rests
  stop.abort()
  await assert.rejects(works, { name: 'AbortError' })
  assert.deepEqual(faults, [])
  return records
}

test('rows of the audit trail are kept for exactly their days', async () => {
  const ages = [3 * DAY_MS, 2 * DAY_MS + 1, 2 * DAY_MS, DAY_MS]
  const records = await runOnce(
    (unit) => {
      for (const [at, age] of ages.entries())
        unit.put(audit.recordType, [at + 1], { audit_id: at + 1, date_added: dateOf(age) } as Audit)
    },
    (services, signal) => expireAudit(services, { days: 2, rows: 0 }, signal),
  )
  assert.deepEqual(records.list(audit.recordType, []), [[3], [4]])
})

test('only the newest rows up to the maximum are kept, whatever their age', async () => {
  const records = await runOnce(
    (unit) => {
      unit.put(changeLog, [1], { epoch: newEpoch(), removed: 0 })
      for (let id = 1; id <= 500; id += 2)
        unit.put(audit.recordType, [id], { audit_id: id, date_added: dateOf(0) } as Audit)
    },
    (services, signal) => expireAudit(services, { days: 0, rows: 3 }, signal),
  )
  assert.deepEqual(records.list(audit.recordType, []), [[495], [497], [499]])
  assert.equal(readChangeLog(records).removed, 493)
})

test('expired rows of Idempotency-Keys are removed and no longer counted', async () => {
  const row = { fingerprint: 'x', authority: 'y', made: {}, answer: null }
  const records = await runOnce((unit) => {
    for (const [keyId, name, age] of [
      [1, 'old', 2 * DAY_MS],
      [1, 'older', 3 * DAY_MS],
      [1, 'new', 1],
      [2, 'old', 2 * DAY_MS],
    ] as const)
      unit.put(idempotencyRow, [keyId, name], { ...row, date_added: dateOf(age) })
    unit.put(idempotencyCount, [1], { rows: 3 })
    unit.put(idempotencyCount, [2], { rows: 1 })
  }, expireRows)
  assert.deepEqual(records.list(idempotencyRow, []), [[1, 'new']])
  assert.deepEqual(records.get(idempotencyCount, 1)?.value, { rows: 1 })
  assert.equal(records.get(idempotencyCount, 2), undefined)
})
