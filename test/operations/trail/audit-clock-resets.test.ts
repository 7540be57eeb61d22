// Rows of the audit trail when the engine rolls a commit back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putRowOfKey } from '../../../lib/operations/trail/audit.ts'
import { audit, auditClockReset, type Doer } from '../../../lib/schema/audit.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const doer: Doer = {
  user_name: null,
  user_id: null,
  api_key_id: null,
  api_key_name: null,
  address: null,
  request_id: null,
  action: 'revoke',
}

test('a row after a rolled-back clock reset stores the reset again', async () => {
  const kv = openMemoryKv()
  let isFull = false
  const records = openRecords({
    ...kv,
    commit: (plan) =>
      kv.commit((writer) => {
        const outcome = plan(writer)
        if (isFull) throw new Error('the disk is full')
        return outcome
      }),
  })
  let hour = 10
  const now = (): Date => new Date(Date.UTC(2026, 2, 1, hour))
  const putRows = (count: number): Promise<void> =>
    records.commit((unit) => {
      for (let row = 0; row < count; row += 1)
        putRowOfKey(unit, { records, now }, doer, { api_key_id: 1, name: 'a key' })
    })

  await putRows(1)
  hour = 9
  isFull = true
  await assert.rejects(putRows(2), /full/)
  isFull = false
  await putRows(2)
  const rows = records.list(audit.recordType, []).map(([id]) => Number(id))
  assert.deepEqual(rows, [1, 4, 5])
  assert.deepEqual(
    rows.map((id) => records.get(auditClockReset, id) !== undefined),
    [false, true, false],
  )
})
