// Rows that the server keeps for itself: the site key (random bytes that encrypt data which clients receive and send
// back), first-start links and leases.

import type { RecordType } from './values.ts'

/** Key: [1]. */
interface SiteKey {
  /** Base64 of 32 bytes. */
  readonly secret: string
}

export const siteKey: RecordType<SiteKey> = { name: 'site_key', indexes: [] }

/** Key: [hash of the secret of the link]. */
interface WelcomeLink {
  readonly date_ends: string
}

/**
 * First-start links. Several processes may each show a link; every link works on all of them until one is used.
 */
export const welcomeLink: RecordType<WelcomeLink> = { name: 'welcome_link', indexes: [] }

/** Key: [the kind of work]. Missing if no process has the lease. */
interface NodeLease {
  /** The process that holds the lease. The database clock decides whether that process is alive. */
  readonly node: string
  /** A new value for each acquisition, which reveals a holder that has lost the lease without noticing. */
  readonly term: string
}

/** Leases for work that must be done once, however many processes write the records. */
export const nodeLease: RecordType<NodeLease> = { name: 'node_lease', indexes: [] }

/** Key: the key of the pending work. Missing if no process does the work. */
interface WorkOwner {
  /** The process that does the work. */
  readonly node: string
}

export const workOwner: RecordType<WorkOwner> = { name: 'work_owner', indexes: [] }
