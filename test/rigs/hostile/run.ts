// The long form: `npm run rig:hostile -- --seconds 60 --storms 3 --seed 7`.

import { parseArgs } from 'node:util'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import { runHostile } from './rig.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    storms: { type: 'string', default: '3' },
    connections: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
console.log(`seed ${values.seed}`)
const { calm, storm, attacks, busy, acknowledged, faults } = await runHostile({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  storms: Number(values.storms),
  connections: Number(values.connections),
  settleMs: 60_000,
  onProgress: console.log,
})
for (const [name, count] of attacks) console.log(`${String(count).padStart(6)} ${name}`)
const times = (before: number, after: number): string => `${(after / before).toFixed(1)} times`
console.log(
  `p99 beside hostile connections: reads ${times(calm.readMs, storm.readMs)}, writes ${times(calm.writeMs, storm.writeMs)} that beside harmless ones`,
)
console.log(`${acknowledged} versions acknowledged, ${busy} requests told to come again`)
for (const fault of faults) console.log(fault)
removeDataDirectories()
if (faults.length > 0) process.exitCode = 1
