// The long form: `npm run rig:upgrade -- --from COMMIT --rounds 1 --seed 7`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runUpgrade } from './rig.ts'
import { buildVersion, oldestOfForm, THIS_VERSION } from './versions.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    nodes: { type: 'string', default: '3' },
    writers: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '1' },
    pause: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const directory = mkdtempSync(join(tmpdir(), 'cms-older-'))
try {
  const from = buildVersion(values.from ?? oldestOfForm(), directory)
  console.log(`from ${from.name} to ${THIS_VERSION.name} and back, seed ${values.seed}`)
  const { faults, refusals, ...counts } = await runUpgrade({
    from,
    to: THIS_VERSION,
    seed: Number(values.seed),
    nodes: Number(values.nodes),
    writers: Number(values.writers),
    rounds: Number(values.rounds),
    pauseMs: Number(values.pause) * 1_000,
    onProgress: console.log,
  })
  console.log(JSON.stringify({ ...counts, refusals }))
  for (const fault of faults) console.log(fault)
  console.log(`${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
