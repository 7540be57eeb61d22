// Leases for work that must be done once, however many processes write the records.

import type { RecordType } from './values.ts'

/** Key: [the kind of work]. Missing if no process has the lease. */
interface NodeLease {
  /** The process that holds the lease. The database clock decides whether that process is alive. */
  readonly node: string
  /** A new value for each acquisition, which reveals a holder that has lost the lease without noticing. */
  readonly term: string
}

export const nodeLease: RecordType<NodeLease> = { name: 'node_lease', indexes: [] }

/** Key: the key of the pending work. Missing if no process does the work. */
interface WorkOwner {
  /** The process that does the work. */
  readonly node: string
}

export const workOwner: RecordType<WorkOwner> = { name: 'work_owner', indexes: [] }
