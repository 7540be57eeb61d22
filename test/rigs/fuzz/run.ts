// The long form of the fuzzers: `npm run rig:fuzz -- --seconds 30 --seed 7 qry json`. Every fuzzer, or
// those that are named, runs for so long; ends with 1 when one fails or an input takes over 100 ms.

import { parseArgs } from 'node:util'
import { costOf, fuzz, type Fuzzer, type FuzzOutcome } from './engine.ts'
import { FUZZERS, samplesOf } from './fuzzers.ts'

const MAX_COST_MS = 100

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
// Refusals are half of all outcomes, and nobody reads where they come from.
Error.stackTraceLimit = 0
process.exitCode = await runAll()

async function runAll(): Promise<number> {
  const chosen = FUZZERS.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  )
  const seed = Number(values.seed)
  let total = 0
  let status = 0
  console.log(`seed ${seed}`)
  console.log('| fuzzer | executions | per second | outcomes | slowest, ms of processor |')
  console.log('| --- | ---: | ---: | ---: | ---: |')

  for (const fuzzer of chosen) {
    const outcome = await fuzz(fuzzer, {
      seed,
      samples: samplesOf(fuzzer),
      maxRuns: Number.POSITIVE_INFINITY,
      maxMs: Number(values.seconds) * 1_000,
    })
    total += outcome.runs
    if (!(await isGood(fuzzer, outcome))) status = 1
  }
  console.log(`\n${total.toLocaleString('en')} executions`)
  return status
}

async function isGood(fuzzer: Fuzzer, outcome: FuzzOutcome): Promise<boolean> {
  const { name, runs, elapsedMs, kinds, slowest, failure } = outcome
  const costMs = await costOf(fuzzer, slowest.input).catch(() => Number.NaN)
  const speed = Math.round((runs / elapsedMs) * 1_000)
  const columns = [name, runs, speed, kinds, costMs.toFixed(1)]
  console.log(`| ${columns.map((column) => column.toLocaleString('en')).join(' | ')} |`)

  if (failure !== undefined) console.log(`${JSON.stringify(failure.input)} fails: ${failure.error}`)
  if (costMs > MAX_COST_MS) console.log(`${JSON.stringify(slowest.input)} takes ${costMs} ms`)
  return failure === undefined && costMs <= MAX_COST_MS
}
