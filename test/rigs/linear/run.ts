// The long form: `npm run rig:linear -- --histories 1000 --seed 7`, and with `--nodes 2` on nodes
// of one site.

import { parseArgs } from 'node:util'
import { startTestServer } from '../../helpers/server.ts'
import { withPlace } from '../nodes.ts'
import { openSpread, type Spread } from './nodes.ts'
import { SITE } from './public.ts'
import { runHistory } from './rig.ts'
import { SUBJECTS } from './subjects.ts'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1' },
    nodes: { type: 'string' },
    histories: { type: 'string', default: '200' },
    clients: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)

async function runAll(server: Spread): Promise<void> {
  for (const kind of SUBJECTS) {
    let operations = 0
    for (let index = 0; index < Number(values.histories); index += 1) {
      const options = { seed: seed + index, clients: Number(values.clients), operations: 8 }
      operations += await runHistory(server, kind, options)
    }
    console.log(`${kind.name}: ${values.histories} histories, ${operations} operations`)
  }
}

await withPlace(values.nodes, async (place) => {
  const server =
    place === undefined
      ? await startTestServer({ config: { processes: Number(values.processes), sites: [SITE] } })
      : await openSpread(place, seed)
  try {
    await runAll(server)
    console.log(`seed ${seed}`)
  } finally {
    await server.close()
  }
})
