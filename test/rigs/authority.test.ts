// The short form of the authority rig (test/rigs/README.md): sequences of a fixed seed and of the
// seed of the run.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCluster } from '../helpers/cluster.ts'
import { runAuthority } from './authority/rig.ts'
import { SEED } from '../helpers/seed.ts'

const SEQUENCES = 25
const SEQUENCES_OF_NODES = 8
const MAX_COMMANDS = 40

const cluster = await startCluster()

for (const seed of [1, SEED]) {
  test(`authority never grows in any sequence of requests (seed ${seed})`, async (t) => {
    const options = { seed, sequences: SEQUENCES, maxCommands: MAX_COMMANDS }
    const { granted, refused, probes, requests } = await runAuthority(options)
    assert.ok(granted > SEQUENCES && refused > SEQUENCES)
    t.diagnostic(
      `${granted} changes, ${refused} refusals, ${probes} questions, ${requests} requests`,
    )
  })
}

test(`authority never grows with requests to two nodes (seed ${SEED})`, async (t) => {
  const place = { cluster, nodes: 2 }
  const options = { seed: SEED, sequences: SEQUENCES_OF_NODES, maxCommands: MAX_COMMANDS, place }
  const { granted, refused, requests } = await runAuthority(options)
  assert.ok(granted > SEQUENCES_OF_NODES && refused > SEQUENCES_OF_NODES)
  t.diagnostic(`${granted} changes, ${refused} refusals, ${requests} requests`)
})
