// The long form: `npm run rig:model -- --sequences 500 --commands 60 --seed 7`; `--path` repeats a failure.

import { parseArgs } from 'node:util'
import { runModel } from './rig.ts'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '200' },
    commands: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
  },
})
const { sequences, commands: maxCommands, seed, path } = values
const options = {
  seed: Number(seed),
  sequences: Number(sequences),
  maxCommands: Number(maxCommands),
  path,
}
const { commands, restarts } = await runModel(options)
console.log(`seed ${seed}: ${sequences} sequences, ${commands} requests, ${restarts} restarts`)
