// `npm run rig:values -- --count 200 --seed 7`: so many values of each type.

import { parseArgs } from 'node:util'
import { runValues } from './rig.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const { count, seed } = values
const outcome = await runValues({ seed: Number(seed), count: Number(count) })
for (const fault of outcome.faults) console.log(fault)
console.log(
  `seed ${seed}: ${outcome.values} values, ${outcome.accepted} of them accepted, ${outcome.faults.length} faults`,
)
process.exitCode = outcome.faults.length > 0 ? 1 : 0
