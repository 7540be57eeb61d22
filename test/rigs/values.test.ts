// The short form of the rig of values (test/rigs/README.md).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_BROWSER } from '../helpers/browser.ts'
import { oneServer } from '../helpers/engine.ts'
import { SEED } from '../helpers/seed.ts'
import { runValues } from './values/rig.ts'

test(`a value is returned as it was sent, or refused (seed ${SEED})`, async (t) => {
  const forms = NO_BROWSER === false ? 1 : 0
  // Nodes of a cluster make no backups.
  const isMoved = oneServer('backup').skip === false
  const { faults, values, accepted } = await runValues({ seed: SEED, count: 8, forms, isMoved })
  assert.deepEqual(faults, [])
  assert.ok(accepted > 30, `${accepted} of ${values}`)
  t.diagnostic(`${accepted} of ${values} accepted`)
})
