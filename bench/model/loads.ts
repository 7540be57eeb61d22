// Callers of the cluster: a fixed number of callers that repeat requests (a closed load, as in the
// measurements), or requests that arrive at random (an open load).

import { openRandom } from '../../test/rigs/random.ts'
import { openCluster, type Shape } from './cluster.ts'

/** Changes per second of callers that each wait for their answer before the next change. */
export function closedCommits(shape: Shape, callers: number): number {
  const cluster = openCluster(shape)
  let done = 0
  for (let caller = 0; caller < callers; caller += 1) {
    const again = (): void =>
      cluster.commit(caller % shape.nodes, () => {
        done += 1
        again()
      })
    again()
  }
  const ms = 5_000
  cluster.clock.run(ms)
  return (done / ms) * 1_000
}

export interface Latencies {
  readonly p50: number
  readonly p99: number
}

export interface OpenResult {
  readonly perSecond: number
  readonly reads: Latencies
  readonly changes: Latencies
  readonly changesPerCommit: number
  readonly renewalsPerSecond: number
  /** Utilisation of the cores of the database. Renewals fill otherwise idle time. */
  readonly databaseShare: number
  /**
   * Requests in flight on average, counted and computed by Little's law. Both values must agree.
   */
  readonly underWay: { readonly counted: number; readonly byLaw: number }
}

export interface OpenLoad {
  readonly shape: Shape
  readonly perSecond: number
  readonly readShare: number
  /** Simulated time. The first fifth is not counted. */
  readonly ms: number
  readonly seed: number
}

export function openArrivals({ shape, perSecond, readShare, ms, seed }: OpenLoad): OpenResult {
  const cluster = openCluster(shape)
  const { clock } = cluster
  const random = openRandom(seed)
  const from = ms / 5
  const times = { reads: [] as number[], changes: [] as number[] }
  let [underWay, area, changedAt] = [0, 0, 0]
  const count = (by: number): void => {
    if (clock.now() > from) area += underWay * (clock.now() - Math.max(changedAt, from))
    changedAt = clock.now()
    underWay += by
  }

  function arrive(): void {
    clock.after((-Math.log(1 - random.next()) / perSecond) * 1_000, arrive)
    const began = clock.now()
    const node = random.below(shape.nodes)
    const isRead = random.next() < readShare
    count(1)
    const end = (): void => {
      count(-1)
      if (clock.now() > from) (isRead ? times.reads : times.changes).push(clock.now() - began)
    }
    const { readMs, changeMs } = shape.times
    cluster.renew(node, () =>
      cluster.work(node, isRead ? readMs : changeMs, () => {
        if (isRead) end()
        else cluster.commit(node, end)
      }),
    )
  }

  arrive()
  clock.run(ms)
  count(0)
  const counted = ms - from
  const all = [...times.reads, ...times.changes]
  return {
    perSecond: (all.length / counted) * 1_000,
    reads: latenciesOf(times.reads),
    changes: latenciesOf(times.changes),
    changesPerCommit: (perSecond * (1 - readShare) * ms) / 1_000 / Math.max(cluster.commits(), 1),
    renewalsPerSecond: (cluster.renewals() / ms) * 1_000,
    databaseShare: cluster.database.busyMs() / ms / shape.databaseCores,
    underWay: { counted: area / counted, byLaw: all.reduce((sum, one) => sum + one, 0) / counted },
  }
}

function latenciesOf(times: readonly number[]): Latencies {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
