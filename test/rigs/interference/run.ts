// The long form: `npm run rig:interference -- --requests 20000 --sites 60 --seed 7`. With `--nodes
// 2` each site runs on two nodes.

import { parseArgs } from 'node:util'
import { withPlace } from '../nodes.ts'
import { runInterference } from './rig.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    sites: { type: 'string', default: '60' },
    nodes: { type: 'string' },
    only: { type: 'string' },
    same: { type: 'boolean', default: false },
    traced: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const options = {
  seed: Number(values.seed),
  requests: Number(values.requests),
  sites: Number(values.sites),
  most: 40,
  traced: Number(values.traced),
  only: values.only,
  ...(values.same && { kept: new Set<string>() }),
  onProgress: (text: string) => console.log(text),
}
const outcome = await withPlace(values.nodes, (place) => runInterference({ ...options, place }))
const { requests, byStatus, unasked, seen, faults } = outcome
const statuses = [...byStatus].toSorted().map(([status, count]) => `${status}: ${count}`)
console.log(`seed ${values.seed}: ${requests} requests; ${statuses.join(', ')}`)
for (const route of values.only === undefined ? unasked : []) console.log(`never asked: ${route}`)
for (const [name, count] of [...seen].toSorted(([, left], [, right]) => right - left))
  console.log(`${count} times: ${name}`)
if (faults.length > 0 || (unasked.length > 0 && values.only === undefined)) process.exitCode = 1
