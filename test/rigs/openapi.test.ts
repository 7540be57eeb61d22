// The short form of the OpenAPI rig (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOpenApi } from './openapi/rig.ts'
import { SEED } from '../helpers/seed.ts'

/** With this number, more than a third of the operations succeed. */
const REQUESTS = 1_400

for (const seed of [1, SEED]) {
  test(`B8, B9, H18: responses to any request match the documents (seed ${seed})`, async (t) => {
    const outcome = await runOpenApi({
      seed,
      requests: REQUESTS,
    })
    const { requests, succeeded, operations, byStatus, faults } = outcome
    t.diagnostic(`${requests} requests, ${succeeded} of ${operations} operations answered well`)
    assert.deepEqual(faults, [])
    assert.ok(requests >= REQUESTS && succeeded > operations * 0.35, `only ${succeeded} did`)
    for (const status of [200, 201, 400, 404, 422]) assert.ok(byStatus.has(status), `${status}`)
  })
}
