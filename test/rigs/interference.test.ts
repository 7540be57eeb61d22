// The short form of the interference rig (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInterference } from './interference/rig.ts'
import { SEED } from '../helpers/seed.ts'

test('two equal sites have equal responses, so that the rig is reliable', async () => {
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

test('private content changes no byte of a response without a key', async (t) => {
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

test('hidden content changes no byte of the responses to a key', async (t) => {
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
