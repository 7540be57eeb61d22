// The long form of the fuzzers: `npm run rig:fuzz -- --seconds 30 --seed 7 qry json`. Every fuzzer,
// or each named fuzzer, runs for this time in short rounds, each with its own seed. The exit code
// is 1 if a fuzzer fails or an input takes over 100 ms. An interrupted run reports its results so
// far.

import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { costOf, fuzz, type Fuzzer, type FuzzOutcome } from './engine.ts'
import { FUZZERS, samplesOf } from './fuzzers.ts'

const MAX_COST_MS = 100
const SECONDS_OF_A_TURN = 10

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
// Half of all outcomes are refusals, whose stack traces nobody reads.
Error.stackTraceLimit = 0
const totals = new Map<string, Total>()
process.once('SIGTERM', () => {
  show()
  process.exit(process.exitCode ?? 143)
})
await runAll()
show()

interface Total {
  runs: number
  elapsedMs: number
  /** The highest number of different outcomes in a round. */
  kinds: number
  /** The processor time of the slowest input. */
  costMs: number
  hasFailed: boolean
}

async function runAll(): Promise<void> {
  const chosen = FUZZERS.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  )
  const seconds = Number(values.seconds)
  const turns = Math.ceil(seconds / SECONDS_OF_A_TURN)
  console.log(`seed ${values.seed}`)
  for (let number = 0; number < turns; number++) {
    for (const fuzzer of chosen) {
      await runTurn(fuzzer, {
        seed: Number(values.seed) + number,
        maxMs: (seconds * 1_000) / turns,
      })
      // Signal handlers run here.
      await turn()
    }
  }
}

async function runTurn(
  fuzzer: Fuzzer,
  { seed, maxMs }: { readonly seed: number; readonly maxMs: number },
): Promise<void> {
  const total = totals.get(fuzzer.name) ?? {
    runs: 0,
    elapsedMs: 0,
    kinds: 0,
    costMs: 0,
    hasFailed: false,
  }
  totals.set(fuzzer.name, total)
  if (total.hasFailed) return
  const samples = samplesOf(fuzzer)
  const outcome = await fuzz(fuzzer, { seed, samples, maxRuns: Number.POSITIVE_INFINITY, maxMs })
  total.runs += outcome.runs
  total.elapsedMs += outcome.elapsedMs
  total.kinds = Math.max(total.kinds, outcome.kinds)
  total.hasFailed = outcome.failure !== undefined
  total.costMs = Math.max(total.costMs, await judge(fuzzer, outcome))
}

/** Measures the slowest input and reports an input that fails or takes too long. */
async function judge(fuzzer: Fuzzer, { slowest, failure }: FuzzOutcome): Promise<number> {
  const costMs = await costOf(fuzzer, slowest.input).catch(() => 0)
  const fault =
    failure === undefined
      ? `${JSON.stringify(slowest.input)} takes ${costMs} ms`
      : `${JSON.stringify(failure.input)} fails: ${failure.error}`
  if (failure !== undefined || costMs > MAX_COST_MS) {
    process.exitCode = 1
    console.log(`${fuzzer.name}: ${fault}`)
  }
  return costMs
}

function show(): void {
  let all = 0
  console.log('| fuzzer | executions | per second | outcomes | slowest, ms of processor |')
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const [name, { runs, elapsedMs, kinds, costMs }] of totals) {
    const speed = Math.round((runs / elapsedMs) * 1_000)
    const columns = [name, runs, speed, kinds, costMs.toFixed(1)]
    console.log(`| ${columns.map((column) => column.toLocaleString('en')).join(' | ')} |`)
    all += runs
  }
  console.log(`\n${all.toLocaleString('en')} executions`)
}
