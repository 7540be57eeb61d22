// `npm run rig:values -- --count 200 --forms 20 --seed 7`: the numbers of values of each type, and
// of entries made with the form.

import { parseArgs } from 'node:util'
import { NO_BROWSER } from '../../helpers/browser.ts'
import { runValues } from './rig.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    forms: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const { count, seed } = values
if (NO_BROWSER !== false) console.log(`without the administration area: ${NO_BROWSER}`)
const forms = NO_BROWSER === false ? Number(values.forms) : 0
const options = { seed: Number(seed), count: Number(count), forms, isMoved: true }
const { faults, values: sent, accepted } = await runValues(options)
for (const fault of faults) console.log(fault)
console.log(`seed ${seed}: ${sent} values, ${accepted} of them accepted, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
