// The short form of the interference rig (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInterference } from './interference/rig.ts'
import { SEED } from '../helpers/seed.ts'

test('two sites that are the same answer the same, or the rig is at fault', async () => {
  const kept = new Set<string>()
  const outcome = await runInterference({
    seed: 1,
    requests: 80,
    sites: 2,
    most: 1,
    traced: 0,
    kept,
  })
  assert.deepEqual(outcome.faults, [])
})

test('what is not public changes no byte of what is answered without a key', async (t) => {
  const outcome = await runInterference({
    seed: SEED,
    requests: 300,
    sites: 1,
    most: 4,
    traced: 2,
    only: 'nobody',
  })
  const { requests, byStatus, faults } = outcome
  t.diagnostic(`seed ${SEED}: ${requests} requests`)
  assert.equal(faults.join('\n'), '')
  for (const status of [200, 304, 400, 401, 404]) assert.ok(byStatus.has(status), `${status}`)
  assert.equal(byStatus.get(500), undefined)
})

test('what a key cannot see changes no byte of what it is answered', async (t) => {
  const outcome = await runInterference({
    seed: SEED,
    requests: 1_000,
    sites: 8,
    most: 6,
    traced: 2,
  })
  const { requests, byStatus, unasked, faults } = outcome
  t.diagnostic(`seed ${SEED}: ${requests} requests`)
  assert.equal(faults.join('\n'), '')
  assert.deepEqual(unasked, [])
  for (const status of [200, 201, 400, 403, 404, 422]) assert.ok(byStatus.has(status), `${status}`)
})
