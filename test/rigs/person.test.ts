// The short form of the rig of limits by person (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneNode } from '../helpers/two-doors.ts'
import { SEED } from '../helpers/seed.ts'
import { runPerson } from './person/rig.ts'

test(
  `any number of keys and addresses get no more than the share of their person (seed ${SEED})`,
  oneNode('running'),
  async (t) => {
    const { streams, refused } = await runPerson({ seed: SEED, rounds: 3 })
    assert.ok(refused > 0 && refused < streams)
    t.diagnostic(`${streams} streams asked for, ${refused} refused`)
  },
)
