// The short form of the rig of the published state (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEED } from '../helpers/seed.ts'
import { runPublished } from './published/rig.ts'

for (const seed of [1, SEED])
  test(`visitors see changes only after a publish, and no address changes its meaning (seed ${seed})`, async (t) => {
    const outcome = await runPublished({ seed, sequences: 5, maxCommands: 25 })
    assert.ok(outcome.acknowledged > 20, JSON.stringify(outcome))
    t.diagnostic(JSON.stringify(outcome))
  })
