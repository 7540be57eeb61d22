// The service times in milliseconds, as the simulation takes them, and what was assumed besides.

import { MEASURED } from './measured.ts'

export interface Times {
  readonly readMs: number
  /** Of a change, without its commit. */
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
  /** What a commit waits for besides: the disk of the primary, and the standby. */
  readonly waitMs: number
  /** One way. */
  readonly networkMs: number
}

const US = 1_000
/** Assumed: one way, between machines of one place. */
const NETWORK_MS = 0.1

export const TIMES: Times = {
  readMs: MEASURED.readUs.value / US,
  // The commit of the embedded engine is in that figure, too: a little too much.
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
  // The standby is as far away as the nodes are.
  waitMs: MEASURED.standbyMs.value + 2 * NETWORK_MS,
  networkMs: NETWORK_MS,
}

/** Assumed, not measured and not asked of anybody: what a month of each costs, and how large the machines are. */
export const ASSUMED = {
  nodePerMonth: 60,
  /** Of one server of the database; there are three. */
  databasePerMonth: { 8: 400, 32: 1_600, 64: 3_200 },
  storeAndBalancerPerMonth: 150,
  networkBytesPerSecond: 25e9 / 8,
  /** Of what there is, so much is used at most. */
  share: 0.8,
  /** Half of the 3 s after which a node gives a query up. */
  turnMs: 1_500,
  changesPerCommit: 256,
} as const

export type Cores = keyof typeof ASSUMED.databasePerMonth

export function coresFor(nodes: number): Cores {
  if (nodes <= 10) return 8
  return nodes <= 100 ? 32 : 64
}
