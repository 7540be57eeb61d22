// The rate at which the first part of a cluster reaches its permitted utilization, by the utilization law and
// without a simulation.

import { MEASURED } from './measured.ts'
import { ASSUMED, type Cores, type Times } from './times.ts'

export interface Asked {
  readonly nodes: number
  readonly cores: Cores
  readonly readShare: number
  readonly times: Times
  /** Nodes that compete for the lock; 1 if a single node commits for all. */
  readonly committers?: number
}

export type Part = 'nodes' | 'lock' | 'database' | 'network'

export interface Capacity {
  readonly perSecond: number
  readonly part: Part
}

/** How long a commit with this number of changes holds the lock. */
export function holdMs(times: Times, changes: number): number {
  const fixed = times.commitNodeMs + times.commitDatabaseMs + times.waitMs + 2 * times.networkMs
  return fixed + changes * (times.planNodeMs + times.planDatabaseMs)
}

/** The largest commit that lets each node acquire the lock within its time limit. */
function changesPerCommit(times: Times, committers: number): number {
  const perTurn = ASSUMED.turnMs / committers
  const room = (perTurn - holdMs(times, 0)) / (times.planNodeMs + times.planDatabaseMs)
  return Math.min(Math.max(room, 1), ASSUMED.changesPerCommit)
}

/** Changes per second that the single lock permits. */
export function mostChanges({ times, nodes, committers = nodes }: Asked): number {
  const changes = changesPerCommit(times, committers)
  return (ASSUMED.share * changes * 1_000) / holdMs(times, changes)
}

export function capacityOf(asked: Asked): Capacity {
  const { nodes, cores, readShare, times, committers = nodes } = asked
  const share = 1 - readShare
  const perCommit = changesPerCommit(times, committers)
  const room = ASSUMED.share * 1_000
  // Each node handles its share of the requests and applies the changes of all nodes.
  const ownMs = readShare * times.readMs + share * (times.changeMs + times.planNodeMs)
  const applyMs = times.applyPlanMs + times.applyCommitMs / perCommit
  const nodeMs = ownMs / nodes + share * applyMs
  const rowMs = times.rowPlanMs + times.rowCommitMs / perCommit
  const databaseMs =
    share * (times.planDatabaseMs + times.commitDatabaseMs / perCommit + nodes * rowMs)
  // Bytes are sent as hexadecimal digits.
  const bytes = share * nodes * 2 * MEASURED.changeBytes.value
  const bounds: readonly Capacity[] = [
    { part: 'nodes', perSecond: room / nodeMs },
    { part: 'lock', perSecond: mostChanges(asked) / share },
    { part: 'database', perSecond: (room * cores) / databaseMs },
    { part: 'network', perSecond: (ASSUMED.share * ASSUMED.networkBytesPerSecond) / bytes },
  ]
  return bounds.reduce((least, bound) => (bound.perSecond < least.perSecond ? bound : least))
}

export function costPerMonth(nodes: number, cores: Cores): number {
  const { nodePerMonth, databasePerMonth, storeAndBalancerPerMonth } = ASSUMED
  return nodes * nodePerMonth + 3 * databasePerMonth[cores] + storeAndBalancerPerMonth
}
