// The long form: `npm run rig:schedules -- --files 1000 --kills 10 --minutes 3 [--nodes 2]`.

import { parseArgs } from 'node:util'
import { withPlace } from '../nodes.ts'
import { runSchedules } from './rig.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '3' },
    nodes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const outcome = await withPlace(values.nodes, (place) =>
  runSchedules({
    seed,
    files: Number(values.files),
    kills: Number(values.kills),
    spanMs: Number(values.minutes) * 60_000,
    place,
    onProgress: console.log,
  }),
)
console.log(JSON.stringify(outcome))
if (outcome.faults.length > 0) process.exitCode = 1
