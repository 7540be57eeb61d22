// Every call of every kind of write, with each possible fault: see injection.ts. CMS_RIG=full tries
// all faults; otherwise TEST_SEED selects a sample and repeats the selection of a run.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPool } from '../../lib/workers/pool.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { inject, measure, pointsOf, type Prepared, tryAll } from './injection.ts'
import { makeOperationSite, OPERATIONS, TRASH_OPERATIONS } from './operations.ts'
import { IS_FULL, sample } from './sampling.ts'
import { SEED } from '../helpers/seed.ts'
import { whyNoShim } from './shim.ts'

const SHORT_POINTS = 1

const skip = whyNoShim() ?? false
const pool = openPool(1)
let prepared: Prepared
let withTrash: Prepared
before(async () => {
  prepared = { ...(await makeOperationSite()), pool }
  withTrash = { ...(await makeOperationSite({ hasTrash: true })), pool, trashDays: 30 }
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

for (const operation of [...OPERATIONS, ...TRASH_OPERATIONS]) {
  const name = `S1, S2, S3, S7-S11, S13-S16: "${operation.name}" is whole or nothing, whatever call fails`
  test(`${name} (TEST_SEED=${SEED})`, { skip }, async (t) => {
    const site = TRASH_OPERATIONS.includes(operation) ? withTrash : prepared
    const reference = await measure(site, operation)
    const points = pointsOf(reference.calls)
    const chosen = IS_FULL ? points : sample(points, SHORT_POINTS)
    const counts = await tryAll(operation.name, chosen, (point) => inject(site, reference, point))
    assert.ok(points.length > 0, 'the shim saw nothing')
    t.diagnostic(`${chosen.length} of ${points.length} points: ${JSON.stringify(counts)}`)
  })
}
