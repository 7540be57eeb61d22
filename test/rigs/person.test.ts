// The short form of the rig of limits for each user (test/rigs/README.md).

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { oneServer } from '../helpers/engine.ts'
import { SEED } from '../helpers/seed.ts'
import { runPerson } from './person/rig.ts'

const { skip } = oneServer('child')

test(`any number of keys, sessions and addresses share the limits of their user (seed ${SEED})`, {
  skip: existsSync('/proc/self/schedstat') ? skip : 'needs /proc',
}, async (t) => {
  const { asked, refused, slow } = await runPerson({ seed: SEED, rounds: 4 })
  const all = Object.values(asked).reduce((sum, count) => sum + count, 0)
  assert.ok(slow > 0 || (refused > 0 && refused < all))
  t.diagnostic(`${all} asked for, ${refused} refused`)
})
