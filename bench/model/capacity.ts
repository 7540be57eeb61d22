// How much a cluster takes before one of its parts is used to its share: the laws of utilisation, without a simulation.

import { MEASURED } from './measured.ts'
import { ASSUMED, type Cores, type Times } from './times.ts'

export interface Asked {
  readonly nodes: number
  readonly cores: Cores
  readonly readShare: number
  readonly times: Times
  /** Nodes that ask for the lock; 1 where one of them would commit for all. */
  readonly committers?: number
}

export type Part = 'nodes' | 'lock' | 'database' | 'network'

export interface Capacity {
  readonly perSecond: number
  readonly part: Part
}

/** So long a commit of so many changes holds the lock. */
export function holdMs(times: Times, changes: number): number {
  const fixed = times.commitNodeMs + times.commitDatabaseMs + times.waitMs + 2 * times.networkMs
  return fixed + changes * (times.planNodeMs + times.planDatabaseMs)
}

/** As many as its node may wait for its turn with. */
function changesPerCommit(times: Times, committers: number): number {
  const perTurn = ASSUMED.turnMs / committers
  const room = (perTurn - holdMs(times, 0)) / (times.planNodeMs + times.planDatabaseMs)
  return Math.min(Math.max(room, 1), ASSUMED.changesPerCommit)
}

/** Changes a second that the one lock lets through. */
export function mostChanges({ times, nodes, committers = nodes }: Asked): number {
  const changes = changesPerCommit(times, committers)
  return (ASSUMED.share * changes * 1_000) / holdMs(times, changes)
}

export function capacityOf(asked: Asked): Capacity {
  const { nodes, cores, readShare, times, committers = nodes } = asked
  const share = 1 - readShare
  const perCommit = changesPerCommit(times, committers)
  const room = ASSUMED.share * 1_000
  // Each node does its part of the requests, and applies the changes of all.
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
