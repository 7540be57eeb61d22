// Service times in milliseconds for the simulation, and the assumptions.

import { MEASURED } from './measured.ts'

export interface Times {
  readonly readMs: number
  /** One change without its commit. */
  readonly changeMs: number
  readonly renewDatabaseMs: number
  readonly renewNodeMs: number
  readonly commitDatabaseMs: number
  readonly planDatabaseMs: number
  readonly commitNodeMs: number
  readonly planNodeMs: number
  readonly applyCommitMs: number
  readonly applyPlanMs: number
  readonly rowCommitMs: number
  readonly rowPlanMs: number
  /** Further waiting time of a commit: the disk of the primary, and the standby. */
  readonly waitMs: number
  /** One-way delay. */
  readonly networkMs: number
}

const US = 1_000
/** Assumed one-way delay between machines in one place. */
const NETWORK_MS = 0.1

export const TIMES: Times = {
  readMs: MEASURED.readUs.value / US,
  // This figure includes the commit of the embedded engine and is therefore slightly too high.
  changeMs: MEASURED.createUs.value / US,
  renewDatabaseMs: MEASURED.renewDatabaseUs.value / US,
  renewNodeMs: MEASURED.renewNodeUs.value / US,
  commitDatabaseMs: MEASURED.commitDatabaseUs.value / US,
  planDatabaseMs: MEASURED.planDatabaseUs.value / US,
  commitNodeMs: MEASURED.commitNodeUs.value / US,
  planNodeMs: MEASURED.planNodeUs.value / US,
  applyCommitMs: MEASURED.applyCommitUs.value / US,
  applyPlanMs: MEASURED.applyPlanUs.value / US,
  rowCommitMs: MEASURED.rowCommitUs.value / US,
  rowPlanMs: MEASURED.rowPlanUs.value / US,
  // The standby is as far away as the nodes.
  waitMs: MEASURED.standbyMs.value + 2 * NETWORK_MS,
  networkMs: NETWORK_MS,
}

/**
 * Assumed, neither measured nor quoted by a provider: monthly prices, and sizes of the machines.
 */
export const ASSUMED = {
  nodePerMonth: 60,
  /** One database server by number of cores; a cluster has three. */
  databasePerMonth: { 8: 400, 32: 1_600, 64: 3_200 },
  storeAndBalancerPerMonth: 150,
  networkBytesPerSecond: 25e9 / 8,
  /** Maximum utilization of each part. */
  share: 0.8,
  /** Half of the 3 s after which a node gives up a query. */
  turnMs: 1_500,
  changesPerCommit: 256,
} as const

export type Cores = keyof typeof ASSUMED.databasePerMonth

export function coresFor(nodes: number): Cores {
  if (nodes <= 10) return 8
  return nodes <= 100 ? 32 : 64
}
