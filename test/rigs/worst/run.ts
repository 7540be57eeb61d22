// The long form: `npm run rig:worst`, or for some routes `npm run rig:worst -- asset_category
// paths`.

import { parseArgs } from 'node:util'
import { withPlace } from '../nodes.ts'
import { runWorst } from './rig.ts'
import { FULL, SHORT } from './site.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ms: { type: 'string', default: '50' },
    size: { type: 'string', default: 'full' },
    by: { type: 'string', default: 'wall' },
    nodes: { type: 'string' },
  },
})
const { results, faults } = await withPlace(values.nodes, (place) =>
  runWorst({
    size: values.size === 'short' ? SHORT : FULL,
    maxMs: Number(values.ms),
    by: values.by === 'cpu' ? 'cpuMs' : 'wallMs',
    words: positionals,
    place,
    onProgress: console.log,
  }),
)
console.log(`${results.length} requests, ${faults.length} faults`)
for (const fault of faults) console.log(fault)
if (faults.length > 0) process.exitCode = 1
