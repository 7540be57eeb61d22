// The short form of the model (test/rigs/README.md): sequences of one seed that stays, and of the seed
// of the run.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runModel } from './model/rig.ts'
import { SEED } from '../helpers/seed.ts'

const SEQUENCES = 4
const MAX_COMMANDS = 20

for (const seed of [1, SEED]) {
  test(`C1, C2, C5, C6: what can be read is what was acknowledged, over kills and restarts (seed ${seed})`, async (t) => {
    const options = { seed, sequences: SEQUENCES, maxCommands: MAX_COMMANDS }
    const { commands, restarts } = await runModel(options)
    assert.ok(restarts >= SEQUENCES)
    t.diagnostic(`${commands} requests, ${restarts} restarts`)
  })
}
