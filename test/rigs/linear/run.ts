// The long form: `npm run rig:linear -- --histories 1000 --seed 7`.

import { parseArgs } from 'node:util'
import { startTestServer } from '../../helpers/server.ts'
import { runHistory } from './rig.ts'
import { SUBJECTS } from './subjects.ts'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1' },
    histories: { type: 'string', default: '200' },
    clients: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const server = await startTestServer({ config: { processes: Number(values.processes) } })
try {
  for (const kind of SUBJECTS) {
    let operations = 0
    for (let index = 0; index < Number(values.histories); index += 1) {
      const options = {
        seed: Number(values.seed) + index,
        clients: Number(values.clients),
        operations: 8,
      }
      operations += await runHistory(server, kind, options)
    }
    console.log(`${kind.name}: ${values.histories} histories, ${operations} operations`)
  }
} finally {
  await server.close()
}
