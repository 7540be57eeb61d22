// Input of the model: service times, each with the place where it was measured. The model computes none of
// them.

const RECORDS =
  'npm run model:measure, 2 cores that the database shares, records with an index row for each of nine fields, two runs'
const SERVER = 'server with LMDB, 2 cores, alternating with the previous version'

const FITTED = `${RECORDS}; from commits of 1 and of 64 changes`
const FITTED_16 = `${RECORDS}; from commits of 1 and of 16 changes`

export interface Figure {
  readonly value: number
  readonly unit: string
  readonly what: string
  readonly where: string
}

const figure = (value: number, unit: string, what: string, where: string): Figure => ({
  value,
  unit,
  what,
  where,
})

export const MEASURED = {
  readUs: figure(58, 'µs', 'processor of a node for a request that reads one entry', SERVER),
  createUs: figure(
    207,
    'µs',
    'processor of a node for a request that creates one, with its commit',
    SERVER,
  ),
  renewDatabaseUs: figure(117, 'µs', 'processor of the database for a renewal', RECORDS),
  renewNodeUs: figure(69, 'µs', 'processor of a node for a renewal', RECORDS),
  commitDatabaseUs: figure(
    525,
    'µs',
    'processor of the database for a commit, less its changes',
    FITTED,
  ),
  planDatabaseUs: figure(71, 'µs', 'the same for each change', FITTED),
  commitNodeUs: figure(1_104, 'µs', 'processor of the node that commits, less the changes', FITTED),
  planNodeUs: figure(121, 'µs', 'the same for each change', FITTED),
  applyCommitUs: figure(
    31,
    'µs',
    'processor of a node that applies a commit of another, less its changes',
    FITTED_16,
  ),
  applyPlanUs: figure(9, 'µs', 'the same for each change', FITTED_16),
  rowCommitUs: figure(
    7,
    'µs',
    'processor of the database that sends a commit to a node, less its changes',
    FITTED_16,
  ),
  rowPlanUs: figure(2.7, 'µs', 'the same for each change', FITTED_16),
  changeBytes: figure(
    345,
    'bytes',
    'size of a change in the log, with 16 changes in a commit',
    RECORDS,
  ),
  standbyMs: figure(
    0.3,
    'ms',
    'time that a synchronous standby on the same machine adds to a commit',
    RECORDS,
  ),
} as const

/** Changes per second in two runs with all nodes in one process. The model has to predict them. */
export const OBSERVED: readonly {
  readonly nodes: number
  readonly callers: number
  readonly runs: readonly [number, number]
}[] = [
  { nodes: 1, callers: 1, runs: [507, 651] },
  { nodes: 1, callers: 4, runs: [1_510, 1_978] },
  { nodes: 1, callers: 16, runs: [2_253, 2_914] },
  { nodes: 1, callers: 64, runs: [3_584, 5_351] },
  { nodes: 1, callers: 256, runs: [3_768, 3_518] },
  { nodes: 2, callers: 64, runs: [3_461, 3_629] },
  { nodes: 4, callers: 64, runs: [2_690, 2_725] },
  { nodes: 8, callers: 64, runs: [1_674, 1_779] },
]

export const MEASURED_ON =
  '2026-11-23, Node 20.20.2, PostgreSQL 18.4, Linux 6.18, 2 cores, commit 50a9d1e'
