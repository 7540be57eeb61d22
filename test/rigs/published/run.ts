// `npm run rig:published -- --sequences 200 --commands 60 --seed 7`

import { parseArgs } from 'node:util'
import { runPublished } from './rig.ts'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '200' },
    commands: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
let failures = 0
const { sequences, seed } = values
const outcome = await runPublished({
  seed: Number(seed),
  sequences: Number(sequences),
  maxCommands: Number(values.commands),
  onFailure(error) {
    failures += 1
    if (failures === 1) console.error(`${String(error)}\nIt is cut down now.`)
  },
})
const { commands, acknowledged, looks } = outcome
console.log(
  `seed ${seed}: ${commands} commands, ${acknowledged} of them acknowledged, ${looks} looks at all addresses`,
)
