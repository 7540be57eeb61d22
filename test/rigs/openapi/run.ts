// The long form: `npm run rig:openapi -- --requests 100000 --seed 7`. Each block of 20,000 requests
// has its own server and site, because requests leave many records.

import { parseArgs } from 'node:util'
import { runOpenApi } from './rig.ts'

const REQUESTS_PER_SITE = 20_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const total = new Map<number, number>()
let sent = 0
for (let seed = Number(values.seed); sent < Number(values.requests); seed += 1) {
  const requests = Math.min(REQUESTS_PER_SITE, Number(values.requests) - sent)
  const outcome = await runOpenApi({ seed, requests })
  sent += outcome.requests
  for (const [status, count] of outcome.byStatus)
    total.set(status, (total.get(status) ?? 0) + count)
  const statuses = [...total].toSorted().map(([status, count]) => `${status}: ${count}`)
  console.log(
    `seed ${seed}: ${sent} requests in all; ${outcome.succeeded} of ${outcome.operations} operations answered well; ${statuses.join(', ')}`,
  )
  for (const fault of outcome.faults) console.log(fault)
  if (outcome.faults.length > 0) process.exitCode = 1
}
