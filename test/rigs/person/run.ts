// `npm run rig:person -- --rounds 50 --seed 7`

import { parseArgs } from 'node:util'
import { runPerson } from './rig.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const { rounds, seed } = values
const { streams, refused } = await runPerson({ seed: Number(seed), rounds: Number(rounds) })
console.log(`seed ${seed}: ${rounds} plans, ${streams} streams asked for, ${refused} refused`)
