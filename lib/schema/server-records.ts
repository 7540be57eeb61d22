// Rows that the server keeps for itself: the site key (random bytes that encrypt data which clients receive and send
// back), first-start links and leases.

import type { JsonValue, RecordType } from './values.ts'

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

/** Key: [api_key_id, the value of the header]. */
export interface IdempotencyRow {
  /** SHA-256 of the request: a different request with the same key is rejected. */
  readonly fingerprint: string
  /** Hash of the grants of the key and its user at that time. */
  readonly authority: string
  readonly date_added: string
  /** Identifiers of the records that its commit wrote, by the name of their type. */
  readonly made: Made
  /** The written records that existed before the commit; missing if there are none. */
  readonly updated?: Made
  /** The output of the request, for routes whose output does not follow from the records. */
  readonly outcome?: JsonValue
  /** The response; null while it is unknown, and if it was too large to be stored. */
  readonly answer: JsonValue
}

export type Made = Readonly<Record<string, readonly number[]>>

/**
 * The outcome of a request with an Idempotency-Key, stored so that a retry gets the same response and changes
 * nothing.
 */
export const idempotencyRow: RecordType<IdempotencyRow> = {
  name: 'idempotency_row',
  idCount: 2,
  indexes: [{ name: 'date_added', rows: (record) => [[String(record['date_added'])]] }],
}

/** Key: [api_key_id]. */
interface IdempotencyCount {
  /** Number of rows of the key. */
  readonly rows: number
}

export const idempotencyCount: RecordType<IdempotencyCount> = {
  name: 'idempotency_count',
  indexes: [],
}
