// Revoking keys together with the keys that they made, including keys that are made meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteRevoked, revokeTask } from '../../../lib/operations/people/revoking.ts'
import { apiKey } from '../../../lib/schema/api-key.ts'
import { pendingWork, type RevokeWork } from '../../../lib/schema/pending-work.ts'
import { buildRecord } from '../../../lib/schema/record.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const NEVER = new AbortController().signal
const NOW = new Date('2026-01-02T03:04:05.000Z')

/** Key 1 made keys 2 and 3, key 2 made key 4, and key 4 made key 5. No key made key 6. */
const MAKERS: readonly (readonly [id: number, madeBy: number | null])[] = [
  [1, null],
  [2, 1],
  [3, 1],
  [4, 2],
  [5, 4],
  [6, null],
]

async function open() {
  const records = openRecords(openMemoryKv())
  const values = { name: 'x', user_id: 1, grants: null, asset_category_id: null, status: 'active' }
  await records.commit((unit) => {
    for (const [id, made_by] of MAKERS) {
      const key = buildRecord(apiKey, values, { id, owner: 'x', now: NOW.toISOString() })
      unit.put(apiKey.recordType, [id], { ...key, made_by })
    }
  })
  const revoking = new Set<number>()
  const left = (): readonly number[] =>
    MAKERS.map(([id]) => id).filter((id) => records.get(apiKey.recordType, id) !== undefined)
  return { records, revoking, now: () => NOW, left }
}

const WORKS: readonly (readonly [
  what: string,
  work: Pick<RevokeWork, 'api_key_ids' | 'spared'>,
  ended: readonly number[],
])[] = [
  ['keys that were made meanwhile are included', { api_key_ids: [1], spared: [] }, [1, 2, 3, 4, 5]],
  ['a spared key stays with its descendants', { api_key_ids: [1], spared: [2] }, [1, 3]],
  ['all descendants stay', { api_key_ids: [1], spared: null }, [1]],
  ['the descendants of several keys stay', { api_key_ids: [2, 6], spared: null }, [2, 6]],
  ['a key without descendants is revoked alone', { api_key_ids: [5], spared: [] }, [5]],
]

for (const [what, { api_key_ids, spared }, ended] of WORKS) {
  const work: RevokeWork = { kind: 'revoke', api_key_ids, spared, doer: null }
  const others = MAKERS.map(([id]) => id).filter((id) => !ended.includes(id))

  test(`${what}: when keys are revoked`, async () => {
    const { left, ...services } = await open()
    await services.records.commit((unit) => unit.put(pendingWork, ['work'], work))
    await revokeTask(services, 'work', work).run(NEVER)
    assert.deepEqual(left(), others)
    assert.equal(services.records.get(pendingWork, 'work'), undefined)
    assert.deepEqual([...services.revoking], [])
  })

  test(`${what}: when a start has refused the keys before it revokes them`, async () => {
    const { left, ...services } = await open()
    noteRevoked(services, work)
    await revokeTask(services, 'work', work).run(NEVER)
    assert.deepEqual(left(), others)
    assert.deepEqual([...services.revoking], [])
  })

  test(`${what}: when keys are to be revoked by another server`, async () => {
    const { left, ...services } = await open()
    noteRevoked(services, work)
    assert.deepEqual(
      [...services.revoking].toSorted((one, other) => one - other),
      ended,
    )
    assert.equal(left().length, MAKERS.length)
  })
}
