// The short form of the rig of values (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEED } from '../helpers/seed.ts'
import { runValues } from './values/rig.ts'

for (const seed of [1, SEED])
  test(`a value comes back as it was sent, or is refused (seed ${seed})`, async (t) => {
    const { faults, values, accepted } = await runValues({ seed, count: 12 })
    assert.deepEqual(faults, [])
    assert.ok(accepted > 30, `${accepted} of ${values}`)
    t.diagnostic(`${accepted} of ${values} accepted`)
  })
