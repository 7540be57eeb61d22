// Work that happens once, however many processes write the records: which of them does it.

import type { RecordType } from './values.ts'

/** Key: [the kind of work]. Gone where nobody has it. */
interface NodeLease {
  /** Of the process that has it. Whether that lives is told by the clock of the database. */
  readonly node: string
  /** Another one each time it is taken: who has it no more, and does not know yet, is told apart by it. */
  readonly term: string
}

export const nodeLease: RecordType<NodeLease> = { name: 'node_lease', indexes: [] }

/** Key: [that of the pending work]. Where there is none, nobody does the work. */
interface WorkOwner {
  /** Of the process that does it. */
  readonly node: string
}

export const workOwner: RecordType<WorkOwner> = { name: 'work_owner', indexes: [] }
