// The worst requests on the worst site (test/rigs/README.md), in short: a smaller site, and a bound that only a
// request exceeds which holds the loop by itself. `npm run rig:worst` holds it against the 50 ms of the promise.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { runWorst } from './worst/rig.ts'
import { SHORT } from './worst/site.ts'

const skip = existsSync('/proc/self/schedstat') ? false : 'needs /proc'

test('no request holds the loop, and no answer is over its bound', {
  skip,
  timeout: 280_000,
}, async (t) => {
  const { results, faults } = await runWorst({
    size: SHORT,
    // Ten times the promise, of the processor alone: what else the machine does decides nothing.
    maxMs: 500,
    by: 'cpuMs',
    onProgress: () => undefined,
  })
  const slowest = results.toSorted((left, right) => right.cpuMs - left.cpuMs).slice(0, 3)
  for (const { route, what, cpuMs } of slowest)
    t.diagnostic(`${cpuMs.toFixed(0)} ms of processor: ${route}, ${what}`)
  assert.deepEqual(faults, [])
  assert.ok(results.length > 150, `${results.length}`)
})
