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
const outcome = await runPerson({ seed: Number(seed), rounds: Number(rounds) })
const { asked, refused, slow, stretches, load } = outcome
const kinds = Object.entries(asked).map(([kind, count]) => `${kind} ${count}`)
console.log(
  `seed ${seed}: ${rounds} plans, ${kinds.join(', ')}, ${refused} refused, ${slow} too slow`,
)
const longest = (name: 'wallMs' | 'cpuMs'): string => {
  const sorted = stretches.map((stretch) => stretch[name]).toSorted((one, other) => one - other)
  const [middle, most] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
  return `${middle.toFixed(0)} ms in the median of the plans, ${most.toFixed(0)} ms at most`
}
console.log(`event loop held by the clock: ${longest('wallMs')}`)
console.log(`event loop held by the processor: ${longest('cpuMs')}`)
console.log(`load of the machine: ${load.toFixed(1)} at most`)
