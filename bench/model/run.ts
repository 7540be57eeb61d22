// npm run model: prints the tables of bench/model/RESULTS.md. Columns with measured figures are labeled as
// measured.

import { capacityOf, costPerMonth, mostChanges } from './capacity.ts'
import { closedCommits, openArrivals } from './loads.ts'
import { MEASURED, MEASURED_ON, OBSERVED } from './measured.ts'
import { coresFor, TIMES } from './times.ts'

const READ_SHARES = [0.9, 0.99, 0.999]
const SIZES = [10, 100, 1_000]
const SEED = 21
/** Share of the capacity of the parts. */
const LOAD = 0.6
/** Number of simulated requests, and the minimum simulated time. */
const REQUESTS = 150_000
const LEAST_MS = 400

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => (Number.isNaN(value) ? '–' : value.toPrecision(3))
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

function measuredTable(): string {
  const rows = Object.values(MEASURED).map(({ what, value, unit, where }) => [
    what,
    `${value} ${unit}`,
    where,
  ])
  return table(['what', 'measured', 'where'], rows)
}

/**
 * One machine with two cores: the thread of all nodes uses one, the database the other. There is no
 * standby and no network.
 */
function observedTable(): string {
  const times = { ...TIMES, waitMs: 0, networkMs: 0 }
  const rows = OBSERVED.map(({ nodes, callers, runs }) => {
    const shape = { nodes, databaseCores: 1, times, isOneThread: true }
    const computed = closedCommits(shape, callers)
    const error = percent((2 * computed) / (runs[0] + runs[1]) - 1)
    return [String(nodes), String(callers), runs.map(whole).join(' and '), whole(computed), error]
  })
  return table(
    ['nodes', 'callers', 'changes/s, measured', 'changes/s, computed', 'of the mean'],
    rows,
  )
}

function sizesTable(): string {
  const rows = SIZES.flatMap((nodes) => READ_SHARES.map((readShare) => sizeRow(nodes, readShare)))
  const latencies = ['reads p50 / p99 ms', 'changes p50 / p99 ms']
  const cost = ['cost a month', 'a million requests a day, a month']
  return table(
    [
      'nodes',
      'reads',
      'most requests/s',
      'limited by',
      ...latencies,
      'renewals/s',
      'database',
      ...cost,
    ],
    rows,
  )
}

function sizeRow(nodes: number, readShare: number): readonly string[] {
  const cores = coresFor(nodes)
  const { perSecond, part } = capacityOf({ nodes, cores, readShare, times: TIMES })
  const asked = perSecond * LOAD
  const result = openArrivals({
    shape: { nodes, databaseCores: cores, times: TIMES },
    perSecond: asked,
    readShare,
    ms: Math.max((REQUESTS / asked) * 1_000, LEAST_MS),
    seed: SEED,
  })
  const { reads, changes, renewalsPerSecond, databaseShare } = result
  const cost = costPerMonth(nodes, cores)
  return [
    whole(nodes),
    percent(readShare),
    whole(perSecond),
    part,
    `${ms(reads.p50)} / ${ms(reads.p99)}`,
    `${ms(changes.p50)} / ${ms(changes.p99)}`,
    whole(renewalsPerSecond),
    percent(Math.min(databaseShare, 1)),
    whole(cost),
    ((cost / asked) * (1_000_000 / 86_400)).toFixed(3),
  ]
}

/** The same machines, divided among sites with a database each. */
function sitesTable(): string {
  const rows = [1, 10, 100].flatMap((sites) =>
    READ_SHARES.map((readShare) => {
      const nodes = 1_000 / sites
      const cores = coresFor(nodes)
      const { perSecond, part } = capacityOf({ nodes, cores, readShare, times: TIMES })
      const cost = sites * costPerMonth(nodes, cores)
      return [
        `${sites} × ${whole(nodes)}`,
        percent(readShare),
        whole(sites * perSecond),
        part,
        whole(cost),
      ]
    }),
  )
  return table(
    ['sites × nodes', 'reads', 'most requests/s, all sites', 'limited by', 'cost a month'],
    rows,
  )
}

function whatIfTable(): string {
  const rows = SIZES.map((nodes) => {
    const asked = { nodes, cores: coresFor(nodes), readShare: 0.99, times: TIMES }
    const noStandby = { ...asked, times: { ...TIMES, waitMs: 0 } }
    return [asked, noStandby, { ...asked, committers: 1 }].map((one) => whole(mostChanges(one)))
  }).map((cells, at) => [whole(SIZES[at] ?? 0), ...cells])
  return table(['nodes', 'changes/s', 'without a standby', 'one node commits for all'], rows)
}

function waitTable(): string {
  const asked = { nodes: 100, cores: 32, readShare: 0.999, times: TIMES } as const
  const perSecond = capacityOf(asked).perSecond * LOAD
  const rows = [0, 1, 5, 20].map((renewEveryMs) => {
    const shape = { nodes: 100, databaseCores: 32, times: TIMES, renewEveryMs }
    const load = { shape, perSecond, readShare: 0.999, ms: LEAST_MS, seed: SEED }
    const { reads, renewalsPerSecond, databaseShare } = openArrivals(load)
    const cells = [whole(renewalsPerSecond), percent(Math.min(databaseShare, 1))]
    return [`${renewEveryMs} ms`, ...cells, `${ms(reads.p50)} / ${ms(reads.p99)}`]
  })
  return table(['between renewals', 'renewals/s', 'database', 'reads p50 / p99 ms'], rows)
}

console.log(`Measured: ${MEASURED_ON}. Computed by \`npm run model\`, seed ${SEED}.\n`)
for (const [title, text] of [
  ['Measured: inputs of the model', measuredTable()],
  ['Measured beside computed', observedTable()],
  ['Computed: one site', sizesTable()],
  ['Computed: a thousand nodes, divided among sites', sitesTable()],
  ['Computed: changes a second that the lock allows', whatIfTable()],
  ['Computed: a longer wait between renewals, 100 nodes, 99.9 % reads', waitTable()],
])
  console.log(`### ${title}\n\n${text}\n`)
