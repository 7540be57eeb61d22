// The short form of the worst-case rig (test/rigs/README.md): a smaller site, and a limit that only
// a request exceeds that blocks the loop by itself. `npm run rig:worst` checks the promised 50 ms.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { runWorst } from './worst/rig.ts'
import { SHORT } from './worst/site.ts'

const skip = existsSync('/proc/self/schedstat') ? false : 'needs /proc'

test('no request blocks the event loop, and no response exceeds its bound', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const { results, faults } = await runWorst({
    size: SHORT,
    // Five times the promised limit, in processor time only, so that other load on the machine does
    // not count.
    maxMs: 250,
    by: 'cpuMs',
    onProgress: () => undefined,
  })
  const slowest = results.toSorted((left, right) => right.cpuMs - left.cpuMs).slice(0, 3)
  for (const { route, what, cpuMs } of slowest)
    t.diagnostic(`${cpuMs.toFixed(0)} ms of processor: ${route}, ${what}`)
  assert.deepEqual(faults, [])
  assert.ok(results.length > 150, `${results.length}`)
})
