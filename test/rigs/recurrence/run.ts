// The long form: `npm run rig:recurrence -- --rules 100000 --seed 7`.

import { parseArgs } from 'node:util'
import { compareSeed } from './rig.ts'

const { values } = parseArgs({
  options: {
    rules: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const outcome = { rules: 0, refused: 0, occurrences: 0, wrong: 0 }
for (let index = 0; index < Number(values.rules); index += 1) {
  outcome.rules += 1
  try {
    const found = compareSeed(Number(values.seed) + index)
    if (found === undefined) outcome.refused += 1
    outcome.occurrences += found ?? 0
  } catch (error) {
    outcome.wrong += 1
    process.exitCode = 1
    console.error(error instanceof Error ? error.message.slice(0, 1_000) : error)
  }
}
console.log(`from seed ${values.seed}: ${JSON.stringify(outcome)}`)
