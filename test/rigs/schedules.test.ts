// The short form of the rig of schedules (test/rigs/README.md). A busy machine may be late, so the long form alone judges
// how late a publication is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneServer } from '../helpers/engine.ts'
import { SEED } from '../helpers/seed.ts'
import { runSchedules } from './schedules/rig.ts'

test(
  'each file is published once and not early, across kills and clock changes',
  oneServer('child'),
  async (t) => {
    const outcome = await runSchedules({ seed: SEED, files: 40, kills: 3, spanMs: 6_000 })
    assert.equal(outcome.published, 40)
    assert.deepEqual(
      outcome.faults.filter((fault) => !fault.endsWith('late')),
      [],
    )
    t.diagnostic(JSON.stringify(outcome))
  },
)
