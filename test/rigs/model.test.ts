// The short form of the model (test/rigs/README.md): the same sequences each time, and
// others each time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runModel } from './model/rig.ts'

const SEQUENCES = 4
const MAX_COMMANDS = 20

for (const seed of [1, Date.now() % 1_000_000]) {
  test(`C1, C2, C5, C6: what can be read is what was acknowledged, over kills and restarts (seed ${seed})`, async (t) => {
    const options = { seed, sequences: SEQUENCES, maxCommands: MAX_COMMANDS }
    const { commands, restarts } = await runModel(options)
    assert.ok(restarts >= SEQUENCES)
    t.diagnostic(`${commands} requests, ${restarts} restarts`)
  })
}
