// The faults of a run, one after the other, each undone before the next, and the checks between
// faults. A service is healthy before one of its own parts fails again; other services may fail
// while it is still catching up.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rigs/random.ts'
import { faultsAt } from './checks.ts'
import type { Fault, Scripts, Service } from './faults.ts'
import type { Load, Running } from './load.ts'
import type { Nodes } from './nodes.ts'
import type { Report } from './report.ts'
import { runScript } from './run-script.ts'

export interface Rounds {
  readonly faults: readonly Fault[]
  readonly rounds: number
  /** No fault begins after this time, in ms since the epoch. */
  readonly until: number
  readonly scripts: Scripts
  readonly nodes: Nodes
  readonly load: Load
  readonly running: Running
  readonly report: Report
}

const REST_MS = 1_500
const COMPARE_EVERY = 20
const RARE_EVERY = 3

/**
 * Returns the reason if a fault cannot be undone. The data of the writers is compared even then.
 */
export async function breakAll(run: Rounds): Promise<unknown> {
  const passed: number[] = []
  let count = 0
  try {
    for (const fault of orderOf(run)) {
      if (Date.now() > run.until) break
      await meet(fault, run)
      count += 1
      if (count % COMPARE_EVERY === 0) await compare(run, passed)
    }
    return undefined
  } catch (failure) {
    run.report.note('failed', { failure: String(failure) })
    return failure
  }
}

/** Every fault in each round, in a random order. */
function orderOf({ faults, rounds, load }: Rounds): readonly Fault[] {
  return Array.from({ length: rounds }, (_, round) => {
    const common = faults.filter(({ isRare = false }) => !isRare || round % RARE_EVERY === 0)
    return inTurns(shuffled(common, load.doors.random))
  }).flat()
}

/**
 * Separates faults of the same service where possible, so that the service has time to catch up.
 */
function inTurns(faults: readonly Fault[]): readonly Fault[] {
  const left = [...faults]
  const order: Fault[] = []
  while (left.length > 0) {
    const { of: last = [] } = order.at(-1) ?? {}
    const leftOf = ({ of }: Fault): number =>
      of.some((one) => last.includes(one)) ? 0 : left.filter((one) => one.of[0] === of[0]).length
    const next = left.reduce((best, one) => (leftOf(one) > leftOf(best) ? one : best))
    order.push(...left.splice(left.indexOf(next), 1))
  }
  return order
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const keyed = items.map((item) => ({ item, at: random.next() }))
  return keyed.sort((left, right) => left.at - right.at).map(({ item }) => item)
}

/** Begins a fault, ends it, and waits until every node is ready. */
async function meet(fault: Fault, run: Rounds): Promise<void> {
  const { nodes, load, report } = run
  const before = { ended: nodes.ended.length, wrong: load.wrong.length }
  await sleep(REST_MS)
  await untilWell(fault.of, run)
  const from = Date.now()
  const end = await fault.begin()
  await sleep(from + fault.lastsMs - Date.now())
  await end()
  await nodes.untilReady()
  const until = Date.now()
  for (const words of nodes.ended.slice(before.ended))
    report.note('a node ended by itself', { during: fault.name, words })
  for (const words of load.wrong.slice(before.wrong))
    report.note('a wrong read', { during: fault.name, words })
  const gapMs = longestGap(load.doors.settledAt, from, until)
  report.fault({ name: fault.name, gapMs, wellMs: until - from }, load)
}

async function untilWell(of: readonly Service[], { scripts, report }: Rounds): Promise<void> {
  for (const service of of) {
    if (service === 'nodes') continue
    const said = await runScript(scripts[service], ['health'])
    if (said !== '') report.note('a standby was made anew', { said })
  }
}

function longestGap(at: readonly number[], from: number, until: number): number {
  const times = [from, ...at.filter((time) => time > from && time < until), until]
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
}

/**
 * Compares what writers know with every node. Only file versions that are newer than the last
 * comparison are read.
 */
async function compare(run: Rounds, passed: number[]): Promise<void> {
  const { load, nodes, running, report } = run
  await running.halt()
  const from = Date.now()
  await untilWell(['database', 'store'], run)
  await nodes.untilReady()
  const found = await Promise.all(nodes.urls.map((url) => faultsAt(load, url, passed)))
  const faults = found.flat()
  const versions = load.known.map(({ file }) => file.sums.length)
  const newer = versions.reduce((sum, last, at) => sum + last - (passed[at] ?? 0), 0)
  report.note('compared', { faults, newer, ms: Date.now() - from })
  assert.deepEqual(faults, [])
  passed.splice(0, passed.length, ...versions)
  running.goOn()
}
