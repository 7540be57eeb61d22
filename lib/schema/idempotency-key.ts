// The outcome of a request with an Idempotency-Key, stored so that a retry gets the same response and changes
// nothing.

import type { JsonValue, RecordType } from './values.ts'

/** Key: [api_key_id, the value of the header]. */
export interface IdempotencyRow {
  /** SHA-256 of the request: a different request with the same key is rejected. */
  readonly fingerprint: string
  /** Hash of the grants of the key and its user at that time. */
  readonly authority: string
  readonly date_added: string
  /** Identifiers of the records that its commit wrote, by the name of their type. */
  readonly made: Made
  /** The response; null while it is unknown, and if it was too large to be stored. */
  readonly answer: JsonValue
}

export type Made = Readonly<Record<string, readonly number[]>>

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
