// The long form: `npm run rig:interference -- --requests 20000 --sites 56 --seed 7`.

import { parseArgs } from 'node:util'
import { runInterference } from './rig.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    sites: { type: 'string', default: '56' },
    same: { type: 'boolean', default: false },
    traced: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const { requests, byStatus, unasked, seen, faults } = await runInterference({
  seed: Number(values.seed),
  requests: Number(values.requests),
  sites: Number(values.sites),
  most: 40,
  traced: Number(values.traced),
  ...(values.same && { kept: new Set<string>() }),
  onProgress: (text) => console.log(text),
})
const statuses = [...byStatus].toSorted().map(([status, count]) => `${status}: ${count}`)
console.log(`seed ${values.seed}: ${requests} requests; ${statuses.join(', ')}`)
for (const route of unasked) console.log(`never asked: ${route}`)
for (const [name, count] of [...seen].toSorted(([, left], [, right]) => right - left))
  console.log(`${count} times: ${name}`)
if (faults.length > 0 || unasked.length > 0) process.exitCode = 1
