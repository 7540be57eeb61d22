// One scenario beside its limit. They take turns, and the median of the rounds is reported, so that a
// slow moment of the machine hits both.

import { type Figures, fire, median, middle, rawRows, startLimit } from './load.ts'
import { residentMib, type Running } from './processes.ts'
import type { Result } from './report.ts'
import type { Load, Measured } from './scenarios.ts'
import { canWrk, fireWrk } from './wrk.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const WARM_UP_SECONDS = 2
const WRK_SECONDS = 1

export interface Measuring {
  readonly scenario: Measured
  readonly load: Load
  readonly cms: Running
  /** Scratch directory. */
  readonly dir: string
}

export async function measure({ scenario, load, cms, dir }: Measuring): Promise<Result> {
  const limit = await startLimit(scenario, { dir, url: cms.url, load })
  const memoryBefore = residentMib(cms.pid)
  try {
    await fire(cms, scenario, load, WARM_UP_SECONDS)
    const ours: Figures[] = []
    const limits: Figures[] = []
    const rows: Figures[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await fire(cms, scenario, load, SECONDS))
      if (limit !== undefined) limits.push(await limit.measure(SECONDS))
      if (scenario.rows !== undefined)
        rows.push(rawRows(scenario.rows, { dir, inFlight: scenario.connections, seconds: SECONDS }))
    }
    const wrk = limit?.url === undefined ? undefined : byWrk(cms.url, limit.url, scenario, load)
    const memory = { before: memoryBefore, after: residentMib(cms.pid) }
    return { ...resultOf(scenario, ours), limit: rateOf(limits), rows: rateOf(rows), wrk, memory }
  } finally {
    await limit?.stop()
  }
}

function resultOf(
  { name, title, connections }: Measured,
  ours: readonly Figures[],
): Omit<Result, 'limit' | 'rows' | 'wrk' | 'memory'> {
  const { perSecond, p50, p99, cpuUs, generatorUs } = middle(ours)
  const rates = ours.map((item) => item.perSecond)
  return {
    name,
    title,
    connections,
    perSecond,
    low: Math.min(...rates),
    high: Math.max(...rates),
    p50,
    p99,
    cpuUs,
    generatorPerSecond: 1_000_000 / generatorUs,
    errors: ours.reduce((sum, item) => sum + item.errors, 0),
  }
}

/** Both in turns, once more. Not streams: in so short a round no connection gets to its second file. */
function byWrk(
  url: string,
  limitUrl: string,
  { connections, limit }: Measured,
  load: Load,
): Result['wrk'] {
  if (limit !== 'same-bytes' || !canWrk(load)) return undefined
  const ours: number[] = []
  const limits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(fireWrk({ url, connections, load, seconds: WRK_SECONDS }))
    limits.push(fireWrk({ url: limitUrl, connections, load, seconds: WRK_SECONDS }))
  }
  return { perSecond: median(ours), limitPerSecond: median(limits) }
}

function rateOf(limits: readonly Figures[]): Result['limit'] {
  if (limits.length === 0) return undefined
  const { perSecond, cpuUs } = middle(limits)
  return { perSecond, cpuUs }
}
