// The long form: `npm run rig:model -- --sequences 500 --commands 60 --seed 7`; `--path` repeats a
// failure, and `--nodes 2` runs on nodes of one site.

import { parseArgs } from 'node:util'
import { type Place, withPlace } from '../nodes.ts'
import { type ModelOptions, runModel } from './rig.ts'

let failures = 0
const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '200' },
    commands: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
    nodes: { type: 'string' },
  },
})
const { sequences, commands: maxCommands, seed, path, nodes } = values
const options = (place: Place | undefined): ModelOptions => ({
  place,
  seed: Number(seed),
  sequences: Number(sequences),
  maxCommands: Number(maxCommands),
  path,
  onFailure(error, sequence) {
    failures += 1
    if (failures === 1) console.error(`${String(error)}\n${sequence}\nIt is cut down now.`)
  },
})
const { commands, restarts } = await withPlace(nodes, (place) => runModel(options(place)))
console.log(`seed ${seed}: ${sequences} sequences, ${commands} requests, ${restarts} restarts`)
