// The short form of the model (test/rigs/README.md): sequences of a fixed seed and of the seed of
// the run.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCluster } from '../helpers/cluster.ts'
import { runModel } from './model/rig.ts'
import { SEED } from '../helpers/seed.ts'

const SEQUENCES = 4
const MAX_COMMANDS = 20

const cluster = await startCluster()

for (const seed of [1, SEED]) {
  test(`C1, C2, C5, C6: reads return the acknowledged state across kills and restarts (seed ${seed})`, async (t) => {
    const options = { seed, sequences: SEQUENCES, maxCommands: MAX_COMMANDS }
    const { commands, restarts } = await runModel(options)
    assert.ok(restarts >= SEQUENCES)
    t.diagnostic(`${commands} requests, ${restarts} restarts`)
  })
}

test(`C1, C2: reads on two nodes return the state that either acknowledged, across kills of one or both (seed ${SEED})`, async (t) => {
  const place = { cluster, nodes: 2 }
  const options = { seed: SEED, sequences: SEQUENCES / 2, maxCommands: MAX_COMMANDS, place }
  const { commands, restarts } = await runModel(options)
  assert.ok(restarts >= SEQUENCES / 2)
  t.diagnostic(`${commands} requests, ${restarts} restarts`)
})
