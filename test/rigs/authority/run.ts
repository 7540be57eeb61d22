// The long form: `npm run rig:authority -- --sequences 500 --commands 60 --seed 7`. The option `--path`
// repeats a failure, and `--fault grew` looks for a single kind of fault. The option `--only makeKey`
// runs a single command, and `--nodes 2` runs on nodes of one site.

import { parseArgs } from 'node:util'
import { withPlace } from '../nodes.ts'
import { runAuthority } from './rig.ts'

let failures = 0
const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '300' },
    commands: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
    nodes: { type: 'string' },
    fault: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
  },
})
const { sequences, commands: maxCommands, seed, path, fault: faults, only } = values
const options = {
  seed: Number(seed),
  sequences: Number(sequences),
  maxCommands: Number(maxCommands),
  path,
  faults,
  only,
  onFailure(error: unknown) {
    failures += 1
    if (failures === 1) console.error(`${String(error)}\nIt is cut down now.`)
  },
}
const { requests, granted, refused, probes } = await withPlace(values.nodes, (place) =>
  runAuthority({ ...options, place }),
)
console.log(
  `seed ${seed}: ${sequences} sequences, ${granted} changes, ${refused} refusals, ${probes} questions, ${requests} requests`,
)
